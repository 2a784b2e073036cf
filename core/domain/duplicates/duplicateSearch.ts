/** Starts, pauses and cancels duplicate searches, and carries them out in the background. */
import type { DuplicateRunChange } from '../../contracts/dashboard/duplicates.ts';
import type { CompanyId, DuplicateRunId, FaceId } from '../../contracts/ids.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { DistanceTail, DuplicateRunChoice, NearPair } from '../ports/duplicates.ts';
import type { DuplicateRun } from '../../storage/duplicates/runs.ts';
import type { FacePairSource, GalleryPort } from '../ports/gallery.ts';
import type { Platform } from '../ports/machine.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import { compareAll, watchlistsOf, type CompareAllPorts } from './compareAll.ts';
import { chancePairs, comparisonsLeft, comparisonsOf, distanceFor, measureGallery } from './rate.ts';
import { distanceAtFmr } from '../scores/scores.ts';
import { ProgressRate } from '../values/time.ts';
import { Rounds } from '../work/turns.ts';

/** Rows of replaced runs that one transaction removes. */
const REMOVAL_BATCH_SIZE = 5_000;
/** Faces are alike from this false-match rate on. */
const ALIKE_FMR = 1e-3;
/** Faces that are alike, of each face. */
const MAX_ALIKE = 100;
/** How long a number of compared faces is used, milliseconds: a screen asks for it every second. */
const COUNT_VALID_MS = 10_000;

export interface DuplicateSearchPorts extends CompareAllPorts, Pick<Platform, 'clock' | 'log'> {
  gallery: FacePairSource & Pick<GalleryPort, 'size'>;
}

/** The result of a run. */
export interface DuplicateSearchEvent {
  run: DuplicateRun;
  /** New near pairs of a portion. */
  pairs: readonly NearPair[];
  /** The run is done: its pairs are those of the company from here on. */
  ended: boolean;
}

const STEPS: Record<
  DuplicateRunChange,
  { from: readonly DuplicateRun['state'][]; to: 'running' | 'paused' | 'cancelled' }
> = {
  pause: { from: ['running'], to: 'paused' },
  resume: { from: ['paused'], to: 'running' },
  cancel: { from: ['running', 'paused'], to: 'cancelled' },
};

/**
 * Crash-only: which faces are compared is in the store, so starting is going on. One run at a time; runs of other companies
 * wait.
 */
export class DuplicateSearch {
  readonly #ports: DuplicateSearchPorts;
  readonly #listeners = new Set<(event: DuplicateSearchEvent) => void | Promise<void>>();
  readonly #rounds: Rounds;
  #current: { id: DuplicateRunId; faces: ProgressRate; comparisons: ProgressRate } | undefined;
  /** Faces that the runs up to a finished one have compared, when as many faces could be matched. */
  readonly #counted = new Map<
    CompanyId,
    { run: DuplicateRunId; total: number; at: number; compared: number }
  >();
  /** Comparisons per second of the last portions; 0: they held one face. */
  #speed: number | null = null;
  /** The last tail that was measured for a plan, and of what. */
  #planned: { key: string; tail: Promise<DistanceTail> } | undefined;

  constructor(ports: DuplicateSearchPorts) {
    this.#ports = ports;
    this.#rounds = new Rounds(ports.timer, () => this.#round());
  }

  /** Calls the listener after each portion and at the end of a run; the search waits for it. */
  follow(listener: (event: DuplicateSearchEvent) => void | Promise<void>): void {
    this.#listeners.add(listener);
  }

  start(): void {
    this.#rounds.start();
  }

  /** Ends after the portion in progress. */
  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  /** Looks for runs to carry out. */
  wake(): void {
    this.#rounds.wake();
  }

  /** Resolves when no run is in progress. */
  idle(): Promise<void> {
    return this.#rounds.idle();
  }

  /**
   * @returns the run; its mode is `all` where no finished run of the same pipeline, lists and rate can be added to
   * @throws {CodedError} DUPLICATE_SEARCH_UNFINISHED, TOO_FEW_FACES
   */
  async begin(company: CompanyId, choice: DuplicateRunChoice, act: AuditContext): Promise<DuplicateRun> {
    const { duplicateRuns, recognition } = this.#ports;
    const pipeline = recognition.pipelineOf(company);
    // The run that has not ended is what the operator must attend to, however few faces there are now.
    if ((await duplicateRuns.unfinished(company)) !== undefined)
      throw new CodedError('DUPLICATE_SEARCH_UNFINISHED');
    const total = await this.#matchable(company, choice.blacklists);
    if (total < 2) throw new CodedError('TOO_FEW_FACES');
    const run = await duplicateRuns.begin(company, choice, { pipeline, total }, act);
    this.wake();
    return run;
  }

  /** @returns false: the run is in a state that the step does not apply to */
  async change(
    company: CompanyId,
    id: DuplicateRunId,
    step: DuplicateRunChange,
    act: AuditContext,
  ): Promise<boolean> {
    const changed = await this.#ports.duplicateRuns.change(company, id, STEPS[step], act);
    if (changed) this.wake();
    return changed;
  }

  /** How a run goes; chance pairs are null until its tail is measured, the rest while nothing is being compared. */
  progress(run: DuplicateRun) {
    const { tail, maxDistance } = run;
    const counts = { total: run.total, pending: run.faces };
    const current = this.#current?.id === run.id && run.state === 'running' ? this.#current : undefined;
    const speed = current?.comparisons.perSecond() ?? null;
    return {
      chance: tail === null || maxDistance === null ? null : chancePairs(tail, maxDistance, counts),
      /** Faces per second over the last minute. */
      rate: current?.faces.perSecond() ?? null,
      secondsLeft: secondsAt(speed, comparisonsLeft(run)),
    };
  }

  /** Faces that no finished run has compared: of the last one's lists, or of duplicate detection before the first. */
  async newFaces(company: CompanyId): Promise<number> {
    const { duplicateRuns, recognition } = this.#ports;
    const latest = await duplicateRuns.latest(company);
    const total = await this.#matchable(company, latest?.blacklists ?? []);
    if (latest?.pipeline !== recognition.pipelineOf(company)) return total;
    return Math.max(0, total - (await this.#compared(company, latest, total)));
  }

  /**
   * The faces that are near some faces, each with its least distance to one of them, the nearest first. Near: one pair of
   * different people in 1,000 is as near.
   */
  async nearestTo(
    company: CompanyId,
    faces: readonly FaceId[],
    blacklists: DuplicateRunChoice['blacklists'],
  ): Promise<Map<FaceId, number>> {
    const { gallery, recognition } = this.#ports;
    const pipeline = recognition.pipelineOf(company);
    const calibration = recognition.calibrationOf(company, pipeline);
    if (calibration === undefined) return new Map();
    const { pairs } = await gallery.pairs(company, faces, {
      pipeline,
      watchlists: watchlistsOf(blacklists),
      maxDistance: distanceAtFmr(calibration, ALIKE_FMR),
      limit: MAX_ALIKE,
      against: 'all',
    });
    const own = new Set(faces);
    const nearest = new Map<FaceId, number>();
    for (const { first, second, distance } of pairs.toSorted((a, b) => a.distance - b.distance)) {
      const other = own.has(first) ? second : first;
      if (!own.has(other) && !nearest.has(other)) nearest.set(other, distance);
    }
    return nearest;
  }

  /** Faces that can be matched in the lists of a run. */
  async #matchable(company: CompanyId, blacklists: DuplicateRunChoice['blacklists']): Promise<number> {
    let total = 0;
    for (const watchlist of watchlistsOf(blacklists))
      total += await this.#ports.gallery.size(company, watchlist);
    return total;
  }

  /** Faces that the runs up to this one have compared, counted only where the number may have changed. */
  async #compared(company: CompanyId, latest: DuplicateRun, total: number): Promise<number> {
    const now = this.#ports.timer.elapsed();
    const known = this.#counted.get(company);
    // Enrolled faces are not compared yet. Erased ones may have been.
    if (known?.run === latest.id && total >= known.total && now - known.at < COUNT_VALID_MS)
      return known.compared;
    const compared = await this.#ports.duplicateRuns.comparedFaces(company, latest.base);
    this.#counted.set(company, { run: latest.id, total, at: now, compared });
    return compared;
  }

  /**
   * The work and the expected chance pairs of a run; measures the tail, which takes some seconds, unless there are fewer than two
   * faces. `seconds`: by the speed of the last run since the start of the service; null: unknown.
   */
  async plan(company: CompanyId, choice: DuplicateRunChoice) {
    const { duplicateRuns, recognition } = this.#ports;
    const pipeline = recognition.pipelineOf(company);
    const scope = { pipeline, blacklists: choice.blacklists };
    const base = choice.mode === 'new' ? await duplicateRuns.base(company, choice, pipeline) : undefined;
    const total = await this.#matchable(company, choice.blacklists);
    const compared = base === undefined ? 0 : await duplicateRuns.comparedFaces(company, base.id);
    const counts = { total, pending: Math.max(0, total - compared) };
    const comparisons = comparisonsOf(counts);
    const seconds = secondsAt(this.#speed, comparisons);
    if (counts.total < 2) return { counts, comparisons, tail: null, chance: null, seconds };
    const key = JSON.stringify([company, scope, counts.total]);
    if (this.#planned?.key !== key)
      this.#planned = { key, tail: measureGallery(this.#ports, company, scope, counts.total) };
    const planned = this.#planned;
    const tail = await planned.tail.catch((error: unknown) => {
      if (this.#planned === planned) this.#planned = undefined;
      throw error;
    });
    const distance = base?.maxDistance ?? distanceFor(tail, choice.oneIn, counts.total);
    return { counts, comparisons, tail, chance: chancePairs(tail, distance, counts), seconds };
  }

  /** Every run that can go on, one after the other, and then what is left of replaced ones. */
  async #round(): Promise<void> {
    const { duplicateRuns, timer, log } = this.#ports;
    try {
      for (const run of await duplicateRuns.running()) {
        if (!this.#rounds.running) return;
        await this.#carryOut(run);
      }
      while (this.#rounds.running && (await duplicateRuns.removeReplaced(REMOVAL_BATCH_SIZE)))
        await timer.yield();
    } catch (error) {
      log.error({ err: error }, 'a duplicate search cannot go on now; the service tries again');
      this.#rounds.wakeLater();
    }
  }

  async #carryOut(run: DuplicateRun): Promise<void> {
    const { duplicateRuns, recognition, timer, clock, log } = this.#ports;
    const current = { id: run.id, faces: new ProgressRate(timer), comparisons: new ProgressRate(timer) };
    this.#current = current;
    try {
      const done = await compareAll(this.#ports, run, {
        stopped: () => !this.#rounds.running,
        compared: async (pairs, faces, comparisons) => {
          current.faces.add(faces);
          current.comparisons.add(comparisons);
          this.#speed = current.comparisons.perSecond();
          await this.#report({ run, pairs, ended: false });
        },
      });
      if (!done) return;
      const act = { by: 'service', at: clock.now() } as const;
      if (!(await duplicateRuns.finish(run, { state: 'done' }, act))) return;
      log.info({ company: run.company, run: run.id }, 'a duplicate search has finished');
      await this.#report({ run, pairs: [], ended: true });
    } catch (error) {
      if (recognition.pipelineOf(run.company) === run.pipeline) throw error;
      const end = { state: 'failed', problem: 'PIPELINE_CHANGED' } as const;
      await duplicateRuns.finish(run, end, { by: 'service', at: clock.now() });
    } finally {
      this.#current = undefined;
    }
  }

  async #report(event: DuplicateSearchEvent): Promise<void> {
    for (const listener of this.#listeners) await listener(event);
  }
}

/** Null: no comparison has shown the speed yet. */
function secondsAt(speed: number | null, comparisons: number): number | null {
  return speed === null || speed === 0 ? null : comparisons / speed;
}
