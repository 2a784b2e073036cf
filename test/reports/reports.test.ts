import { test } from 'node:test';
import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { SearchReport, SignatureReport } from '../../core/domain/reports.ts';
import { pdfReports } from '../../core/reports/index.ts';
import { ar, en } from '../../core/reports/words.ts';

const chip = new Uint8Array(
  await sharp({ create: { width: 160, height: 160, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer(),
);
const frame = {
  company: 'Harbour Registry',
  operator: 'Maren Holt',
  made: new Date('2026-03-02T06:00:00.000Z'),
  version: '0.1.0',
};
const reading = {
  score: 87.9,
  band: 'strong' as const,
  possibleFrom: 70,
  strongFrom: 85,
  oneIn: 1234,
  beyondMeasured: false,
  gallerySize: 100_000,
};

function searchReport(part: Partial<SearchReport> = {}): SearchReport {
  const candidate = {
    name: 'محمد عبد الله',
    list: 'Refused entry 2025',
    id: 5121,
    reading,
    sha256: 'a7'.repeat(32),
    chip,
  };
  return {
    ...frame,
    language: 'en',
    probe: {
      fileName: 'Dvořák (copy) محمد 2.jpg',
      sha256: '3c'.repeat(32),
      width: 600,
      height: 760,
      quality: 81,
      chip,
      face: 1,
      faces: 2,
    },
    pipelineId: 'vouch-face-1',
    watchlists: [
      { name: null, faces: 100_000 },
      { name: 'Refused entry 2025', faces: 50_000 },
    ],
    targetFmr: 1e-4,
    possibleFrom: 70,
    strongFrom: 85,
    candidates: [candidate, { ...candidate, name: 'Jonas Brandt', list: null, id: 239_979 }],
    chosen: candidate,
    ...part,
  };
}

function signatureReport(part: Partial<SignatureReport> = {}): SignatureReport {
  return {
    ...frame,
    language: 'en',
    record: {
      id: 7,
      templateId: 'accounts',
      verificationId: 'case-1',
      credential: 'operator:1',
      at: frame.made,
      similarity: 58.2,
      verdict: 'POSSIBLE_MATCH',
      reasons: {},
      thresholds: { match: 70, possibleMatch: 40 },
      modelVersion: 'signature-1',
      sha256: { image1: 'a7'.repeat(32), image2: '3c'.repeat(32) },
    },
    comparedBy: 'Maren Holt',
    pictures: {},
    ...part,
  };
}

/** What each font says its glyphs stand for: the letters that a reader can find and copy. */
function lettersOf(pdf: Uint8Array): string {
  const file = Buffer.from(pdf);
  let letters = '';
  for (let at = file.indexOf('stream\n'); at >= 0; at = file.indexOf('stream\n', at + 1)) {
    const end = file.indexOf('endstream', at);
    let text: string;
    try {
      text = inflateSync(file.subarray(at + 7, end)).toString('latin1');
    } catch {
      continue;
    }
    if (!text.includes('beginbfrange')) continue;
    for (const [, hex] of text.matchAll(/<([0-9a-f]{4,})>/gi))
      letters += Buffer.from(hex ?? '', 'hex')
        .swap16()
        .toString('utf16le');
  }
  return letters;
}

test('a search report is a PDF with embedded letters for Latin and Arabic names', async () => {
  const pdf = await pdfReports.search(searchReport());
  assert.equal(Buffer.from(pdf.subarray(0, 5)).toString(), '%PDF-');
  const letters = lettersOf(pdf);
  for (const letter of 'Dvřákمحعبد') assert.ok(letters.includes(letter), `no ${letter}`);
  assert.match(Buffer.from(pdf).toString('latin1'), /\/FontFile2/);
});

test('reports are made in Arabic, without a match, without pictures, and with many candidates', async () => {
  const one = searchReport().candidates[0]!;
  const many = Array.from({ length: 20 }, (_, n) => ({ ...one, id: n }));
  for (const report of [
    searchReport({ language: 'ar' }),
    searchReport({ candidates: [], chosen: null }),
    searchReport({ candidates: many }),
  ])
    assert.ok((await pdfReports.search(report)).length > 5_000);
  const { record } = signatureReport();
  const blank = {
    ...record,
    similarity: null,
    verdict: 'INCONCLUSIVE' as const,
    reasons: { image2: 'BLANK' as const },
  };
  for (const report of [signatureReport(), signatureReport({ language: 'ar', record: blank })])
    assert.ok((await pdfReports.signatures(report)).length > 5_000);
});

test('no report says that a signature is forged or that a person is identified', () => {
  const said = JSON.stringify([ar, en]);
  assert.doesNotMatch(said, /forged|forgery|identified|identity confirmed|مزور/i);
  assert.match(en.decides, /A person decides/);
});
