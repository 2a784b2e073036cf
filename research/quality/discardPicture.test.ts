import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawDiscard } from './discardPicture.ts';

test("a perfect score draws the oracle's line, an uninformative one the level line", () => {
  const of = (quality: (i: number) => number) =>
    Array.from({ length: 100 }, (_, i) => ({ quality: quality(i), match: i >= 20 }));
  const lines = (svg: string) =>
    [...svg.matchAll(/<path d="(M[^"]+)" fill="none" stroke="[^"]+" stroke-width="2"/g)].map(([, path]) =>
      path!
        .split(/[ML]/)
        .slice(1)
        .map((point) => Number(point.split(' ')[1])),
    );
  const [knowing, level, oracle] = lines(
    drawDiscard(
      'knows',
      of((i) => i),
    ),
  );
  assert.equal(new Set(level).size, 1);
  assert.ok(knowing!.every((y, i) => Math.abs(y - oracle![i]!) < 0.2));
  assert.equal(knowing![25], knowing!.at(-1), 'nothing is left to miss');
  const [blind] = lines(
    drawDiscard(
      'is wrong',
      of((i) => -i),
    ),
  );
  assert.ok(blind!.at(-1)! < level![0]!, 'a wrong score draws errors above the level line');
});
