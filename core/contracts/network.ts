/** The listener for other machines: off until an admin turns it on, and TLS alone. */
import { problemShape } from './errors/problemShape.ts';
import { z } from 'zod';

export const DEFAULT_LAN_PORT = 4611;
/** A certificate that ends within so many days is spoken of: at the start, by the doctor, on the Network access screen. */
export const NETWORK_WARNING_DAYS = 60;
const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const HOST_NAME = new RegExp(`^${LABEL}(\\.${LABEL})*$`);
/** The names of this machine as it calls itself: they are for the loopback listener alone. */
const OF_LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|.*\.localhost)$/;

const networkName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(HOST_NAME, 'A name is a DNS name or an IPv4 address, without protocol and port: vouch.site.lan')
  .refine((name) => !/^[\d.]+$/.test(name) || isAddress(name), {
    message: 'This is neither a DNS name nor an IPv4 address.',
  })
  .refine((name) => !OF_LOOPBACK.test(name), {
    message:
      'This name always means the calling machine itself. Enter the name or address by which other machines reach this one.',
  });

/** Whether a name is an IPv4 address. */
export function isAddress(name: string): boolean {
  return z.ipv4().safeParse(name).success;
}

/** The names in a line that was typed, between spaces or commas. */
export function hostNamesIn(line: string): string[] {
  return line.split(/[\s,]+/).filter((name) => name !== '');
}

/** The input that turns it on. */
export const networkAccessRequest = z.object({
  /** The names and IPv4 addresses under which other machines call this one; nothing else is answered. */
  names: z.array(networkName).min(1, 'Give at least one name.').max(20, 'At most 20 names.'),
  /** Of this machine: where it listens. */
  address: z.ipv4().default('0.0.0.0'),
  port: z.number().int().min(1).max(65_535).default(DEFAULT_LAN_PORT),
});
export type NetworkAccessRequest = z.infer<typeof networkAccessRequest>;

/** A certificate of the organisation's own authority, PEM; absent: one is made that signs itself. */
export const networkCertificate = z.object({
  /** The machine's certificate, then those that signed it. */
  certificate: z.string().max(100_000),
  privateKey: z.string().max(20_000),
});

/** The listener as it is. */
export const networkAccessState = z.object({
  /** Null: no other machine is let in. */
  listener: z
    .object({
      names: z.array(z.string()),
      address: z.string(),
      port: z.number().int(),
      /** `https://name:port` of each name. */
      addresses: z.array(z.string()),
      /** PEM, for programs on other machines that must trust it. */
      certificate: z.string(),
      /** SHA-256 of the certificate, as browsers show it. */
      fingerprint: z.string(),
      /** Made here, signed by itself. */
      selfSigned: z.boolean(),
      validUntil: z.iso.datetime(),
      /** Whole days until then; 0 on the last one, negative when it has ended. */
      daysLeft: z.number().int(),
    })
    .nullable(),
  /** Why it does not answer although it is on; null: it does, or the service does not run. */
  problem: problemShape.nullable(),
});
export type NetworkAccessState = z.infer<typeof networkAccessState>;

type Validity = Pick<NonNullable<NetworkAccessState['listener']>, 'daysLeft'>;

/** Whether it is time to see to another certificate. */
export function endsSoon({ daysLeft }: Validity): boolean {
  return daysLeft <= NETWORK_WARNING_DAYS;
}
