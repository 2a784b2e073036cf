#!/bin/bash
# A Thai name with the vowel am leaves a control character in the text of a PDF by pdfkit.
# The vowel am is drawn as two glyphs. fontkit gives the second one no code point, pdfkit writes an empty text for it, and
# pdf.js reads an empty text as the number of the glyph: a control character that no field of the name had.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --ignore-scripts --no-audit --no-fund --omit=optional pdfkit@0.20.2 pdfjs-dist@4.10.38 @fontsource/noto-sans-thai@5.3.0
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
const font = 'noto-sans-thai/files/noto-sans-thai-thai';
const codes = (text) => Array.from(text, (letter) => `U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`).join(' ');
for (const [name, holds] of [
  ['สมชาย', false],
  ['กำธร', true],
]) {
  const [read] = await extracted(font, [name]);
  console.log(`${name} (${codes(name)}) is read as ${codes(read)}`);
  assert.equal(/[\x00-\x1f]/.test(read), holds);
  assert.equal(read.replaceAll(/[\x00-\x1f]/g, ''), name);
}
END
node test.mjs
