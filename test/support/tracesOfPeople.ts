/** People with bytes that stand nowhere by chance, and a search of a whole home for them. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { ScriptedVision } from './fakes.ts';
import { faceAlong, TEST_PIPELINE } from './site.ts';

const JPEG_START = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]);
export const DIMENSION = 128;

/** Bytes that follow from a word, and from nothing else. */
export function bytesOf(word: string, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${word} ${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

/** A unit vector that follows from a person's number. */
export function vectorOf(person: number): Float32Array {
  const bytes = bytesOf(`template ${person}`, DIMENSION);
  const vector = Float32Array.from(bytes, (byte) => byte - 127.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** A photo with `person N` and bytes of its own in it. */
export function photoWithTraces(person: number): Buffer {
  return Buffer.concat([JPEG_START, Buffer.from(`person ${person} `), bytesOf(`image ${person}`, 3000)]);
}

/** Sees the person of {@link photoWithTraces}, with a template and a thumbnail of their own. */
export function visionWithTraces(): ScriptedVision {
  return new ScriptedVision((image) => {
    const person = /person (\d+)/.exec(image)?.[1];
    if (person === undefined) return { kind: 'refused', code: 'NO_FACE' };
    return {
      kind: 'face',
      image: { width: 100, height: 100, format: 'jpeg' },
      face: {
        ...faceAlong(0, DIMENSION),
        template: { pipelineId: TEST_PIPELINE, vector: vectorOf(Number(person)) },
        thumbnail: Buffer.concat([JPEG_START, bytesOf(`thumbnail ${person}`, 900)]),
      },
    };
  }, DIMENSION);
}

/** The data that would reveal a person, by its kind, in parts that no length prefix or page splits. */
export function tracesOfPerson(person: number, names: readonly string[]): Map<string, Buffer> {
  const vector = vectorOf(person);
  return new Map([
    ['template', Buffer.from(vector.buffer, vector.byteOffset + 200, 24)],
    ['thumbnail', bytesOf(`thumbnail ${person}`, 900).subarray(400, 424)],
    ['image', bytesOf(`image ${person}`, 3000).subarray(1500, 1524)],
    ...names.map((name, index) => [`name ${index}`, Buffer.from(name)] as const),
  ]);
}

/**
 * Every file of a home as it lies there, its path, and its database in clear, page by page, unused space included:
 * by SQLite itself, which decrypts a copy in place.
 */
export function everyByte(home: string, scratch: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    found.set(`the name ${path}`, Buffer.from(path));
    if (entry.isFile()) found.set(path, readFileSync(path));
  }
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch);
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(join(home, `vouch.db${suffix}`)))
      cpSync(join(home, `vouch.db${suffix}`), join(scratch, `vouch.db${suffix}`));
  const key = readFileSync(join(home, 'store.key'), 'utf8').trim();
  const copy = new Sqlite(join(scratch, 'vouch.db'));
  copy.pragma(`cipher='chacha20'`);
  copy.pragma(`key="x'${key}'"`);
  copy.pragma('journal_mode=DELETE');
  copy.pragma(`rekey=''`);
  copy.close();
  found.set('the database in clear', readFileSync(join(scratch, 'vouch.db')));
  return found;
}

/** @returns what of the traces stands where */
export function standing(where: ReadonlyMap<string, Buffer>, traces: ReadonlyMap<string, Buffer>): string[] {
  return [...where].flatMap(([place, content]) =>
    [...traces].filter(([, bytes]) => content.includes(bytes)).map(([kind]) => `${kind} in ${place}`),
  );
}
