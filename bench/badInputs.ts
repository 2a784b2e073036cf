/** Compares the outcome of every file in faces/bad_inputs with the outcome that its manifest asks for. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExtractedFace } from '../core/contracts/faces.ts';
import type { FailureCode } from '../core/contracts/errors/failures.ts';
import { qualityThresholds } from '../core/contracts/settings.ts';
import { createVision } from '../core/vision/pool/vision.ts';
import { dataPath } from './data.ts';
import { publish, table } from './report.ts';
import { sniffImageFormat } from '../core/domain/values/bytes.ts';

/** The outcome of a file for the caller; `FILE_TYPE` is the 422 on `images.N`, sent before any file is queued. */
type Outcome = { code: FailureCode | 'FILE_TYPE' } | { code: 'ENROLLED'; face: ExtractedFace };

/** A copy must score this much less than the photo that it was derived from to count as flagged. */
const VISIBLY_LOWER = 10;
/** Distance up to which two templates are the same photo. */
const SAME_PHOTO = 0.1;

interface Entry {
  file: string;
  expected: string;
}

const REJECTIONS: Record<string, readonly Outcome['code'][]> = {
  'reject:no_face': ['NO_FACE'],
  'reject:several_faces': ['MULTIPLE_FACES'],
  'reject:decode': ['CORRUPT_IMAGE', 'FILE_TYPE'],
  'reject:format': ['FILE_TYPE'],
  'reject:animated': ['FILE_TYPE'],
  'reject:too_large': ['IMAGE_TOO_LARGE'],
  'reject:too_small': ['FACE_TOO_SMALL'],
  'reject:blurry': ['LOW_SHARPNESS'],
  'accept_or_reject:sniff': ['FILE_TYPE'],
  sniff: ['FILE_TYPE'],
  see: ['NO_FACE'],
};

/** "accept" asks that the file is read; in these no face is large enough to be enrolled. */
const WITHOUT_USABLE_FACE: Record<string, Outcome['code']> = {
  'cmyk_profile.jpg': 'FACE_TOO_SMALL',
  'png16.png': 'NO_FACE',
  'gainmap.jpg': 'NO_FACE',
};

function isAsExpected({ file, expected }: Entry, outcome: Outcome, original: ExtractedFace): boolean {
  const codes = REJECTIONS[expected];
  if (codes !== undefined) return codes.includes(outcome.code);
  // The contract takes JPEG and PNG only.
  if (file === 'face.avif') return outcome.code === 'FILE_TYPE';
  const without = WITHOUT_USABLE_FACE[file];
  if (without !== undefined) return outcome.code === without;
  if (outcome.code !== 'ENROLLED') return !expected.startsWith('accept');
  if (expected.includes('must equal')) return distance(outcome.face, original) < SAME_PHOTO;
  return (
    expected.startsWith('accept') ||
    expected === 'try rotations or reject' ||
    isFlagged(outcome.face, original)
  );
}

function isFlagged(face: ExtractedFace, original: ExtractedFace): boolean {
  return face.quality.score <= original.quality.score - VISIBLY_LOWER;
}

function distance(p: ExtractedFace, q: ExtractedFace): number {
  return Math.sqrt(
    p.template.vector.reduce((sum, value, i) => sum + (value - q.template.vector[i]!) ** 2, 0),
  );
}

async function readManifest(folder: string): Promise<Entry[]> {
  const [, ...lines] = (await readFile(join(folder, 'manifest.csv'), 'utf8')).trim().split(/\r?\n/);
  return lines.map((line) => {
    // Of the three columns only the middle one is ever quoted.
    const file = line.slice(0, line.indexOf(','));
    const expected = line.slice(line.lastIndexOf(',') + 1);
    return { file, expected };
  });
}

const folder = dataPath('faces', 'bad_inputs');
const vision = await createVision({ modelsFolder: join(import.meta.dirname, '../models') });
await vision.start();
const gate = qualityThresholds.parse({});

async function outcomeOf(file: string): Promise<Outcome> {
  const bytes = await readFile(join(folder, file));
  if (sniffImageFormat(bytes) === undefined) return { code: 'FILE_TYPE' };
  const analysis = await vision.enrol(bytes, { gate, priority: 'bulk' });
  return analysis.kind === 'face' ? { code: 'ENROLLED', face: analysis.face } : { code: analysis.code };
}

try {
  const original = await outcomeOf('face_exif1.jpg');
  if (original.code !== 'ENROLLED') throw new Error(`the reference photo was refused: ${original.code}`);
  const entries = await readManifest(folder);
  let right = 0;
  const rows: string[][] = [];
  for (const entry of entries) {
    const outcome = await outcomeOf(entry.file);
    const ok = isAsExpected(entry, outcome, original.face);
    if (ok) right++;
    const score = outcome.code === 'ENROLLED' ? String(outcome.face.quality.score) : '';
    rows.push([entry.file, entry.expected, outcome.code, score, ok ? 'yes' : 'NO']);
  }
  const list = table(['file', 'expected', 'got', 'score', 'as expected'], rows);
  console.log(list);
  console.log(`${right} of ${entries.length} as expected`);
  publish({
    name: 'badInputs',
    title: 'Hostile, damaged and unusable files',
    body: `${right} of ${entries.length} files end as their manifest asks.\n\n${list}`,
    peers: ['sharp', 'onnxruntime-node'],
  });
} finally {
  await vision.close();
}
