/** The certificate that other machines see. */
export interface NetworkListener {
  /** Lower-case DNS names and IPv4 addresses. */
  names: readonly string[];
  /** IPv4 address of this machine that it listens on. */
  address: string;
  port: number;
  /** PEM: the machine's own, then those that signed it. */
  certificate: string;
  /** PEM, PKCS #8. */
  privateKey: string;
}

/** Where other machines come in. */
export interface NetworkSocket {
  /**
   * Replaces the present listener by another and stores the change: both, or neither. This is the only place that
   * restores the earlier listener.
   * @param store called once the new listener accepts connections; when it fails, the new listener is closed
   * @throws {CodedError} it cannot listen: the earlier listener is restored; where that fails as well, the text gives
   *   both reasons and `isOpen` is false
   * @throws {Error} what `store` threw, with the earlier listener restored
   */
  open(listener: NetworkListener, store?: () => Promise<void>): Promise<void>;
  /** No request of another machine is taken from here on. */
  close(): Promise<void>;
  readonly isOpen: boolean;
}

/** An X.509 certificate, as the rules need it. */
export interface CertificateFacts {
  /** Its subject alternative names as text; null: it has none. */
  names: string | null;
  validFrom: Date;
  validTo: Date;
  /** SHA-256 of the certificate, in hexadecimal pairs with colons. */
  fingerprint: string;
  selfSigned: boolean;
  /** Whether a client accepts it for this DNS name or IPv4 address. */
  covers(name: string): boolean;
  /** @param privateKey PEM @returns undefined: it cannot be read */
  hasKey(privateKey: string): boolean | undefined;
}

/** @param pem the first certificate in it counts @returns undefined: it cannot be read */
export type ReadCertificate = (pem: string) => CertificateFacts | undefined;

/** Makes a certificate that signs itself. */
export type IssueCertificate = (wanted: {
  names: readonly string[];
  from: Date;
  to: Date;
}) => Promise<{ certificate: string; privateKey: string }>;
