#!/bin/bash
# A Devanagari name in a PDF by pdfkit cannot be found: its text is in the order of the drawing.
# The vowel sign i is written after its consonant and drawn before it; the sign of r before a consonant is drawn after it.
# pdfkit writes the text of each glyph in the order of the glyphs, so that kiran is read as i-k-ran. The page looks right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --ignore-scripts --no-audit --no-fund --omit=optional pdfkit@0.20.2 pdfjs-dist@4.10.38 @fontsource/noto-sans-devanagari@5.3.0
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
console.log(`pdfkit ${version('pdfkit')}`);
const font = 'noto-sans-devanagari/files/noto-sans-devanagari-devanagari';
for (const [name, expected] of [
  ['राम', 'राम'],
  ['किरण', 'िकरण'],
  ['नितिन', 'िनितन'],
  ['कर्म', 'कमर्'],
]) {
  const [read] = await extracted(font, [name]);
  console.log(`${name} is read as ${Array.from(read).join(' ')}`);
  assert.equal(read, expected);
}
END
node test.mjs
