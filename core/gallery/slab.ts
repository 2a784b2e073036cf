/**
 * Memory that the kernels can see and that threads share. A slab is one WebAssembly memory of up to 4 GiB that grows
 * as it is used; the operating system gives real memory only to what was written.
 */
const PAGE = 65_536;
const MAXIMUM_PAGES = 65_536;
/** Address 0 stays unused, so that 0 can mean "none". */
export const SCRATCH_START = 1_024;

/** An area of a slab. */
export interface Area {
  slab: Slab;
  address: number;
  bytes: number;
}

/** A part of an area, in bytes from its start. */
export interface Extent {
  start: number;
  length: number;
}

const WIPE_CHUNK_BYTES = 2 ** 20;

export class Slab {
  readonly index: number;
  readonly memory: WebAssembly.Memory;
  #next: number;
  /** Areas given back, by their size: segments come in few sizes, so one of the same size finds them again. */
  readonly #free = new Map<number, number[]>();

  /** @param scratchBytes what the scanners of all threads need for themselves. */
  constructor(index: number, scratchBytes: number) {
    this.index = index;
    this.#next = align(SCRATCH_START + scratchBytes);
    this.memory = new WebAssembly.Memory({
      initial: Math.ceil(this.#next / PAGE),
      maximum: MAXIMUM_PAGES,
      shared: true,
    });
  }

  /** Bytes handed out, the free ones not counted. */
  allocate(bytes: number): Area | undefined {
    const size = align(bytes);
    const again = this.#free.get(size)?.pop();
    if (again !== undefined) return { slab: this, address: again, bytes: size };
    const end = this.#next + size;
    if (end > MAXIMUM_PAGES * PAGE) return undefined;
    const missing = Math.ceil(end / PAGE) - this.memory.buffer.byteLength / PAGE;
    if (missing > 0) this.memory.grow(missing);
    const area = { slab: this, address: this.#next, bytes: size };
    this.#next = end;
    return area;
  }

  /**
   * Wipes what was written of an area, and keeps the area for another of its size; pauses every megabyte.
   * @param written nothing else: wiping what never was would take real memory for it.
   */
  *release({ address, bytes }: Area, written: readonly Extent[]): Generator<void> {
    for (const { start, length } of written)
      for (let done = 0; done < length; done += WIPE_CHUNK_BYTES) {
        const size = Math.min(WIPE_CHUNK_BYTES, length - done);
        new Uint8Array(this.memory.buffer, address + start + done, size).fill(0);
        yield;
      }
    const list = this.#free.get(bytes) ?? [];
    list.push(address);
    this.#free.set(bytes, list);
  }
}

/** All slabs of a gallery. */
export class Slabs {
  readonly all: Slab[] = [];
  readonly #scratchBytes: number;
  readonly #onNew: (slab: Slab) => void;

  constructor(scratchBytes: number, onNew: (slab: Slab) => void) {
    this.#scratchBytes = scratchBytes;
    this.#onNew = onNew;
  }

  allocate(bytes: number): Area {
    for (const slab of this.all) {
      const area = slab.allocate(bytes);
      if (area !== undefined) return area;
    }
    const slab = new Slab(this.all.length, this.#scratchBytes);
    this.all.push(slab);
    this.#onNew(slab);
    const area = slab.allocate(bytes);
    if (area === undefined) throw new RangeError(`${bytes} bytes do not fit one memory.`);
    return area;
  }
}

/** Areas begin where pages of memory do: the kernels touch the first line of the pages that they come to. */
function align(bytes: number): number {
  return Math.ceil(bytes / 4_096) * 4_096;
}
