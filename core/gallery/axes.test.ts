import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Axes, principalAxes } from './axes.ts';
import { atOnce } from './portions.ts';
import { fitScale, shapeOf } from './quantiser.ts';

const squared = (vector: Float64Array) => vector.reduce((sum, each) => sum + each * each, 0);
const componentsAlong = (axes: Axes, vector: Float64Array) => {
  axes.vectors[0]!.set(vector);
  return axes.project()[0]!;
};
const component = fc.double({ min: -1, max: 1, noNaN: true });
/** None whose square is too small a number to have all its digits: the length itself would be wrong. */
const measurable = component.map((value) => (Math.abs(value) < 1e-100 ? 0 : value));

test('axes are orthonormal, whatever directions they were made of', () => {
  const directions = fc.integer({ min: 2, max: 20 }).chain((dimensions) =>
    fc.record({
      vector: fc.array(measurable, { minLength: dimensions, maxLength: dimensions }),
      // Fewer directions than dimensions, so that the others are made up; some are repeated, or none at all.
      rows: fc.array(
        fc.oneof(
          fc.constant(new Array<number>(dimensions).fill(0)),
          fc.constant(Array.from({ length: dimensions }, (_, i) => 1e-9 * i)),
          fc.array(component, { minLength: dimensions, maxLength: dimensions }),
        ),
        { minLength: dimensions, maxLength: dimensions },
      ),
    }),
  );
  fc.assert(
    fc.property(directions, ({ vector, rows }) => {
      const whole = Float64Array.from(vector);
      const size = squared(whole);
      const all = Axes.along(rows.flat(), vector.length);
      assert.ok(
        Math.abs(squared(componentsAlong(all, whole)) - size) <= 1e-12 * size,
        'as many axes as dimensions',
      );
      const some = Axes.along(rows.slice(1).flat(), vector.length);
      assert.ok(squared(componentsAlong(some, whole)) <= (1 + 1e-12) * size, 'one axis less');
    }),
    { numRuns: 200 },
  );
});

test('the principal axes hold the variance and survive being read back', () => {
  let state = 7;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
  const directions = Array.from({ length: 3 }, () => Float64Array.from({ length: 40 }, random));
  const centre = Float32Array.from({ length: 40 }, random);
  const samples = Array.from({ length: 100 }, () => {
    const sample = Float32Array.from(centre);
    for (const direction of directions) {
      const share = random();
      for (let i = 0; i < sample.length; i++) sample[i]! += share * direction[i]!;
    }
    return sample;
  });
  const kept = atOnce(principalAxes(samples, centre, 3));
  const axes = Axes.along(kept, 40);
  for (const [i, value] of axes.toArray().entries()) assert.ok(Math.abs(value - kept[i]!) < 1e-6);
  for (const sample of samples) {
    const own = Float64Array.from(sample, (value, i) => value - centre[i]!);
    assert.ok(squared(componentsAlong(axes, own)) >= (1 - 1e-9) * squared(own));
  }
});

/** A sample that counts how often it is read. */
function counted(sample: Float32Array, work: { reads: number }): Float32Array {
  return new Proxy(sample, {
    get(target, key) {
      work.reads++;
      return Reflect.get(target, key) as unknown;
    },
  });
}

/** Counts the products of components that the kernel does. @returns what ends it. */
function countProducts(work: { products: number }): () => void {
  const { Instance } = WebAssembly;
  const construct = (_: typeof Instance, given: ConstructorParameters<typeof Instance>) => {
    const { exports } = new Instance(...given);
    const observed = Object.entries(exports).map(([name, run]) => [
      name,
      (axes: number, count: number, bytes: number, ...rest: number[]) => {
        work.products += (count * bytes) / Float64Array.BYTES_PER_ELEMENT;
        (run as (...numbers: number[]) => void)(axes, count, bytes, ...rest);
      },
    ]);
    return { exports: Object.fromEntries(observed) as typeof exports };
  };
  WebAssembly.Instance = new Proxy(Instance, { construct });
  return () => (WebAssembly.Instance = Instance);
}

for (const dimensions of [64, 128, 512])
  test(`a scale is fitted in batches of eight vectors: ${dimensions} components`, (t) => {
    const work = { reads: 0, products: 0 };
    t.after(countProducts(work));
    const samples = Array.from({ length: 200 }, (_, k) => {
      const sample = Float32Array.from({ length: dimensions }, (_, i) =>
        Math.sin((k + 1) * (i + 1) * 12.9898),
      );
      return counted(sample, work);
    });
    const shape = shapeOf(dimensions);
    const axes = shape.residualLength === 0 ? shape.primaryLength : dimensions;
    const fitting = fitScale(samples, shape);
    const most = { reads: 0, products: 0 };
    for (let turns = 0, done = false; !done; turns++) {
      Object.assign(work, { reads: 0, products: 0 });
      done = fitting.next().done === true;
      most.reads = Math.max(most.reads, work.reads);
      most.products = Math.max(most.products, work.products);
      assert.ok(turns < 100_000);
    }
    assert.ok(most.reads > 0 && most.reads <= 9 * dimensions, `${most.reads} components read in a turn`);
    // An axis is made perpendicular to the others in four products, one that gives way to another in six; a vector takes two.
    assert.ok(
      most.products > 0 && most.products <= 9 * 6 * axes * dimensions,
      `${most.products} products in a turn`,
    );
  });

test('vectors projected together have the components that each has alone', () => {
  const vectorOf = (seed: number) =>
    Float64Array.from({ length: 20 }, (_, i) => Math.sin(12.9898 * (seed + i)));
  const axes = Axes.along(
    Array.from({ length: 7 * 20 }, (_, i) => Math.cos(78.233 * i)),
    20,
  );
  const vectors = axes.vectors.map((_, k) => vectorOf(20 * k));
  const alone = vectors.map((vector) => componentsAlong(axes, vector).slice());
  for (const [k, vector] of vectors.entries()) axes.vectors[k]!.set(vector);
  const together = axes.project(vectors.length);
  for (const [k, components] of alone.entries())
    for (const [i, expected] of components.entries())
      assert.ok(Math.abs(together[k]![i]! - expected) < 1e-14, `vector ${k}, axis ${i}`);
});
