/** The compiled loops over pixels, and the memory in which they work: the part of a raster that they need is copied in. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { instantiateOver } from '../platform/webAssembly.ts';
import type { Similarity } from './geometry.ts';
import { createRaster, RasterTooLong, type Raster } from './raster.ts';

interface Kernel {
  resample(
    ...job: [
      source: number,
      stride: number,
      minX: number,
      minY: number,
      maxX: number,
      maxY: number,
      a: number,
      b: number,
      tx: number,
      ty: number,
      taps: number,
      target: number,
      width: number,
      height: number,
      blackOutside: boolean,
    ]
  ): void;
  halve(source: number, stride: number, target: number, width: number, height: number): void;
}

const memory = new WebAssembly.Memory({ initial: 1 });
const kernel = instantiate();

function instantiate(): Kernel {
  const module = new WebAssembly.Module(
    new Uint8Array(readFileSync(join(import.meta.dirname, 'kernel', 'sampling.wasm'))),
  );
  return instantiateOver(module, memory, ['resample', 'halve']);
}

const PAGE = 65_536;
/** The loops read and write whole words: this many bytes may be touched behind a raster. */
const SLACK = 32;
/** Where the source begins; the low addresses stay free, so that an address of 0 is a mistake. */
const SOURCE = 64;

/** Positions in the loops have 16 bits before the point, one of them for the sign. */
const MAX_DISTANCE = 32_767;

/** All of the memory, with room for a source and a target of so many bytes. */
function roomFor(source: number, target: number): { bytes: Uint8Array; target: number } {
  const at = SOURCE + source + SLACK;
  const missing = Math.ceil((at + target + SLACK - memory.buffer.byteLength) / PAGE);
  if (missing > 0) memory.grow(missing);
  return { bytes: new Uint8Array(memory.buffer), target: at };
}

/**
 * Fills `picture` from `source`: the mean of n × n bilinear taps per pixel, n the source pixels that one of its sides
 * covers. Only the part of the source that the picture shows is copied; a caller that reduces it to about the
 * picture's own resolution first keeps that small.
 * @param blackOutside what lies beyond the source is black, else its nearest edge pixel.
 */
export function resample(source: Raster, toSource: Similarity, picture: Raster, blackOutside: boolean): void {
  const { a, b, tx, ty } = toSource;
  const part = shownPart(source, toSource, picture);
  const reach = Math.hypot(a, b) * (picture.width + picture.height);
  if (Math.max(source.width, source.height) + reach > MAX_DISTANCE)
    throw new RasterTooLong(`a raster of ${source.width} × ${source.height} pixels is too long to sample`);
  const stride = part.width * 3;
  // One more row: the last one is blended with what follows it, at weight 0.
  const { bytes, target } = roomFor((part.height + 1) * stride, picture.data.length);
  for (let row = 0; row < part.height; row++) {
    const from = ((part.top + row) * source.width + part.left) * 3;
    bytes.set(source.data.subarray(from, from + stride), SOURCE + row * stride);
  }
  kernel.resample(
    SOURCE,
    stride,
    -part.left,
    -part.top,
    source.width - 1 - part.left,
    source.height - 1 - part.top,
    a,
    b,
    tx - part.left,
    ty - part.top,
    Math.max(1, Math.ceil(Math.hypot(a, b) - 0.01)),
    target,
    picture.width,
    picture.height,
    blackOutside,
  );
  picture.data.set(bytes.subarray(target, target + picture.data.length));
}

/** The pixels of the source that lie under the picture, or, where none does, are nearest to it. */
function shownPart(source: Raster, { a, b, tx, ty }: Similarity, { width, height }: Raster) {
  const x = [0, a * width, -b * height, a * width - b * height];
  const y = [0, b * width, a * height, b * width + a * height];
  const column = (at: number) => Math.min(source.width - 1, Math.max(0, Math.floor(at + tx)));
  const row = (at: number) => Math.min(source.height - 1, Math.max(0, Math.floor(at + ty)));
  const left = column(Math.min(...x) - 2);
  const top = row(Math.min(...y) - 2);
  return {
    left,
    top,
    width: column(Math.max(...x) + 2) - left + 1,
    height: row(Math.max(...y) + 2) - top + 1,
  };
}

/** Pixels that are halved in one call; so much less memory than a whole photo takes. */
const STRIP = 1 << 17;

/**
 * Half the size in both directions; each new pixel is the mean of the four it covers. An odd last row or column
 * is dropped: at most one pixel of an image's edge, which holds no part of a usable face.
 */
export function halve(raster: Raster): Raster {
  const half = createRaster(raster.width >> 1, raster.height >> 1);
  const stride = raster.width * 3;
  const rows = Math.max(1, Math.floor(STRIP / raster.width / 2));
  for (let row = 0; row < half.height; row += rows) {
    const height = Math.min(rows, half.height - row);
    const from = raster.data.subarray(2 * row * stride, 2 * (row + height) * stride);
    const size = half.width * 3 * height;
    const { bytes, target } = roomFor(from.length, size);
    bytes.set(from, SOURCE);
    kernel.halve(SOURCE, stride, target, half.width, height);
    half.data.set(bytes.subarray(target, target + size), row * half.width * 3);
  }
  return half;
}
