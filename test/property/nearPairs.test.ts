/**
 * Random sequences of enrolment, erasure, expiry and duplicate searches that are paused, cancelled and cut off, against the real
 * store and the real gallery. The near pairs of a finished run are compared with a double loop.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { PipelineId } from '../../core/contracts/ids.ts';
import type { DuplicateSearch } from '../../core/domain/duplicates/duplicateSearch.ts';
import type { DuplicateRun } from '../../core/storage/duplicates/runs.ts';
import { PipelineChanged } from '../../core/domain/ports/machine.ts';
import { squaredDistance } from '../../core/gallery/distance.ts';
import { TEST_ACT } from '../support/act.ts';
import { seededVector } from '../support/galleryChurn.ts';
import {
  beginRun,
  closeNearPairSite,
  enrolSeeds,
  EVERY_FACE,
  openNearPairSite,
  pairsByLoop,
  prepareHome,
  searchOf,
  storedPairs,
  type NearPairSite,
} from '../support/nearPairSite.ts';
import { randomOf, SEED } from '../support/seed.ts';
import { temporaryFolder } from '../support/site.ts';

/** `VOUCH_RUNS=300` for the long run. */
const RUNS = Number(process.env.VOUCH_RUNS ?? 2);
const STEPS = 30;
/** Few, so that photos are identical and distances equal. */
const SEEDS = 40;

class Sequence {
  readonly #t: TestContext;
  readonly #home: string;
  readonly #random: (below: number) => number;
  #site!: NearPairSite;
  finished = 0;
  compared = 0;

  constructor(t: TestContext, draw: number) {
    this.#t = t;
    this.#home = temporaryFolder(t);
    const random = randomOf(SEED, draw);
    this.#random = (below) => Math.floor(random() * below);
  }

  async run(): Promise<void> {
    await prepareHome(this.#home);
    this.#site = await openNearPairSite(this.#home);
    this.#t.after(() => closeNearPairSite(this.#site));
    for (let step = 0; step < STEPS; step += 1) await this.#step();
    await this.#work(Infinity);
    await beginRun(this.#site, 'new', this.#distance());
    await this.#work(Infinity);
  }

  async #step(): Promise<void> {
    const { storage, company } = this.#site;
    const choice = this.#random(10);
    if (choice < 4) await this.#change();
    else if (choice < 6) await beginRun(this.#site, choice === 4 ? 'all' : 'new', this.#distance());
    else if (choice < 9) await this.#work(1 + this.#random(4));
    else {
      const run = await storage.duplicateRuns.unfinished(company.id);
      if (run !== undefined)
        await searchOf(this.#site).change(
          company.id,
          run.id,
          this.#pick(['pause', 'resume', 'cancel']),
          TEST_ACT,
        );
    }
    await this.#checkStored();
  }

  /** Enrols, erases, expires a face or makes expired ones match again. */
  async #change(): Promise<void> {
    const { storage, company, list, gallery, listings, clock } = this.#site;
    const choice = this.#random(10);
    const faces = gallery.facesIn(company.id, EVERY_FACE);
    const face = faces[this.#random(Math.max(1, faces.length))];
    if (choice < 5 || face === undefined) {
      const seeds = Array.from({ length: 1 + this.#random(12) }, () => this.#random(SEEDS));
      await enrolSeeds(this.#site, this.#pick(['duplicate', 'blacklist']), seeds);
    } else if (choice < 7) {
      if ((await storage.blacklists.deleteFace(company.id, list, face, TEST_ACT)) !== undefined)
        gallery.remove(company.id, [face]);
    } else if (choice < 9) {
      const expiresAt = new Date(clock.time.getTime() + 1_000).toISOString();
      await listings.change(company.id, { list, faces: [face] }, { expiresAt }, 'local-admin');
      clock.advance(2_000);
      await listings.follow();
    } else {
      clock.advance(-60_000);
      await listings.follow();
    }
  }

  /** Lets the run go on, and cuts it off in the middle of a comparison after so many portions. */
  async #work(portions: number): Promise<void> {
    const { storage, company, gallery } = this.#site;
    const run = await storage.duplicateRuns.unfinished(company.id);
    if (run === undefined) return;
    if (portions === Infinity) await searchOf(this.#site).change(company.id, run.id, 'resume', TEST_ACT);
    let left = portions;
    const search = searchOf(this.#site, async (...asked) => {
      if (left <= 0) throw new Error('cut off');
      left -= 1;
      if (this.#random(4) === 0) await this.#change();
      const found = await gallery.pairs(...asked);
      if (this.#random(4) === 0) await this.#change();
      return found;
    });
    const before = this.finished;
    search.follow(async (event) => {
      this.compared += event.pairs.length;
      if (!event.ended) return;
      this.finished += 1;
      assert.deepEqual(await storedPairs(this.#site), await this.#pairsByLoop(event.run));
    });
    search.start();
    await search.idle();
    await search.stop();
    if (this.finished === before && this.#random(3) === 0) {
      const { clock } = this.#site;
      await closeNearPairSite(this.#site);
      this.#site = await openNearPairSite(this.#home, clock);
    }
  }

  /** Checks that every stored pair is near, however the faces changed since. Pairs that no run has compared can be absent. */
  async #checkStored(): Promise<void> {
    const { storage, company } = this.#site;
    const latest = await storage.duplicateRuns.latest(company.id);
    const stored = await storedPairs(this.#site);
    const near = latest === undefined ? [] : await this.#pairsByLoop(latest);
    const expected = new Set(near.map((pair) => JSON.stringify(pair)));
    for (const pair of stored) assert.ok(expected.has(JSON.stringify(pair)), JSON.stringify(pair));
  }

  async #pairsByLoop(run: DuplicateRun) {
    const { maxDistance } = (await this.#site.storage.duplicateRuns.find(run.company, run.id))!;
    return pairsByLoop(this.#site, maxDistance!);
  }

  /** A distance that some pairs of faces have exactly, and few are within. */
  #distance(): number {
    const distances = Array.from({ length: 12 }, () =>
      Math.sqrt(squaredDistance(seededVector(this.#random(SEEDS)), seededVector(this.#random(SEEDS)))),
    );
    return Math.min(...distances);
  }

  #pick<T>(of: readonly T[]): T {
    return of[this.#random(of.length)]!;
  }
}

test('near pairs of a finished search equal a double loop over random sequences', async (t) => {
  t.diagnostic(`VOUCH_SEED=${SEED}`);
  let [finished, compared] = [0, 0];
  for (let draw = 0; draw < RUNS; draw += 1) {
    const sequence = new Sequence(t, draw);
    await sequence.run();
    finished += sequence.finished;
    compared += sequence.compared;
  }
  assert.ok(finished >= RUNS && compared > 0, 'runs ended, and pairs were found');
});

test('a search fails when the pipeline is switched, and earlier pairs stay', async (t) => {
  const home = temporaryFolder(t);
  await prepareHome(home);
  const site = await openNearPairSite(home);
  t.after(() => closeNearPairSite(site));
  await enrolSeeds(site, 'duplicate', [1, 1, 2]);
  const carryOut = async (search: DuplicateSearch) => {
    const run = await beginRun(site, 'all', 0);
    search.start();
    await search.idle();
    await search.stop();
    return site.storage.duplicateRuns.find(site.company.id, run!.id);
  };
  assert.equal((await carryOut(searchOf(site)))?.state, 'done');
  const switched = () => Promise.reject(new PipelineChanged());
  const failed = await carryOut(searchOf(site, switched, 'other/1' as PipelineId));
  assert.deepEqual([failed?.state, failed?.problem], ['failed', 'PIPELINE_CHANGED']);
  assert.equal((await storedPairs(site)).length, 1);
});

test('a search stores as many near pairs of a face as the setting allows', async (t) => {
  const home = temporaryFolder(t);
  await prepareHome(home);
  const site = await openNearPairSite(home);
  t.after(() => closeNearPairSite(site));
  const { storage, company } = site;
  await enrolSeeds(site, 'duplicate', Array<number>(12).fill(1));
  const search = async () => {
    const run = await beginRun(site, 'all', 0);
    const searching = searchOf(site);
    searching.start();
    await searching.idle();
    await searching.stop();
    const { pairs, truncated } = (await storage.duplicateRuns.find(company.id, run!.id))!;
    return { pairs, truncated };
  };
  assert.deepEqual(await search(), { pairs: 66, truncated: 0 });
  await storage.companies.changeSettings(company.id, { duplicates: { maxNearPairs: 10 } }, TEST_ACT);
  assert.deepEqual(await search(), { pairs: 65, truncated: 1 });
});
