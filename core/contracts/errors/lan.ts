import type { ErrorEntry } from './entry.ts';

/** Why the service does not listen to other machines as asked. */
export const LAN_ERRORS = {
  LAN_CERTIFICATE_UNREADABLE: {
    text: 'The certificate cannot be read: give a PEM file that begins with -----BEGIN CERTIFICATE-----, the certificate of this machine first.',
  },
  LAN_KEY_UNREADABLE: {
    text: 'The private key cannot be read: give a PEM file without a passphrase (openssl pkey -in KEY -out PLAIN takes it away).',
  },
  LAN_KEY_FOREIGN: {
    text: 'The private key is not that of the certificate. Give the pair that belongs together.',
  },
  LAN_CERTIFICATE_NAMES: {
    text: 'The certificate is not for {{missing}}; it is for {{names}}. Name what it is for, or get one for these names.',
  },
  LAN_CERTIFICATE_EXPIRED: {
    text: 'The certificate is valid from {{from}} to {{to}}, not now. Check the clock of this machine, or get another certificate.',
  },
  LAN_OFF: { text: 'No other machine is let in. Turn it on with: vouch network enable NAME' },
  LAN_CERTIFICATE_OF_SITE: {
    text: "The certificate is of the site's own authority. Get another there, and give it with: vouch network enable {{names}} --certificate FILE --key FILE",
  },
  LAN_PORT_TAKEN: {
    text: 'Port {{port}} is taken by another program. Choose another port, or end that program.',
  },
  LAN_ADDRESS_FOREIGN: {
    text: '{{address}} is no address of this machine. Give one that it has (ip address), or 0.0.0.0 for all.',
  },
  LAN_PORT_FORBIDDEN: {
    text: 'The service may not listen on port {{port}}: those below 1024 are for the system. Choose a higher one, such as 4611.',
  },
  LAN_NOT_LISTENING: {
    text: 'This machine does not let the service listen at {{address}}, port {{port}}: {{cause}}.',
  },
  LAN_NOT_RESTORED: {
    text: '{{reason}} The earlier settings could not be restored either: {{again}} Network access is off now; turn it on again after fixing this.',
  },
} as const satisfies Record<string, ErrorEntry>;
