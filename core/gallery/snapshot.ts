import { createHash } from 'node:crypto';
import type { CompanyId, FaceId, PipelineId } from '../contracts/ids.ts';
import type { FaceRange } from '../domain/ports/gallery.ts';
import type { CodedRows } from './codeColumns.ts';
import { watchlistNumber, type CompanyRows } from './companyRows.ts';
import { BLOCK_TERMS } from './layout.ts';
import { allocateScale, type ScaleParts, type Shape } from './quantiser.ts';

/**
 * The company and the range that a snapshot must have. One of another company or range is refused like a damaged one.
 */
export interface SnapshotSubject extends FaceRange {
  company: CompanyId;
  pipeline: PipelineId;
}

interface Header extends SnapshotSubject {
  /** Another version of this program may have written another one, under a valid checksum. */
  format: string;
  rows: number;
  dimensions: number;
  primaryLength: number;
}

const FORMAT = 'gallery-snapshot-4';
/** The checksum, and before it the length of the header. */
const HASH_BYTES = 32;
const LENGTH_BYTES = 8;

/** Rows that are copied between two pauses. */
const PAUSE = 64;

/** Codes of the company's faces in the range; undefined when one of `faces` is not (or no longer) in the gallery. It pauses often. */
export function* takeRows(
  rows: CompanyRows,
  shape: Shape,
  faces: readonly FaceId[],
): Generator<void, CodedRows | undefined> {
  const columns = allocateRows(shape, faces.length);
  for (const [i, face] of faces.entries()) {
    const at = rows.locate(face);
    const coded = at?.segment.coding(at.row);
    if (at === undefined || coded === undefined) return undefined;
    columns.faces[i] = face;
    columns.watchlists[i] = watchlistNumber(at.watchlist);
    columns.norms[i] = coded.norm;
    columns.offAxes[i] = coded.offAxes;
    columns.errors.set(coded.errors, i * BLOCK_TERMS);
    columns.primary.set(coded.primary, i * shape.primaryBytes);
    columns.residual.set(coded.residual, i * shape.residualBytes);
    if (i % PAUSE === 0) yield;
  }
  return columns;
}

/** Header, scale and columns one after the other, and a SHA-256 of all of it at the end. */
export function encodeSnapshot(
  subject: SnapshotSubject,
  shape: Shape,
  scale: ScaleParts,
  rows: CodedRows,
): Uint8Array {
  const { company, pipeline, after, upTo } = subject;
  const { dimensions, primaryLength } = shape;
  const header: Header = {
    format: FORMAT,
    company,
    pipeline,
    after,
    upTo,
    rows: rows.faces.length,
    dimensions,
    primaryLength,
  };
  const text = Buffer.from(JSON.stringify(header));
  const padded = Buffer.alloc(Math.ceil(text.length / 8) * 8, ' ');
  text.copy(padded);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(padded.length);
  const parts = [length, padded, ...[...scaleColumns(scale), ...columnsOf(rows)].map(bytesOf)];
  return Buffer.concat([...parts, checksum(...parts)]);
}

/**
 * @param shape the gallery's, if it has one already; a snapshot of another shape is refused.
 * @returns undefined for what is damaged, or is not of this subject.
 */
export function decodeSnapshot(
  content: Uint8Array,
  subject: SnapshotSubject,
  shapeFor: (dimensions: number, primaryLength: number) => Shape | undefined,
): { shape: Shape; scale: ScaleParts; rows: CodedRows } | undefined {
  if (content.length < LENGTH_BYTES + HASH_BYTES) return undefined;
  const body = content.subarray(0, content.length - HASH_BYTES);
  if (!checksum(body).equals(content.subarray(body.length))) return undefined;
  const headerBytes = Buffer.from(body.buffer, body.byteOffset).readUInt32LE();
  const start = LENGTH_BYTES + headerBytes;
  const header = JSON.parse(Buffer.from(body.subarray(LENGTH_BYTES, start)).toString()) as Header;
  const shape = isOf(header, subject) ? shapeFor(header.dimensions, header.primaryLength) : undefined;
  if (shape === undefined) return undefined;
  const scale = allocateScale(shape);
  const rows = allocateRows(shape, header.rows);
  let at = start;
  for (const column of [...scaleColumns(scale), ...columnsOf(rows)]) {
    const bytes = bytesOf(column);
    bytes.set(body.subarray(at, at + bytes.length));
    at += bytes.length;
  }
  return { shape, scale, rows };
}

export function sameScale(a: ScaleParts, b: ScaleParts): boolean {
  const others = scaleColumns(b);
  return scaleColumns(a).every((column, i) => bytesOf(column).equals(bytesOf(others[i]!)));
}

function isOf(header: Header, { company, pipeline, after, upTo }: SnapshotSubject): boolean {
  return (
    header.format === FORMAT &&
    header.company === company &&
    header.pipeline === pipeline &&
    header.after === after &&
    header.upTo === upTo
  );
}

function allocateRows(shape: Shape, rows: number): CodedRows {
  return {
    faces: new Float64Array(rows),
    watchlists: new Float64Array(rows),
    norms: new Float32Array(rows),
    offAxes: new Float32Array(rows),
    errors: new Float32Array(rows * BLOCK_TERMS),
    primary: new Uint8Array(rows * shape.primaryBytes),
    residual: new Uint8Array(rows * shape.residualBytes),
  };
}

/** In the order in which they are written. */
function scaleColumns({ centre, primaryStep, residualStep, axes }: ScaleParts): Float32Array[] {
  return [centre, primaryStep, residualStep, axes];
}

/** In the order in which they are written. */
function columnsOf(rows: CodedRows) {
  const { faces, watchlists, norms, offAxes, errors, primary, residual } = rows;
  return [faces, watchlists, norms, offAxes, errors, primary, residual];
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Float64Array | Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function checksum(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
