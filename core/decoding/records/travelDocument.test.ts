import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHolder } from './travelDocument.ts';
import { writeElement } from './tlv.ts';

/** Specimens of ICAO 9303, parts 4, 5 and 6. */
const PASSPORT = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<L898902C36UTO7408122F1204159ZE184226B<<<<<10';
const CARD = 'I<UTOD231458907<<<<<<<<<<<<<<<7408122F1204159UTO<<<<<<<<<<<6ERIKSSON<<ANNA<MARIA<<<<<<<<<<';
const LONG_NUMBER =
  'I<UTOD23145890<7349<<<<<<<<<<<3407127M9507122UTO<<<<<<<<<<<2STEVENSON<<PETER<JOHN<<<<<<<<<';
const SMALL = 'I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<D231458907UTO7408122F1204159<<<<<<<6';

const groupOf = (zone: string) => writeElement(0x61, writeElement(0x5f1f, Buffer.from(zone, 'latin1')));

test('the holder and the number of a document of each size are read', () => {
  const anna = { name: 'ANNA MARIA ERIKSSON', issuer: 'UTO' };
  assert.deepEqual(readHolder(groupOf(PASSPORT)), { ...anna, number: 'L898902C3' });
  assert.deepEqual(readHolder(groupOf(CARD)), { ...anna, number: 'D23145890' });
  assert.deepEqual(readHolder(groupOf(SMALL)), { ...anna, number: 'D23145890' });
  assert.equal(readHolder(groupOf(LONG_NUMBER)).number, 'D23145890734');
  const single = PASSPORT.replace('ERIKSSON<<ANNA<MARIA', 'ARKFREITHUR<<<<<<<<<');
  assert.equal(readHolder(groupOf(single)).name, 'ARKFREITHUR');
});

test('a misread number, none at all and another file are refused', () => {
  const unnumbered = PASSPORT.replace('L898902C36', '<<<<<<<<<0');
  assert.throws(() => readHolder(groupOf(unnumbered)), { name: 'CodedError' });
  assert.throws(() => readHolder(groupOf(PASSPORT.replace('L898902C36', 'L898902G36'))), /check digit/);
  for (const wrong of [
    groupOf(PASSPORT.slice(1)),
    writeElement(0x75, Buffer.from(PASSPORT)),
    Buffer.from('a'),
  ])
    assert.throws(() => readHolder(wrong), { name: 'CodedError' });
});
