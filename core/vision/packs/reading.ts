/** Reads packs from their folder. Nothing of a pack is run before its manifest and the hash of its net are right. */
import { hasSystemCode } from '../../contracts/errors/systemProblem.ts';
import { CodedError, problem, type Problem } from '../../contracts/errors/problem.ts';
import { problemShape } from '../../contracts/errors/problemShape.ts';
import { createHash } from 'node:crypto';
import { constants, existsSync, readdirSync, statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { trusted, type PipelineId } from '../../contracts/ids.ts';
import type { Calibration } from '../../domain/scores/scores.ts';
import { packManifest, type PackManifest } from './manifest.ts';

const MANIFEST = 'pipeline.json';
/** The folder's name is the pack's name. */
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** A manifest is a few kilobytes. The largest published recognition nets have about 0.5 GiB. */
const MAX_MANIFEST_BYTES = 2 ** 20;
const MAX_NET_BYTES = 2 ** 30;

/** A pack with a valid manifest and a matching network file. */
export interface Pack {
  name: string;
  id: PipelineId;
  manifest: PackManifest;
  calibration: Calibration;
  /** The ONNX file, as it was hashed. */
  net: Uint8Array;
}

/** @throws {CodedError} saying what is wrong with it */
export async function readPack(folder: string, name: string): Promise<Pack> {
  if (!NAME.test(name)) throw new CodedError(problem('PACK_NAME_INVALID'));
  const manifest = parseManifest(await read(join(folder, name), MANIFEST, MAX_MANIFEST_BYTES));
  const net = await read(join(folder, name), manifest.file, MAX_NET_BYTES);
  const found = createHash('sha256').update(net).digest('hex');
  if (found !== manifest.sha256)
    throw new CodedError(
      problem('PACK_NET_CHANGED', { file: manifest.file, found, expected: manifest.sha256 }),
    );
  return { name, id: pipelineIdOf(name, manifest), manifest, calibration: calibrationOf(manifest), net };
}

/** Every folder in `folder` as a pack, or with what is wrong with it; by name. */
export async function readPacks(
  folder: string,
): Promise<{ packs: Pack[]; refused: { name: string; reason: Problem }[] }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (hasSystemCode(error, 'ENOENT')) return [];
    throw error;
  });
  const packs: Pack[] = [];
  const refused: { name: string; reason: Problem }[] = [];
  for (const { name } of entries.filter((entry) => entry.isDirectory()).sort(byName)) {
    try {
      packs.push(await readPack(folder, name));
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      refused.push({ name, reason: error.problem });
    }
  }
  return { packs, refused };
}

/** Bytes of all nets in `folder`, whether they are in use or not. */
export function netBytes(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.onnx'))
    .reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** @throws {CodedError} the file is missing, no regular file, or too large; a pipe or a device is not waited for */
async function read(folder: string, file: string, most: number): Promise<Buffer> {
  // Windows has neither of the last two; an absent bit is none.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  const handle = await open(join(folder, file), flags).catch((cause: unknown) => {
    const missing = hasSystemCode(cause, 'ENOENT');
    throw new CodedError(problem(missing ? 'PACK_FILE_MISSING' : 'PACK_FILE_NOT_REGULAR', { file }), {
      cause,
    });
  });
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw new CodedError(problem('PACK_FILE_NOT_REGULAR', { file }));
    if (facts.size > most)
      throw new CodedError(problem('PACK_FILE_TOO_LARGE', { file, mebibytes: most / 2 ** 20 }));
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function parseManifest(bytes: Buffer): PackManifest {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new CodedError(problem('PACK_MANIFEST_NOT_JSON', { file: MANIFEST }), { cause });
  }
  const parsed = packManifest.safeParse(json);
  if (!parsed.success) throw new CodedError(manifestFault(parsed.error), { cause: parsed.error });
  return parsed.data;
}

/** A rule of the manifest that is broken, or the names of the entries at fault as they are nested in it. */
function manifestFault({ issues }: z.ZodError): Problem {
  const rules = issues.flatMap((issue) =>
    issue.code === 'custom' ? (problemShape.safeParse(issue.params).data ?? []) : [],
  );
  if (rules[0] !== undefined) return rules[0];
  const names = issues.map(({ path, ...issue }) =>
    issue.code === 'unrecognized_keys' ? [...path, ...issue.keys].join('.') : path.join('.'),
  );
  return problem('PACK_MANIFEST_INVALID', { file: MANIFEST, entries: [...new Set(names)].join(', ') });
}

/**
 * Named after everything that moves the templates, so that a pack whose net or alignment was changed is another
 * pipeline, and one whose title or calibration was corrected is still the same.
 */
function pipelineIdOf(name: string, manifest: PackManifest): PipelineId {
  const { sha256, input, alignment, views, output } = manifest;
  const moving = JSON.stringify({ sha256, input, alignment, views, output });
  return trusted.pipeline(`pack:${name}@${createHash('sha256').update(moving).digest('hex').slice(0, 16)}`);
}

/** Of unit vectors d² = 2 − 2 cos. */
function calibrationOf({ metric, calibration }: PackManifest): Calibration {
  return {
    points: calibration.map(({ fmr, threshold }) => ({
      fmr,
      distance: metric === 'euclidean' ? threshold : Math.sqrt(Math.max(0, 2 - 2 * threshold)),
    })),
  };
}
