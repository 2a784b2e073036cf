import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameKey } from '../../contracts/displayName.ts';

const SAME: [string, string][] = [
  ['Shoplifters', 'SHOPLIFTERS'],
  ['Caf\u00e9', 'Cafe\u0301'],
  ['Straße', 'STRASSE'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['VIP list', '  VIP \u00a0 list '],
  ['VIP list', 'VIP\tlist'],
  ['ＶＩＰ', 'vip'],
  ['VIP', 'V\u200bI\u00adP'],
];

for (const [a, b] of SAME)
  test(`${JSON.stringify(a)} and ${JSON.stringify(b)} are the same name`, () => {
    assert.equal(nameKey(a), nameKey(b));
  });

test('names that read differently stay different', () => {
  const names = ['VIP', 'VIP 2', 'V I P', 'Ölberg', 'Olberg', 'list-1', 'list_1'];
  assert.equal(new Set(names.map(nameKey)).size, names.length);
});
