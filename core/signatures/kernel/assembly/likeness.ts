/**
 * Dot products of every row of one matrix with every row of another: the inner loop of a comparison, in AssemblyScript
 * (see `scripts/kernels.ts`). Both matrices lie row by row in memory; `length` is a multiple of 4, `columns` too. Sums run in a
 * fixed order, so that every machine gives the same bits.
 */
export function dotProducts(a: usize, rows: u32, b: usize, columns: u32, length: u32, out: usize): void {
  const stride: usize = (length as usize) << 2;
  for (let i: u32 = 0; i < rows; i++) {
    const row = a + i * stride;
    for (let j: u32 = 0; j < columns; j += 4) {
      const first = b + j * stride;
      const second = first + stride;
      const third = second + stride;
      const fourth = third + stride;
      let s0 = f32x4.splat(0);
      let s1 = f32x4.splat(0);
      let s2 = f32x4.splat(0);
      let s3 = f32x4.splat(0);
      for (let k: usize = 0; k < stride; k += 16) {
        const v = v128.load(row + k);
        s0 = f32x4.add(s0, f32x4.mul(v, v128.load(first + k)));
        s1 = f32x4.add(s1, f32x4.mul(v, v128.load(second + k)));
        s2 = f32x4.add(s2, f32x4.mul(v, v128.load(third + k)));
        s3 = f32x4.add(s3, f32x4.mul(v, v128.load(fourth + k)));
      }
      const at = out + (((i as usize) * columns + j) << 2);
      store<f32>(at, sum(s0));
      store<f32>(at, sum(s1), 4);
      store<f32>(at, sum(s2), 8);
      store<f32>(at, sum(s3), 12);
    }
  }
}

function sum(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) +
    f32x4.extract_lane(v, 1) +
    (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}
