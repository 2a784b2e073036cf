#!/bin/bash
# fontkit lays out Arabic-Indic and Persian numbers from right to left.
# Digits of every script are written from left to right, the highest first (UAX #9, class AN or EN). fontkit takes the
# direction from the script of the text, so 123 in Arabic-Indic digits is drawn as 321. A PDF with a file number or a
# telephone number then shows another number, while its text layer looks right. The fifth argument of layout mends it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --ignore-scripts --no-audit --no-fund --omit=optional fontkit@2.0.4 @fontsource/noto-sans-arabic@5.3.0 @fontsource/amiri@5.3.0 @fontsource/noto-sans@5.3.0
cat >test.mjs <<'END'
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { create } from 'fontkit';
const version = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
const open = (name) => create(readFileSync(`node_modules/@fontsource/${name}-400-normal.woff`));
const drawn = (font, text, ...direction) =>
  font
    .layout(text, undefined, undefined, undefined, ...direction)
    .glyphs.map(({ codePoints }) => String.fromCodePoint(...codePoints))
    .join('');
console.log(`fontkit ${version('fontkit')}`);
for (const name of ['noto-sans-arabic/files/noto-sans-arabic-arabic', 'amiri/files/amiri-arabic'])
  for (const number of ['١٢٣', '۱۲۳']) {
    const font = open(name);
    const [itself, told] = [drawn(font, number), drawn(font, number, 'ltr')];
    console.log(`${name}: ${Array.from(number)} is drawn from left to right as ${Array.from(itself)}; told “ltr”: ${Array.from(told)}`);
    assert.equal(itself, Array.from(number).reverse().join(''));
    assert.equal(told, number);
  }
assert.equal(drawn(open('noto-sans/files/noto-sans-latin'), '123'), '123');
END
node test.mjs
