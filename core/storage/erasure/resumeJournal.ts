/** The terminal's journals in the home: what they say of the erased is taken out. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { enrolmentStep, watchStep, type EnrolmentStep } from '../../contracts/journals.ts';
import type { ErasureReceipt } from '../../contracts/erasure.ts';
import { writeDurably } from '../engine/fsync.ts';
import { holdFile } from '../engine/home.ts';

export interface CleanedJournals {
  /** Answers and waiting files that were taken out. */
  lines: number;
  /** File names of journals that hold the person and could not be cleaned. */
  unreached: string[];
}

/** Cleans `enrolments/` and looks into `watching/`. What is in use by a command that runs is left to it, and named. */
export async function cleanJournals(home: string, { erased }: ErasureReceipt): Promise<CleanedJournals> {
  const result: CleanedJournals = { lines: 0, unreached: [] };
  for (const file of await journalsIn(join(home, 'enrolments'))) {
    const cleaned = withoutErased(await stepsOf(file), erased);
    if (cleaned.lines === 0) continue;
    const held = holdFile(`${file}.lock`);
    if (held === undefined) {
      result.unreached.push(basename(file));
      continue;
    }
    try {
      // Once more, now that no writer is left.
      const { steps, lines } = withoutErased(await stepsOf(file), erased);
      await writeDurably(file, steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
      result.lines += lines;
    } finally {
      held.release();
    }
  }
  for (const file of await journalsIn(join(home, 'watching')))
    if (await isWatching(file, erased)) result.unreached.push(basename(file));
  return result;
}

async function journalsIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  return (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

async function stepsOf(file: string): Promise<EnrolmentStep[]> {
  return (await wholeLines(file)).map((line) => enrolmentStep.parse(JSON.parse(line)));
}

/** A last line that a crash cut short is none. */
async function wholeLines(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8');
  return text.split('\n').slice(0, -1);
}

type Erased = ErasureReceipt['erased'];

/** The same journal without the erased, and with a line by which their photos are not sent again. */
function withoutErased(
  steps: readonly EnrolmentStep[],
  erased: Erased,
): { steps: EnrolmentStep[]; lines: number } {
  const gone = erasedPhotos(steps, erased);
  if (gone.size === 0) return { steps: [...steps], lines: 0 };
  const cleaned = steps.map((step): EnrolmentStep => {
    switch (step.kind) {
      case 'sending':
        // The order stays: it maps the images of the upload to the photos.
        return {
          ...step,
          files: step.files.map((file) => (gone.has(file.photo) ? { ...file, content: null } : file)),
        };
      case 'touched':
        return { ...step, files: step.files.filter(({ photo }) => !gone.has(photo)) };
      case 'answered':
        return { ...step, answers: step.answers.filter(({ photo }) => !gone.has(photo)) };
      default:
        return step;
    }
  });
  return { steps: [...cleaned, { kind: 'erased', photos: [...gone] }], lines: gone.size };
}

/** Leaves out the entries that an earlier erasure removed. */
function erasedPhotos(steps: readonly EnrolmentStep[], erased: Erased): Set<string> {
  const validations = new Set<number>(erased.validations.map(({ id }) => id));
  const photos = new Set(erased.photos.map(({ uploadId, index }) => `${uploadId}:${index}`));
  const uploads = new Set<string>(erased.photos.map(({ uploadId }) => uploadId));
  const known = new Set(steps.flatMap((step) => (step.kind === 'erased' ? step.photos : [])));
  const filesOf = new Map(steps.flatMap((step) => (step.kind === 'sending' ? [[step.key, step.files]] : [])));
  const found = steps.flatMap((step) => {
    if (step.kind === 'sent')
      return (filesOf.get(step.key) ?? [])
        .filter((_, index, { length }) =>
          // A sheet is sent alone: all photos of its upload are of it.
          length === 1 ? uploads.has(step.uploadId) : photos.has(`${step.uploadId}:${index}`),
        )
        .map(({ photo }) => photo);
    if (step.kind !== 'answered') return [];
    return step.answers
      .filter(({ trustValidationId: id }) => id !== null && validations.has(id))
      .map(({ photo }) => photo);
  });
  return new Set(found.filter((photo) => !known.has(photo)));
}

/** Its command runs, or will go on with the very upload: it forgets by itself when nothing is under way. */
async function isWatching(file: string, { photos }: Erased): Promise<boolean> {
  const uploads = new Set<string>(photos.map(({ uploadId }) => uploadId));
  const steps = (await wholeLines(file)).map((line) => watchStep.parse(JSON.parse(line)));
  return steps.some((step) => step.kind === 'sent' && uploads.has(step.uploadId));
}
