#!/bin/bash
# Readers turn the letters of an Arabic ligature round: the commonest word for “now” is read as another one.
# A font may draw lam and alef, or yeh and zain, as one glyph. A PDF gives that glyph its letters in the order of the text.
# Readers turn the glyphs of an Arabic line round, and with them the letters in each glyph. The word is drawn right, and is
# read right from a font that draws the two letters as two glyphs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --ignore-scripts --no-audit --no-fund --omit=optional pdfkit@0.20.2 pdfjs-dist@4.10.38 @fontsource/ibm-plex-sans-arabic@5.3.0 @fontsource/amiri@5.3.0
cat >test.mjs <<'END'
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
const version = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
/** Draws each text on a line of its own with pdfkit, and reads the page with pdf.js. */
async function extracted(font, texts) {
  const pdf = new PDFDocument();
  const chunks = [];
  pdf.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise((resolve) => pdf.on('end', resolve));
  pdf.font(`node_modules/@fontsource/${font}-400-normal.woff`).fontSize(20);
  for (const text of texts) pdf.text(text);
  pdf.end();
  await ended;
  const data = new Uint8Array(Buffer.concat(chunks));
  const read = await getDocument({ data, verbosity: 0 }).promise;
  const { items } = await (await read.getPage(1)).getTextContent();
  const lines = new Map();
  for (const { str, transform } of items)
    if (str.trim() !== '') lines.set(transform[5], (lines.get(transform[5]) ?? '') + str);
  return [...lines.values()];
}
console.log(`pdfkit ${version('pdfkit')}, pdf.js ${version('pdfjs-dist')}`);
for (const [word, expected] of [
  ['الآن', 'اآلن'],
  ['چنگیز', 'چنگزی'],
  ['محمد', 'محمد'],
]) {
  const [ligature] = await extracted('ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic', [word]);
  const [letters] = await extracted('amiri/files/amiri-arabic', [word]);
  console.log(`${word} is read as ${ligature} from IBM Plex Sans Arabic, and as ${letters} from Amiri`);
  assert.equal(ligature, expected);
  assert.equal(letters, word);
}
END
node test.mjs
