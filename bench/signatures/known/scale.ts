/** Pairs of different invented people who write one script, on the scale of two images. */
import { compareSignatures, inOrder } from '../../../core/signatures/compare.ts';
import type { Comparable } from '../../../core/signatures/compare.ts';
import { cleanInk } from '../../../core/signatures/clean.ts';
import { shapeOf } from '../../../core/signatures/points.ts';
import { table } from '../../report.ts';
import { developSignature, sign } from '../hand.ts';
import { ALPHABETIC, SCRIPTS } from '../letters.ts';
import type { Script } from '../letters.ts';
import { inventName } from '../names.ts';
import { render } from '../page.ts';
import { Chance } from '../random.ts';
import { percent } from '../../statistics.ts';

/** People of each script and manner; none of them is in the fit. */
const PEOPLE = 24;
const SEED = 880_000;

/** One signature of each of {@link PEOPLE} people; all on paper, which makes them more alike than several media. */
function people(script: Script, plain: boolean): Comparable[] {
  return Array.from({ length: PEOPLE }, (_, person) => {
    const chance = new Chance(SEED + 100 * SCRIPTS.indexOf(script) + person);
    const paths = sign(developSignature(inventName(chance, script, plain), chance), chance);
    const { ink } = cleanInk(render(paths, 'scan', chance));
    return ink && shapeOf(ink.strokes);
  }).filter((shape) => shape !== undefined);
}

function scaleRow(name: string, shapes: readonly Comparable[]): string[] {
  const similarities = shapes.flatMap((one, i) =>
    shapes.slice(0, i).map((other) => compareSignatures(...inOrder(one, other)).similarity),
  );
  const from = (limit: number) =>
    percent(similarities.filter((similarity) => similarity >= limit).length / similarities.length);
  return [name, String(similarities.length), from(40), from(70)];
}

/** @param measured rows of the real sets, in front of the invented ones */
export function scaleTable(measured: readonly string[][]): string {
  const invented = SCRIPTS.flatMap((script) => [
    scaleRow(`invented, ${script}`, people(script, false)),
    ...(ALPHABETIC.has(script) ? [scaleRow(`invented, ${script}, in full`, people(script, true))] : []),
  ]);
  return table(['set', 'pairs', '40 or more', '70 or more'], [...measured, ...invented]);
}
