import type { CompanyId, FaceId, PipelineId } from '../contracts/ids.ts';
import { KeyedMutex, SharedRuns } from '../domain/work/turns.ts';
import type {
  GalleryChanges,
  GalleryCursor,
  GalleryEntry,
  GalleryFeed,
  GalleryMoment,
} from '../domain/ports/gallery.ts';
import { UnavailableError, type Logger } from '../domain/ports/machine.ts';

/** Milliseconds that a search waits for the newest changes. */
const READ_TIMEOUT_MS = 10_000;
/** Milliseconds between two steps where no search asks for one: they keep each step small. */
const POLL_INTERVAL_MS = 1_000;
/** Milliseconds for which recent changes are kept. Screening one verification takes less. */
const RECENT = 60_000;

/** The galleries of a service, which the follower keeps up to date. */
export interface Following {
  /** Another service may have changed the pipelines of these companies. */
  changePipelines(pipelines: GalleryChanges['pipelines']): Promise<void>;
  /** Sets faces to what the store holds, in one turn: a search sees all of the changes or none. */
  apply(faces: GalleryChanges['faces']): void;
  /** Makes every face agree with the store, after changes were missed. */
  reset(pipelines: ReadonlyMap<CompanyId, PipelineId>): Promise<void>;
}

/** A face that was changed, as it matched afterwards in each pipeline. */
interface RecentChange {
  moment: number;
  entries: readonly GalleryEntry[];
}

/** Keeps the galleries in memory in step with a store that other services write to. */
export class Follower {
  readonly #feed: GalleryFeed;
  readonly #following: Following;
  readonly #log: Pick<Logger, 'error'>;
  readonly #steps = new SharedRuns<'gallery'>(() => this.exclusively(() => this.#step()));
  readonly #turns = new KeyedMutex<'gallery'>();
  /** Absent: changes may have been missed. */
  #cursor: GalleryCursor | undefined;
  #resets = 0;
  #moment = 0;
  /** Changes of the last moments. */
  readonly #recent = new Map<CompanyId, Map<FaceId, RecentChange>>();
  /** All changes after this moment are in `#recent`. */
  #completeSince = 0;
  #times: { moment: number; time: number }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #failing = false;

  constructor(feed: GalleryFeed, following: Following, log: Pick<Logger, 'error'>) {
    this.#feed = feed;
    this.#following = following;
    this.#log = log;
  }

  /** Before the galleries are filled: what is committed from now on is followed. @returns the pipeline of each company */
  async begin(): Promise<ReadonlyMap<CompanyId, PipelineId>> {
    const { cursor, pipelines } = await this.#feed.begin();
    this.#cursor = cursor;
    return pipelines;
  }

  /** Follows also while there are no searches. */
  start(): void {
    this.#timer = setInterval(() => {
      this.hint();
    }, POLL_INTERVAL_MS).unref();
  }

  stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    return this.exclusively(() => Promise.resolve());
  }

  /** The store was changed: follows soon. The next search follows in any case. */
  hint(): void {
    this.#steps.run('gallery').then(
      () => (this.#failing = false),
      (error: unknown) => {
        if (!this.#failing && !this.#stopped)
          this.#log.error({ err: error }, 'searches fail until the database can be read');
        this.#failing = true;
      },
    );
  }

  /**
   * Resolves when the galleries hold what was committed before this call.
   * @throws {UnavailableError} the database cannot be read, or it takes too long
   */
  async caughtUp(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(
          new UnavailableError(
            `The gallery could not read the newest changes within ${READ_TIMEOUT_MS / 1_000} seconds. Try again.`,
          ),
        );
      }, READ_TIMEOUT_MS);
    });
    try {
      await Promise.race([this.#steps.run('gallery'), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Does work during which no change is applied. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run('gallery', work);
  }

  /** Grows when a reset begins and when it ends: a search that ran meanwhile may have seen half of it. */
  get resets(): number {
    return this.#resets;
  }

  async moment(): Promise<GalleryMoment> {
    await this.caughtUp();
    return this.#moment as GalleryMoment;
  }

  /** @returns undefined: the moment is too long ago, or changes were missed since */
  async changedSince(
    company: CompanyId,
    moment: GalleryMoment,
  ): Promise<ReadonlyMap<FaceId, readonly GalleryEntry[]> | undefined> {
    await this.caughtUp();
    if (moment < this.#completeSince) return undefined;
    const changed = [...(this.#recent.get(company) ?? [])].filter(([, recent]) => recent.moment > moment);
    return new Map(changed.map(([face, { entries }]) => [face, entries]));
  }

  async #step(): Promise<void> {
    const changes = (this.#cursor && (await this.#feed.changesSince(this.#cursor))) ?? (await this.#reset());
    if (changes.pipelines.size > 0) await this.#following.changePipelines(changes.pipelines);
    if (changes.faces.length > 0) {
      this.#following.apply(changes.faces);
      this.#record(changes.faces);
    }
    this.#cursor = changes.cursor;
  }

  /** Begins with a new cursor. @returns what was committed during the reset */
  async #reset(): Promise<GalleryChanges> {
    this.#cursor = undefined;
    this.#resets++;
    try {
      const { cursor, pipelines } = await this.#feed.begin();
      await this.#following.reset(pipelines);
      const changes = await this.#feed.changesSince(cursor);
      if (changes === undefined)
        throw new UnavailableError('The connection to the database was lost once more. Try again.');
      return changes;
    } finally {
      this.#resets++;
      this.#recent.clear();
      this.#times = [];
      this.#completeSince = ++this.#moment;
    }
  }

  #record(faces: GalleryChanges['faces']): void {
    const time = performance.now();
    const moment = ++this.#moment;
    this.#times.push({ moment, time });
    for (const { company, faceId, entries } of faces) {
      const recent = this.#recent.get(company) ?? new Map<FaceId, RecentChange>();
      this.#recent.set(company, recent);
      recent.delete(faceId);
      recent.set(faceId, { moment, entries });
    }
    this.#dropBefore(time - RECENT);
  }

  /** Drops the changes before a time; the oldest ones of a company come first. */
  #dropBefore(before: number): void {
    const kept = this.#times.findIndex(({ time }) => time >= before);
    if (kept <= 0) return;
    this.#completeSince = this.#times[kept - 1]!.moment;
    this.#times = this.#times.slice(kept);
    for (const [company, recent] of this.#recent) {
      for (const [face, { moment }] of recent) {
        if (moment > this.#completeSince) break;
        recent.delete(face);
      }
      if (recent.size === 0) this.#recent.delete(company);
    }
  }
}
