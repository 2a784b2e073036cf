/**
 * The keys under which PostgreSQL has what shows a person: each face, photo and comparison has one, and an erasure destroys it. The
 * database has none of them. All follow from one random root by a binary tree of SHA-256, so that a new face or photo needs
 * no write. To destroy a key, the file keeps the siblings of its path instead of the node above it: neither the key nor any
 * node above it can be computed from then on.
 */
import { hash, randomBytes } from 'node:crypto';
import type { FaceId } from '../../contracts/ids.ts';

/** A leaf: one byte for the kind, nine for the number. Numbers that follow each other share most of their path. */
export const LEAF_BYTES = 10;
const DEPTH = 8 * LEAF_BYTES;
const KEY_BYTES = 32;
const NODE_BYTES = 1 + LEAF_BYTES + KEY_BYTES;
const [FACE, CELL] = [0, 1];
/** Cells that a service numbers one after the other, from a random beginning. */
const RUN = 2 ** 24;
const RUN_BYTES = 6;

/** A place in the tree. */
export type Leaf = Buffer;

/** The key of a node, from which all keys below it follow. */
interface Node {
  depth: number;
  /** The first leaf below it. */
  start: Leaf;
  key: Buffer;
}

/** The leaf of a face: template, thumbnail and later templates have one key. */
export function leafOfFace(face: FaceId): Leaf {
  const leaf = Buffer.alloc(LEAF_BYTES);
  leaf.writeUIntBE(face, LEAF_BYTES - 6, 6);
  leaf[0] = FACE;
  return leaf;
}

/** The leaves that a cell names one after the other. */
export function leavesIn(bytes: Buffer): Leaf[] {
  const count = bytes.length / LEAF_BYTES;
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * LEAF_BYTES, (i + 1) * LEAF_BYTES));
}

/** The numbers of the cells that this process seals. */
const run = { start: randomBytes(RUN_BYTES), cells: 0 };

/** The leaf of a cell that is sealed now, as that of a photo; no other cell has it. */
export function leafOfNewCell(): Leaf {
  if (run.cells === RUN) Object.assign(run, { start: randomBytes(RUN_BYTES), cells: 0 });
  const leaf = Buffer.alloc(LEAF_BYTES);
  leaf[0] = CELL;
  run.start.copy(leaf, 1);
  leaf.writeUIntBE(run.cells, 1 + RUN_BYTES, 3);
  run.cells += 1;
  return leaf;
}

/** All keys that were not destroyed. */
export class ErasableKeys {
  /** By rising leaves; no two overlap. */
  #nodes: readonly Node[];
  /** The keys from a node down to the last leaf that was asked for, by depth: neighbours need two steps. */
  readonly #path: Buffer[] = [];
  #cached: { from: number; leaf: Leaf } | undefined;

  private constructor(nodes: readonly Node[]) {
    this.#nodes = nodes;
  }

  static fresh(): ErasableKeys {
    return new ErasableKeys([{ depth: 0, start: Buffer.alloc(LEAF_BYTES), key: randomBytes(KEY_BYTES) }]);
  }

  /** @param content as {@link toBytes} gave it */
  static parse(content: Uint8Array): ErasableKeys {
    const nodes: Node[] = [];
    for (let at = 0; at < content.length; at += NODE_BYTES) {
      const node = Buffer.from(content.subarray(at, at + NODE_BYTES));
      const [start, key] = [node.subarray(1, 1 + LEAF_BYTES), node.subarray(1 + LEAF_BYTES)];
      nodes.push({ depth: node[0]!, start, key });
    }
    return new ErasableKeys(nodes);
  }

  toBytes(): Buffer {
    return Buffer.concat(this.#nodes.flatMap(({ depth, start, key }) => [Buffer.of(depth), start, key]));
  }

  /** @returns 32 bytes, valid until the next call; undefined: the key was destroyed */
  of(leaf: Leaf): Uint8Array | undefined {
    let depth = this.#cached === undefined ? -1 : sharedBits(this.#cached.leaf, leaf);
    let from = this.#cached?.from ?? 0;
    if (this.#cached === undefined || depth < from) {
      const node = this.#nodes[this.#indexOver(leaf)];
      if (node === undefined) return undefined;
      from = depth = node.depth;
      this.#path[depth] = node.key;
    }
    for (; depth < DEPTH; depth += 1) this.#path[depth + 1] = childOf(this.#path[depth]!, bitOf(leaf, depth));
    this.#cached = { from, leaf };
    return this.#path[DEPTH];
  }

  isDestroyed(leaf: Leaf): boolean {
    return this.#indexOver(leaf) < 0;
  }

  /** @returns whether a key was not destroyed before */
  destroy(leaves: readonly Leaf[]): boolean {
    const living = leaves.filter((leaf) => !this.isDestroyed(leaf)).sort((one, other) => one.compare(other));
    const kept: Node[] = [];
    let from = 0;
    for (const node of this.#nodes) {
      let to = from;
      while (to < living.length && sharedBits(node.start, living[to]!) >= node.depth) to += 1;
      keepBeside(living.slice(from, to), node, kept);
      from = to;
    }
    this.#nodes = kept;
    this.#path.length = 0;
    this.#cached = undefined;
    return living.length > 0;
  }

  /** The highest number of a face whose key was destroyed; 0: none. */
  lastFace(): number {
    // Numbers above the highest one are whole: nodes that follow each other up to the end of the faces.
    let end = 1n << BigInt(DEPTH - 8);
    for (const { depth, start } of this.#nodes.filter((node) => node.start[0] === FACE).toReversed()) {
      const [first, size] = [BigInt(`0x${start.toString('hex')}`), 1n << BigInt(DEPTH - depth)];
      if (first + size < end) break;
      end = first;
    }
    return end === 0n ? 0 : Number(end - 1n);
  }

  /** The index of the node above a leaf; -1: there is none any more. */
  #indexOver(leaf: Leaf): number {
    let [low, high] = [0, this.#nodes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Buffer.compare(this.#nodes[middle]!.start, leaf) <= 0) low = middle + 1;
      else high = middle;
    }
    const node = this.#nodes[low - 1];
    return node !== undefined && sharedBits(node.start, leaf) >= node.depth ? low - 1 : -1;
  }
}

const STEP = Buffer.alloc(KEY_BYTES + 1);

function childOf(key: Buffer, bit: number): Buffer {
  key.copy(STEP);
  STEP[KEY_BYTES] = bit;
  return hash('sha256', STEP, 'buffer');
}

function bitOf(leaf: Leaf, depth: number): number {
  return (leaf[depth >> 3]! >> (7 - (depth & 7))) & 1;
}

/** Destroys a node that is above leaves, and adds the nodes below it that are above none of them. @param leaves rising */
function keepBeside(leaves: readonly Leaf[], node: Node, kept: Node[]): void {
  if (leaves.length === 0) {
    kept.push(node);
    return;
  }
  const { depth, start, key } = node;
  if (depth < DEPTH) {
    const ones = leaves.findIndex((leaf) => bitOf(leaf, depth) === 1);
    const middle = ones < 0 ? leaves.length : ones;
    const second = Buffer.from(start);
    second[depth >> 3]! |= 0x80 >> (depth & 7);
    keepBeside(leaves.slice(0, middle), { depth: depth + 1, start, key: childOf(key, 0) }, kept);
    keepBeside(leaves.slice(middle), { depth: depth + 1, start: second, key: childOf(key, 1) }, kept);
  }
  key.fill(0);
}

/** The number of leading bits that are equal. */
function sharedBits(one: Leaf, other: Leaf): number {
  for (let at = 0; at < LEAF_BYTES; at += 1) {
    const difference = one[at]! ^ other[at]!;
    if (difference !== 0) return 8 * at + Math.clz32(difference) - 24;
  }
  return DEPTH;
}
