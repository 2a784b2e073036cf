#!/bin/bash
# fontkit raises an error for ordinary vocalised names in Noto Sans Arabic.
# A font may leave the anchor of a mark empty; fontkit reads its coordinates all the
# same. The name Yusuf in the genitive (final feh with kasra) is such a text. A report about such a person needs another
# font or a layout without features.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --ignore-scripts --no-audit --no-fund --omit=optional fontkit@2.0.4 @fontsource/noto-sans-arabic@5.3.0 @fontsource/amiri@5.3.0 @fontsource/ibm-plex-sans-arabic@5.3.0
cat >test.mjs <<'END'
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { create } from 'fontkit';
const version = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
const open = (name) => create(readFileSync(`node_modules/@fontsource/${name}-400-normal.woff`));
const fonts = ['noto-sans-arabic', 'ibm-plex-sans-arabic', 'amiri'].map((name) => [name, open(`${name}/files/${name}-arabic`)]);
const outcome = (font, text) => {
  try {
    font.layout(text);
    return 'laid out';
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
console.log(`fontkit ${version('fontkit')}`);
for (const [name, font] of fonts) {
  for (const text of ['يوسف', 'يُوسُفِ']) console.log(`${name}: ${text}: ${outcome(font, text)}`);
  assert.equal(outcome(font, 'يوسف'), 'laid out');
  assert.equal(outcome(font, 'يُوسُفِ') === 'laid out', name !== 'noto-sans-arabic');
}
END
node test.mjs
