import { test } from 'node:test';
import assert from 'node:assert/strict';
import { apart, listed, moment } from './frame.ts';
import { ar, en } from './words.ts';

test('a time is in UTC, then on the clock of the installation where that differs', () => {
  const { TZ } = process.env;
  const at = new Date('2026-03-02T21:30:00.000Z');
  try {
    for (const [zone, said] of [
      ['UTC', '2026-03-02 21:30:00 UTC'],
      ['Asia/Riyadh', '2026-03-02 21:30:00 UTC (2026-03-03 00:30 +03:00)'],
      ['America/St_Johns', '2026-03-02 21:30:00 UTC (18:00 -03:30)'],
    ] as const) {
      process.env.TZ = zone;
      assert.equal(moment(at), `\u2068${said}\u2069`);
    }
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});

test('each line of a text keeps its direction, and ends no other', () => {
  assert.equal(apart('a\u2069\u202eb\nc'), '\u2068ab\u2069\n\u2068c\u2069');
});

test('values are separated by the comma of the language', () => {
  assert.deepEqual([listed(en, [1, 'b']), listed(ar, [1, 'b']), listed(ar, [])], ['1, b', '1، b', ar.no]);
});
