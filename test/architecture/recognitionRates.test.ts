import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const PROJECT = join(import.meta.dirname, '..', '..');

/** @returns the numbers of the cells of the first row of a text that begins so */
function rowOf(text: string, beginning: string): number[][] {
  const row = text.split('\n').find((line) => line.startsWith(beginning));
  assert(row !== undefined, beginning);
  return row
    .split('|')
    .slice(2, -1)
    .map((cell) => (cell.match(/[\d.]+/g) ?? []).map(Number));
}

test('the error rates of the recognition page are those of the measurement', () => {
  const page = readFileSync(join(PROJECT, 'docs/explanation/recognition.md'), 'utf8').split(
    '## Error rates',
  )[1]!;
  const measured = readFileSync(join(PROJECT, 'bench/README.md'), 'utf8').split('### LFW: ')[1]!;
  for (const [here, there] of [
    ['| full |', '| full: '],
    ['| light |', '| light: '],
    ['| face-api as documented |', '| stock: '],
  ] as const) {
    const [noFace, at3, at4, at5, pairs] = rowOf(page, here);
    // The page leaves out the rate of 1e-2, and the interval of the pairs.
    const [faces, , ...rates] = rowOf(measured, there);
    assert.deepEqual(noFace, faces?.slice(0, 1), here);
    for (const [column, stated] of [at3, at4, at5, pairs].entries())
      for (const [at, value] of stated!.entries())
        assert(Math.abs(value - rates[column]![at]!) < 0.0501, `${here} ${value}: ${rates[column]![at]}`);
  }
});
