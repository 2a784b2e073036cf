import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { encoded, paint, signings } from '../../../test/signatures/specimens.ts';
import type { ComparedKnownSet, KnownSetComparison } from '../../domain/ports/knownSignatures.ts';
import { createSignatures } from '../signatures.ts';
import { runPrepareJob, runScoreJob } from './jobs.ts';
import { compareKnownSet, type Crew } from './knownSet.ts';
import { trusted } from '../../contracts/ids.ts';

const COMPANY = trusted.company(1);

const signatures = createSignatures({ workers: 2 });
let own: Buffer[];
let stranger: Buffer;

before(async () => {
  own = await Promise.all(signings(31, 4).map((picture) => encoded(picture)));
  stranger = await encoded(signings(32, 1)[0]!);
});
after(() => signatures.close());

function compared(result: KnownSetComparison): ComparedKnownSet {
  assert.equal(result.kind, 'compared');
  return result;
}

test('workers compare a known set as they compare its pairs', async () => {
  const [questioned, ...known] = own as [Buffer, ...Buffer[]];
  const result = compared(
    await signatures.compareKnown({ questioned, known }, { pictures: true, company: COMPANY }),
  );
  const pair = await signatures.compare(known[1]!, questioned, { pictures: false, company: COMPANY });
  assert.ok(pair.kind === 'compared');
  assert.equal(result.known[1]?.similarity, pair.similarity);
  assert.deepEqual(result.known[1].alignment, pair.alignment);
  assert.equal(result.pictures?.known.length, 3);
  const other = compared(
    await signatures.compareKnown(
      { questioned: stranger, known: [...known, known[0]!] },
      { pictures: false, company: COMPANY },
    ),
  );
  assert.ok(other.ratios!.stranger.log10 < result.ratios!.stranger.log10);
  assert.ok(other.warnings.includes('KNOWN_ARE_COPIES'));
  assert.equal(other.pictures, undefined);
});

test('images and pairs are spread over all workers', async () => {
  const [questioned, ...known] = own as [Buffer, ...Buffer[]];
  const jobs: { prepared: number; pairs: string[][] } = { prepared: 0, pairs: [] };
  let release: () => void = () => undefined;
  const allBegun = new Promise<void>((resolve) => (release = resolve));
  const crew: Crew = {
    size: 3,
    prepare: async (job) => {
      jobs.prepared += 1;
      // No image waits for another one.
      if (jobs.prepared === own.length) release();
      await allBegun;
      return runPrepareJob(job);
    },
    score: (job) => {
      jobs.pairs.push(job.pairs.map((pair) => pair.join()));
      return Promise.resolve(runScoreJob(job));
    },
  };
  const spread = compared(await compareKnownSet(crew, { questioned, known }, { pictures: false }));
  assert.deepEqual(
    jobs.pairs.map(({ length }) => length),
    [2, 2, 2],
  );
  assert.equal(new Set(jobs.pairs.flat()).size, 6, 'each pair once');
  const alone = await compareKnownSet({ ...crew, size: 1 }, { questioned, known }, { pictures: false });
  assert.deepEqual(spread, alone);
});

test('each image that cannot be compared is named', async () => {
  const [questioned, first] = own as [Buffer, Buffer];
  const blank = await encoded(paint(300, 150, () => [250, 250, 250]));
  const small = await encoded(paint(30, 30, () => [0, 0, 0]));
  const compare = (known: Buffer[]) =>
    signatures.compareKnown({ questioned, known }, { pictures: false, company: COMPANY });
  const inconclusive = await compare([first, blank]);
  assert.ok(inconclusive.kind === 'inconclusive');
  assert.deepEqual([...inconclusive.reasons.known], [[1, 'BLANK']]);
  const refused = await compare([small, blank]);
  assert.ok(refused.kind === 'refused');
  assert.deepEqual(refused.faults, { known: new Map([[0, 'TOO_SMALL']]) });
});
