/** Measures the gain of averaging several photos of a person over comparing with each photo, on LFW and ORL. */
import { distanceAtFmr, type Calibration } from '../../core/domain/scores/scores.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { PIPELINES } from '../../core/vision/builtInPipelines.ts';
import { fuse, lightTemplate, unit } from '../../core/vision/fusion.ts';
import fusion from '../../core/vision/fusion.json' with { type: 'json' };
import { euclidean } from '../accuracy/comparisons.ts';
import { describeSet, type Descriptions } from '../accuracy/describing.ts';
import { thresholdAt } from '../../core/domain/calibration/det.ts';
import { loadOurs, PARTS, partsOf } from '../accuracy/ours.ts';
import { lfw, orl, type PhotoSet } from '../accuracy/photos.ts';
import { publish, table } from '../report.ts';
import { repeatable } from '../../core/domain/calibration/repeatable.ts';

const FMRS = [1e-3, 1e-4] as const;
/** Photos that are averaged. */
const SIZES = [1, 2, 3] as const;
/** Photos further apart than the distance of this rate are not taken for one person's. */
const SPREAD_FMR = 1e-3;

/** How a probe is compared with several photos of one person. */
const RULES = {
  /** The method of screening: each photo is an entry of its own. */
  nearest: (probe, photos) => Math.min(...photos.map((photo) => euclidean(probe, photo))),
  /** One vector: the mean, scaled to unit length. */
  average: (probe, photos) => euclidean(probe, average(photos)),
  /** The average as one more entry, beside the photos. */
  'nearest, average beside': (probe, photos) =>
    Math.min(euclidean(probe, average(photos)), ...photos.map((photo) => euclidean(probe, photo))),
  /** The mean, left as short as it is: the root mean square of the single distances. */
  'mean square': (probe, photos) =>
    Math.sqrt(photos.reduce((sum, photo) => sum + euclidean(probe, photo) ** 2, 0) / photos.length),
} satisfies Record<string, (probe: Float32Array, photos: readonly Float32Array[]) => number>;
type Rule = keyof typeof RULES;

/** Photos of a person that are compared with, and those that are not among them. */
interface Reference {
  person: string;
  photos: Float32Array[];
  probes: Float32Array[];
}

/** Of every person with more than `most` photos, the same photos in the same order whatever the size. */
function references(set: PhotoSet, descriptions: Descriptions, size: number, most: number): Reference[] {
  const photosOf = new Map<string, Float32Array[]>();
  for (const [i, { identity }] of set.photos.entries()) {
    const vector = descriptions[i];
    if (vector === undefined) continue;
    photosOf.set(identity, [...(photosOf.get(identity) ?? []), vector]);
  }
  const random = repeatable(11);
  return [...photosOf].flatMap(([person, vectors]) => {
    if (vectors.length <= most) return [];
    const shuffled = vectors
      .map((vector) => ({ vector, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ vector }) => vector);
    return [{ person, photos: shuffled.slice(0, size), probes: shuffled.slice(most) }];
  });
}

function average(vectors: readonly Float32Array[]): Float32Array {
  return unit(vectors[0]!.map((_, i) => vectors.reduce((sum, vector) => sum + vector[i]!, 0)));
}

function distances(all: readonly Reference[], rule: Rule): { mated: Float32Array; nonMated: Float32Array } {
  const mated: number[] = [];
  const nonMated: number[] = [];
  for (const { person, probes } of all)
    for (const probe of probes)
      for (const reference of all)
        (reference.person === person ? mated : nonMated).push(RULES[rule](probe, reference.photos));
  return { mated: Float32Array.from(mated), nonMated: Float32Array.from(nonMated) };
}

const percent = (rate: number) => (100 * rate).toFixed(2);
const within = (values: Float32Array, threshold: number) =>
  values.reduce((sum, value) => sum + (value <= threshold ? 1 : 0), 0) / values.length;

function rows(set: PhotoSet, name: string, descriptions: Descriptions, calibration: Calibration): string[][] {
  const compared = SIZES.flatMap((size) =>
    (Object.keys(RULES) as Rule[])
      .filter((rule) => size > 1 || rule === 'nearest')
      .map((rule) => ({ size, rule })),
  );
  return compared.map(({ size, rule }) => {
    const all = references(set, descriptions, size, SIZES.at(-1)!);
    const { mated, nonMated } = distances(all, rule);
    const sorted = nonMated.toSorted();
    return [
      name,
      String(size),
      size === 1 ? 'the one' : rule,
      `${mated.length} / ${nonMated.length}`,
      ...FMRS.map((fmr) => percent(within(mated, thresholdAt(sorted, fmr)))),
      ...FMRS.map((fmr) => {
        const threshold = distanceAtFmr(calibration, fmr);
        return `${within(nonMated, threshold).toExponential(1)}, ${percent(within(mated, threshold))}`;
      }),
    ];
  });
}

/** How often a guard by distance takes two photos of one person for one, and two photos of two people for one. */
function guard(set: PhotoSet, descriptions: Descriptions, calibration: Calibration): string {
  const limit = distanceAtFmr(calibration, SPREAD_FMR);
  const counts = { mated: [0, 0], nonMated: [0, 0] };
  for (const [i, a] of descriptions.entries())
    for (let j = 0; j < i; j++) {
      const b = descriptions[j];
      if (a === undefined || b === undefined) continue;
      const same = set.photos[i]!.identity === set.photos[j]!.identity;
      const count = counts[same ? 'mated' : 'nonMated'];
      count[0]! += euclidean(a, b) <= limit ? 1 : 0;
      count[1]! += 1;
    }
  const share = ([near, all]: number[]) => percent(near! / all!);
  return `${share(counts.mated)} % of the pairs of one person, ${share(counts.nonMated)} % of non-mated pairs`;
}

const body: string[] = [];
for (const set of [lfw(), orl()]) {
  const parts = await describeSet(set, loadOurs, PARTS);
  const full = parts.map((each) => each && fuse(partsOf(each), fusion));
  const light = parts.map((each) => each && lightTemplate(partsOf(each).mobile, fusion));
  body.push(
    `### ${set.name}`,
    '',
    table(
      [
        'pipeline',
        'photos',
        'compared by',
        'mated / non-mated',
        ...FMRS.map((fmr) => `TMR at FMR ${fmr.toExponential(0)}, %`),
        ...FMRS.map((fmr) => `shipped threshold ${fmr.toExponential(0)}: FMR, TMR %`),
      ],
      [
        ...rows(set, PIPELINES.full, full, CALIBRATIONS.full),
        ...rows(set, PIPELINES.light, light, CALIBRATIONS.light),
      ],
    ),
    '',
    `Within the distance of FMR ${SPREAD_FMR.toExponential(0)} lie, with the full pipeline, ${guard(set, full, CALIBRATIONS.full)}.`,
    '',
  );
}
publish({
  name: 'averaging',
  title: 'Recognition: several photos of one person',
  body: [
    'People with more than three photos; their first ones, in an order drawn once, are what is compared with, the rest are',
    'the probes. The same people and probes in every row. TMR at an FMR: thresholds of each row. Shipped threshold: what',
    'the distances that ship for single photos do when they are used for it.',
    '',
    ...body,
  ].join('\n'),
  peers: ['onnxruntime-node'],
});
