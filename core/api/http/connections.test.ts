import { test } from 'node:test';
import assert from 'node:assert/strict';
import { networkOf } from './connections.ts';

test('an IPv4 address is its own network, an IPv6 address belongs to its first 64 bits', () => {
  for (const [address, network] of [
    ['192.168.1.20', '192.168.1.20'],
    ['::ffff:192.168.1.20', '192.168.1.20'],
    ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    [undefined, ''],
  ] as const)
    assert.equal(networkOf(address), network, address);
});
