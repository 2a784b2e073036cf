import { test } from 'node:test';
import assert from 'node:assert/strict';
import { encoded, onOnePage, paint, signings } from '../../../test/signatures/specimens.ts';
import { runSignatureJob } from '../engine.ts';
import { runPartJob, runPrepareJob, runScoreJob } from './jobs.ts';
import { compareKnownSet, type Crew } from './knownSet.ts';
import { preparingOnce } from './preparedOnce.ts';

/** Does every job in this process, and counts the prepared images. */
function crew(): Crew & { prepared: number } {
  return {
    size: 1,
    prepared: 0,
    prepare(job) {
      this.prepared += 1;
      return runPrepareJob(job);
    },
    score: (job) => Promise.resolve(runScoreJob(job)),
    part: (job) => Promise.resolve(runPartJob(job)),
  };
}

test('many comparisons prepare each image once, with the results of single ones', async () => {
  const [one, two] = await Promise.all(signings(31, 2).map((picture) => encoded(picture)));
  assert.ok(one !== undefined && two !== undefined);
  const blank = await encoded(paint(300, 150, () => [250, 250, 250]));
  const [stranger] = signings(19, 1);
  const [own] = signings(31, 1);
  const both = await encoded(onOnePage(stranger!, own!, 8, 'beside'));
  const small = await encoded(paint(30, 30, () => [0, 0, 0]));
  const counting = crew();
  const many = preparingOnce(counting);
  for (const [image1, image2] of [
    [one, two],
    [two, one],
    [both, two],
    [one, blank],
    [small, blank],
  ] as const) {
    const single = await runSignatureJob({ kind: 'pair', image1, image2, pictures: false });
    assert.deepEqual(await many.compare(image1, image2), single);
  }
  const set = { questioned: both, known: [one, two] };
  const known = await many.compareKnown(set);
  assert.deepEqual(known, await compareKnownSet(crew(), set, { pictures: false }));
  assert.equal(counting.prepared, 5);
  const pair = await many.compare(both, two);
  assert.ok(known.kind === 'compared' && pair.kind === 'compared');
  assert.equal(known.doubts[0]?.reasons.questioned, pair.doubts[0]?.reasons.image1);
  assert.notEqual(known.doubts.length, 0);
});

test('an image that no worker took is prepared at its next comparison', async () => {
  const [one, two] = await Promise.all(signings(31, 2).map((picture) => encoded(picture)));
  assert.ok(one !== undefined && two !== undefined);
  let isBusy = true;
  const prepare: Crew['prepare'] = (job) => (isBusy ? Promise.reject(new Error('busy')) : runPrepareJob(job));
  const many = preparingOnce({ ...crew(), prepare });
  await assert.rejects(many.compare(one, two), /busy/);
  isBusy = false;
  assert.equal((await many.compare(one, two)).kind, 'compared');
});
