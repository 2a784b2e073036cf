#!/bin/bash
# In a PDF by pdfkit the text of an Arabic word depends on the letters that stand before it.
# Noto Sans Arabic draws several letters from one dotless shape and separate dots. pdfkit gives each glyph the text for
# which it was used first. The word is drawn right; searching, copying and screen readers meet another name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --ignore-scripts --no-audit --no-fund --omit=optional pdfkit@0.20.2 pdfjs-dist@4.10.38 @fontsource/noto-sans-arabic@5.3.0 @fontsource/amiri@5.3.0
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
console.log(`pdfkit ${version('pdfkit')}, Noto Sans Arabic ${version('@fontsource/noto-sans-arabic')}`);
const noto = 'noto-sans-arabic/files/noto-sans-arabic-arabic';
const name = 'محمد';
const alone = (await extracted(noto, [name])).at(-1);
const after = (await extracted(noto, ['خ', 'ذ', name])).at(-1);
const inAmiri = (await extracted('amiri/files/amiri-arabic', ['خ', 'ذ', name])).at(-1);
console.log(`${name} alone is read as ${alone}; after the letters خ and ذ as ${after}; in Amiri as ${inAmiri}`);
assert.equal(alone, name);
assert.equal(after, 'مخمذ');
assert.equal(inAmiri, name);
END
node test.mjs
