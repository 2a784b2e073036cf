import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { create } from 'fontkit';
import { fontBytes, fontFiles, unpackWoff } from './fonts.ts';

/** A letter of each script. */
const EVERY_SCRIPT = 'aاאअঅஅกአაԱ';
const SAMPLE = 'Aéб΄ừ؟محمد 0';

test('an unpacked font has the letters and widths of its file, and is unpacked once', () => {
  for (const { name, path } of [...fontFiles('regular', EVERY_SCRIPT), ...fontFiles('bold', EVERY_SCRIPT)]) {
    const [packed, unpacked] = [create(readFileSync(path)), create(fontBytes(path))];
    assert.ok('layout' in packed && 'layout' in unpacked, name);
    assert.equal(unpacked.numGlyphs, packed.numGlyphs, name);
    assert.deepEqual(
      unpacked.layout(SAMPLE).positions.map(({ xAdvance }) => xAdvance),
      packed.layout(SAMPLE).positions.map(({ xAdvance }) => xAdvance),
      name,
    );
    assert.notEqual(fontBytes(path).toString('latin1', 0, 4), 'wOFF', name);
    assert.equal(fontBytes(path), fontBytes(path), name);
  }
});

test('a file that is no WOFF font is refused', () => {
  assert.throws(() => unpackWoff(Buffer.from('\0\x01\0\0 an sfnt')), /no WOFF/);
});
