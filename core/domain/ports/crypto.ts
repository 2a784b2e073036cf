/** Cryptographic primitives, implemented with the platform's library. Text counts as its UTF-8 bytes. */
export interface CryptoPort {
  /** SHA-256 of the parts as one message. @returns 32 bytes */
  sha256(...parts: readonly (string | Uint8Array)[]): Uint8Array;
  /** SHA-256 of a message that arrives in chunks. */
  sha256Stream(): { update(chunk: Uint8Array): void; digest(): Uint8Array };
  /** HMAC-SHA256 (RFC 2104). @param key its UTF-8 bytes @returns 32 bytes */
  hmacSha256(key: string, message: string | Uint8Array): Uint8Array;
  /** Bytes from the system's cryptographic generator. */
  randomBytes(count: number): Uint8Array;
  /** A random UUID (RFC 9562, version 4). */
  randomUuid(): string;
  /** Compares in a time that depends on the lengths alone. @returns false for different lengths */
  equal(one: Uint8Array, other: Uint8Array): boolean;
}

/** Hashes passphrases with argon2id (RFC 9106). */
export interface PassphraseHashing {
  /** @returns a PHC string with a random salt; it names its own parameters, so that later hashes can cost more */
  hash(passphrase: string): Promise<string>;
  /** @param stored a PHC string of argon2id @throws {Error} it is not one */
  matches(passphrase: string, stored: string): Promise<boolean>;
}
