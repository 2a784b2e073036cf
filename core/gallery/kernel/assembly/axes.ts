/**
 * Products of vectors with a list of axes, in AssemblyScript (compiled by `scripts/kernels.ts`): all in double precision, two
 * components at a time. Vectors and axes lie one after the other, each `bytes` long, a multiple of 64.
 */

/** `along[k]` becomes the product of axis k and the vector. */
export function project(axes: usize, count: u32, bytes: usize, vector: usize, along: usize): void {
  for (let k: u32 = 0; k < count; k++) {
    // Four sums side by side: one would wait for itself at every step.
    let a = f64x2.splat(0);
    let b = f64x2.splat(0);
    let c = f64x2.splat(0);
    let d = f64x2.splat(0);
    for (let at: usize = 0; at < bytes; at += 64) {
      a = f64x2.add(a, f64x2.mul(v128.load(axes + at), v128.load(vector + at)));
      b = f64x2.add(b, f64x2.mul(v128.load(axes + at, 16), v128.load(vector + at, 16)));
      c = f64x2.add(c, f64x2.mul(v128.load(axes + at, 32), v128.load(vector + at, 32)));
      d = f64x2.add(d, f64x2.mul(v128.load(axes + at, 48), v128.load(vector + at, 48)));
    }
    const sum = f64x2.add(f64x2.add(a, b), f64x2.add(c, d));
    store<f64>(along + (<usize>k << 3), sumOf(sum));
    axes += bytes;
  }
}

/**
 * The same of four vectors, one after the other, so that the axes come from memory once.
 * @param step bytes from the products of one vector to those of the next
 */
export function projectFour(axes: usize, count: u32, bytes: usize, vectors: usize, along: usize, step: usize): void {
  const second = vectors + bytes, third = second + bytes, fourth = third + bytes;
  for (let k: u32 = 0; k < count; k++) {
    let a0 = f64x2.splat(0), a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
    for (let at: usize = 0; at < bytes; at += 32) {
      const low = v128.load(axes + at), high = v128.load(axes + at, 16);
      a0 = f64x2.add(a0, f64x2.mul(low, v128.load(vectors + at)));
      a1 = f64x2.add(a1, f64x2.mul(high, v128.load(vectors + at, 16)));
      b0 = f64x2.add(b0, f64x2.mul(low, v128.load(second + at)));
      b1 = f64x2.add(b1, f64x2.mul(high, v128.load(second + at, 16)));
      c0 = f64x2.add(c0, f64x2.mul(low, v128.load(third + at)));
      c1 = f64x2.add(c1, f64x2.mul(high, v128.load(third + at, 16)));
      d0 = f64x2.add(d0, f64x2.mul(low, v128.load(fourth + at)));
      d1 = f64x2.add(d1, f64x2.mul(high, v128.load(fourth + at, 16)));
    }
    const to = along + (<usize>k << 3);
    store<f64>(to, sumOf(f64x2.add(a0, a1)));
    store<f64>(to + step, sumOf(f64x2.add(b0, b1)));
    store<f64>(to + 2 * step, sumOf(f64x2.add(c0, c1)));
    store<f64>(to + 3 * step, sumOf(f64x2.add(d0, d1)));
    axes += bytes;
  }
}

@inline
function sumOf(lanes: v128): f64 {
  return f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1);
}

/** Adds `along[k]` times the vector to axis k. */
export function accumulate(axes: usize, count: u32, bytes: usize, vector: usize, along: usize): void {
  for (let k: u32 = 0; k < count; k++) {
    const factor = f64x2.splat(load<f64>(along + (<usize>k << 3)));
    for (let at: usize = 0; at < bytes; at += 16)
      v128.store(
        axes + at,
        f64x2.add(v128.load(axes + at), f64x2.mul(factor, v128.load(vector + at))),
      );
    axes += bytes;
  }
}

/** Takes `along[k]` times axis k from the vector, for every k. */
export function subtract(axes: usize, count: u32, bytes: usize, vector: usize, along: usize): void {
  for (let k: u32 = 0; k < count; k++) {
    const factor = f64x2.splat(load<f64>(along + (<usize>k << 3)));
    for (let at: usize = 0; at < bytes; at += 16)
      v128.store(
        vector + at,
        f64x2.sub(v128.load(vector + at), f64x2.mul(factor, v128.load(axes + at))),
      );
    axes += bytes;
  }
}
