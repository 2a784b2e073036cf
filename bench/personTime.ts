/** Search for persons: processor time and memory beside a search for faces, in one gallery. */
import assert from 'node:assert/strict';
import type { FaceId, PersonId } from '../core/contracts/ids.ts';
import type { PersonFaces } from '../core/domain/ports/gallery.ts';
import { COMPANY, filled, PIPELINE } from './gallery/subject.ts';
import { randomFrom, realTemplates, spread } from './gallery/templates.ts';
import { processorTimes } from './gallery/timing.ts';
import { publish, table } from './report.ts';

const DIMENSIONS = 128;
const PROBES = 16;
/** Between two photos of one person, about the median on LFW. */
const BETWEEN_PHOTOS = 0.38;
/** As many as a screening keeps of a blacklist and of duplicate detection, and as a search lists. */
const LIMITS = [10, 20, 50];
const photos = Number(process.argv[2] ?? 1_000_000);
const people = Math.round(0.3 * photos);

const seeds = await realTemplates(400);
const known = spread(people, DIMENSIONS, seeds, 1);
const random = randomFrom(7);
/** A photo of a person: the person's template, moved in a random direction. */
function photoOf(row: Float32Array, of: Float32Array): void {
  const noise = Float32Array.from(row, () => random() + random() + random() - 1.5);
  const scale = BETWEEN_PHOTOS / Math.SQRT2 / Math.hypot(...noise);
  for (let i = 0; i < row.length; i++) row[i] = of[i]! + scale * noise[i]!;
  const length = Math.hypot(...row);
  for (const [i, value] of row.entries()) row[i] = value / length;
}
const rows = new Float32Array(photos * DIMENSIONS);
for (let i = 0; i < photos; i++) {
  const person = i % people;
  photoOf(
    rows.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS),
    known.subarray(person * DIMENSIONS, (person + 1) * DIMENSIONS),
  );
}
/** As the store answers. */
const personsOf = (faces: readonly FaceId[]) =>
  new Map(
    faces.map((face): [FaceId, PersonFaces] => {
      const person = (face - 1) % people;
      const own: FaceId[] = [];
      for (let at = person; at < photos; at += people) own.push((at + 1) as FaceId);
      return [face, { person: (person + 1) as PersonId, faces: own }];
    }),
  );
const gallery = await filled(rows, DIMENSIONS, {
  persons: (_company, faces) => Promise.resolve(personsOf(faces)),
});
const strangers = spread(PROBES, DIMENSIONS, seeds, 2);
const probeOf = (round: number, isKnown: boolean) => {
  const vector = new Float32Array(DIMENSIONS);
  const at = (round % PROBES) * DIMENSIONS;
  if (isKnown) photoOf(vector, known.subarray(at, at + DIMENSIONS));
  else vector.set(strangers.subarray(at, at + DIMENSIONS));
  return { pipelineId: PIPELINE, vector };
};
const watchlists = [{ kind: 'duplicate' }] as const;
const lines: string[][] = [];
for (const isKnown of [false, true])
  for (const limit of LIMITS) {
    const query = { watchlists, limit, maxDistance: 2 };
    const [found] = await gallery.searchPersons(COMPANY, [probeOf(0, isKnown)], query);
    assert.equal(new Set(found!.map(({ person }) => person)).size, limit);
    const times = await processorTimes(PROBES + 5, {
      faces: (round) => gallery.search(COMPANY, { ...query, probe: probeOf(round, isKnown) }),
      persons: (round) => gallery.searchPersons(COMPANY, [probeOf(round, isKnown)], query),
    });
    const [faces, persons] = [times.faces, times.persons];
    lines.push([
      `${isKnown ? 'an enrolled person' : 'a stranger'}, nearest ${limit}`,
      faces.toFixed(2),
      persons.toFixed(2),
      (persons / faces).toFixed(2),
    ]);
  }
await gallery.close();
publish({
  name: 'personTime',
  title: 'Search for persons: time',
  body: [
    `${photos.toLocaleString('en')} photos of ${people.toLocaleString('en')} invented persons, one thread, processor time in milliseconds, median. Persons are`,
    'answered from memory here; the store takes one more query.',
    '',
    table(['probe', 'faces', 'persons', 'persons / faces'], lines),
  ].join('\n'),
  args: process.argv.slice(2),
});
