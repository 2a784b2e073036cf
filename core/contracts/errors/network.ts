/** Why the service does not listen to other machines as asked. */
import type { ErrorEntry } from './api.ts';
export const NETWORK_ERRORS = {
  NETWORK_CERTIFICATE_UNREADABLE: {
    text: 'The certificate is not readable. Use a PEM file that starts with -----BEGIN CERTIFICATE----- and has the certificate of this machine first.',
  },
  NETWORK_KEY_UNREADABLE: {
    text: 'The private key is not readable. Use a PEM file without a passphrase (openssl pkey -in KEY -out PLAIN removes it).',
  },
  NETWORK_KEY_FOREIGN: {
    text: 'The private key does not belong to the certificate. Use a matching pair.',
  },
  NETWORK_CERTIFICATE_NAMES: {
    text: 'The certificate does not cover {{missing}}. It covers {{names}}. Use these names, or get a certificate for the missing ones.',
  },
  NETWORK_CERTIFICATE_EXPIRED: {
    text: 'The certificate is valid from {{from}} to {{to}}, not now. Check the clock of this machine, or get another certificate.',
  },
  NETWORK_OFF: { text: 'Network access is off. Turn it on with: vouch network enable NAME' },
  NETWORK_CERTIFICATE_OF_SITE: {
    text: 'The certificate was issued by your own certificate authority. Get a new one there, and use it with: vouch network enable {{names}} --certificate FILE --key FILE',
  },
  NETWORK_PORT_TAKEN: {
    text: 'Another program uses port {{port}}. Choose another port, or stop that program.',
  },
  NETWORK_ADDRESS_FOREIGN: {
    text: '{{address}} is not an address of this machine. Use one of its addresses (ip address), or 0.0.0.0 for all.',
  },
  NETWORK_PORT_FORBIDDEN: {
    text: 'The service has no permission to listen on port {{port}}. Ports below 1024 are reserved for the system. Choose a higher port, such as 4611.',
  },
  NETWORK_NOT_LISTENING: {
    text: 'The service cannot listen at {{address}}, port {{port}}. {{cause}}',
  },
  NETWORK_NOT_RESTORED: {
    text: '{{cause}} Restoring the earlier settings also failed: {{again}} Network access is off now. Turn it on again after fixing this.',
  },
} as const satisfies Record<string, ErrorEntry>;
