import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dotProductsOf } from './likeness.ts';

for (const [rows, columns] of [
  [1, 1],
  [7, 5],
  [130, 129],
  [3, 2000],
] as const)
  test(`the kernel multiplies ${rows} by ${columns} rows as a plain loop does`, () => {
    const length = 12;
    const numbers = (count: number, step: number) =>
      Float32Array.from({ length: count * length }, (_, i) => Math.sin(i * step));
    const [a, b] = [numbers(rows, 0.7), numbers(columns, 1.3)];
    const products = dotProductsOf(a, b, length);
    assert.equal(products.length, rows * columns);
    products.forEach((product, at) => {
      const [i, j] = [Math.floor(at / columns), at % columns];
      let expected = 0;
      for (let k = 0; k < length; k++) expected += a[i * length + k]! * b[j * length + k]!;
      assert.ok(Math.abs(product - expected) < 1e-5);
    });
  });
