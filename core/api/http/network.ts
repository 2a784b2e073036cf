import { isIPv6 } from 'node:net';

/** Groups of an IPv6 address that name its network: the rest of them is the host's own choice. */
const NETWORK_GROUPS = 4;

/**
 * The part of an address that one caller cannot change at will: an IPv4 address, or the first 64 bits of an IPv6 address.
 * @param address as the socket has it; undefined when it is closed already
 */
export function networkOf(address: string | undefined): string {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [front = '', back = ''] = plain.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const missing = 8 - groups(front).length - groups(back).length;
  const all = plain.includes('::')
    ? [...groups(front), ...Array.from({ length: missing }, () => '0'), ...groups(back)]
    : groups(plain);
  return all
    .slice(0, NETWORK_GROUPS)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}
