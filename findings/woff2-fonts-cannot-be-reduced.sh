#!/bin/bash
# fontkit reads a WOFF2 font well and fails to cut a subset out of it; the WOFF of the same font works.
# A letter that is composed of others (é of e and an accent) is drawn from a WOFF2 file without complaint. A subset, as
# every PDF embeds one, refers to the parts by places in a table that WOFF2 stores in another form.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --ignore-scripts --no-audit --no-fund --omit=optional fontkit@2.0.4 @fontsource/noto-sans@5.3.0
cat >test.mjs <<'END'
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { create } from 'fontkit';
const version = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
console.log(`fontkit ${version('fontkit')}, Noto Sans ${version('@fontsource/noto-sans')}`);
const outcomes = ['woff', 'woff2'].map((form) => {
  const font = create(readFileSync(`node_modules/@fontsource/noto-sans/files/noto-sans-latin-400-normal.${form}`));
  const letter = font.glyphForCodePoint(0xe9);
  const curves = letter.path.commands.length;
  const subset = font.createSubset();
  subset.includeGlyph(letter.id);
  let outcome;
  try {
    outcome = `${create(Buffer.from(subset.encode())).getGlyph(1).path.commands.length} path commands`;
  } catch (error) {
    outcome = `${error.name}: ${error.message}`;
  }
  console.log(`${form}: é has ${curves} path commands; in a subset: ${outcome}`);
  return { curves, outcome };
});
const [woff, woff2] = outcomes;
assert.equal(woff.curves, woff2.curves);
assert.equal(woff.outcome, `${woff.curves} path commands`);
assert.match(woff2.outcome, /RangeError/);
END
node test.mjs
