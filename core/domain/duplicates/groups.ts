/** Keeps the groups of a company in step with its near pairs, its decisions and its faces. */
import type { CompanyId, DuplicateRunId, FaceId } from '../../contracts/ids.ts';
import { KeyedMutex } from '../work/turns.ts';
import type { NearPair } from '../ports/duplicates.ts';
import type { Platform } from '../ports/machine.ts';
import { barsOf, barsSomeOf, foundGroups, type Component } from './component.ts';
import type { DuplicateRun, DuplicateRuns } from '../../storage/duplicates/runs.ts';
import type { Faces } from '../../storage/faces/faces.ts';
import type { Persons } from '../../storage/persons/persons.ts';
import { comparisonsOf } from './rate.ts';
import { expectedWithin } from './tail.ts';
import type { PersonDecision, NotJoined } from '../../contracts/dashboard/duplicates.ts';
import { SIDE, type StandingDecision } from '../ports/persons.ts';
import { distanceOf } from './grouping.ts';
import type { Storage } from '../../storage/index.ts';
import { Service } from '../serviceParts.ts';

// How much of what is as near as a group chance does not explain.

/** Steps of the distance of a run. */
export const STEPS = 256;
/** No certainty above is stated: the law of chance is extrapolated, and twins are nearer than it says. */
export const HIGHEST_CERTAINTY = 0.999;

interface Certainty {
  /** Of the near pairs within a distance the share that is not expected by chance, 0 to {@link HIGHEST_CERTAINTY}; it falls with the distance. */
  at: (link: number) => number;
  /** The largest distance of at least this certainty; 0: there is none. */
  distanceOf: (certainty: number) => number;
}

/** @param counts near pairs of different photos in {@link STEPS} equal steps up to the distance of the run */
export function certaintyOf(
  run: Pick<DuplicateRun, 'tail' | 'maxDistance' | 'total'>,
  counts: readonly number[],
): Certainty {
  const { tail, maxDistance, total } = run;
  if (tail === null || maxDistance === null || maxDistance === 0)
    return { at: () => HIGHEST_CERTAINTY, distanceOf: () => 2 };
  const width = maxDistance / STEPS;
  const comparisons = comparisonsOf({ total, pending: total });
  const certainties = new Float64Array(STEPS);
  let found = 0;
  for (let step = 0; step < STEPS; step += 1) {
    found += counts[step] ?? 0;
    const chance = expectedWithin(tail, comparisons, (step + 1) * width).value;
    const explained = found === 0 ? 0 : chance / found;
    certainties[step] = Math.min(HIGHEST_CERTAINTY, Math.max(0, 1 - explained));
  }
  for (let step = STEPS - 2; step >= 0; step -= 1)
    certainties[step] = Math.max(certainties[step]!, certainties[step + 1]!);
  return {
    at: (link) => certainties[Math.min(STEPS - 1, Math.floor(link / width))]!,
    distanceOf: (certainty) => (certainties.findLastIndex((reached) => reached >= certainty) + 1) * width,
  };
}

/** Near pairs that are read at a time, and faces whose components are grouped together. */
const [PAIR_PAGE_SIZE, FACE_BATCH_SIZE] = [5_000, 200];
const VECTOR_BATCH_SIZE = 500;

export interface GroupPorts extends Pick<Storage, 'duplicateGroups'>, Pick<Platform, 'clock' | 'timer'> {
  duplicateRuns: Pick<DuplicateRuns, 'latest' | 'pairs' | 'pairsOf'>;
  persons: Pick<Persons, 'standing' | 'awaiting'>;
  faces: Pick<Faces, 'vectors'>;
}

export class GroupService extends Service<GroupPorts> {
  readonly #mutex = new KeyedMutex<CompanyId>();
  /** Of the last run of each company: a screen asks for every group, and the answer changes with a run. */
  readonly #certainties = new Map<CompanyId, { run: DuplicateRunId; certainty: Certainty }>();

  /** Groups all faces if a run has ended since they were grouped, and those of groups that have changed. */
  refresh(company: CompanyId): Promise<void> {
    return this.#mutex.run(company, async () => {
      const { duplicateRuns, duplicateGroups } = this.ports;
      const run = await duplicateRuns.latest(company);
      // There are no groups yet.
      if (run === undefined) return;
      if ((await duplicateGroups.groupedRun(company)) !== run.id) {
        await duplicateGroups.regroupAll(company);
        await this.#groupAll(company);
        await duplicateGroups.markGrouped(company, run.id);
      }
      for (;;) {
        const { faces, until, hasMore } = await duplicateGroups.changes(company);
        if (faces.length > 0) await this.#group(company, faces, until);
        // The refresh of a later change is for what has changed since.
        if (!hasMore) return;
      }
    });
  }

  /** The rates for the distances of groups; undefined: no run has finished yet. */
  async certainty(company: CompanyId): Promise<Certainty | undefined> {
    const run = await this.ports.duplicateRuns.latest(company);
    if (run === undefined) return undefined;
    const kept = this.#certainties.get(company);
    if (kept?.run === run.id) return kept.certainty;
    const certainty = certaintyOf(run, await this.ports.duplicateGroups.distances(company, run, STEPS));
    this.#certainties.set(company, { run: run.id, certainty });
    return certainty;
  }

  /** The faces of a group with what links and parts them, for a reviewer; undefined: no run has finished. */
  async describe(company: CompanyId, faces: readonly FaceId[]): Promise<GroupView | undefined> {
    const near = (await this.ports.duplicateRuns.pairsOf(company, faces)).flatMap(({ first, second }) => [
      first,
      second,
    ]);
    const run = await this.ports.duplicateRuns.latest(company);
    const component =
      run &&
      (await this.#read(
        company,
        run,
        [...new Set([...faces, ...near])].toSorted((a, b) => a - b),
      ));
    return component && viewOf(component, faces);
  }

  async #groupAll(company: CompanyId): Promise<void> {
    const { duplicateRuns, timer } = this.ports;
    let seeds = new Set<FaceId>();
    const done = new Set<FaceId>();
    const flush = async () => {
      const left = [...seeds].filter((face) => !done.has(face));
      seeds = new Set();
      if (left.length > 0) for (const face of await this.#group(company, left)) done.add(face);
      await timer.yield();
    };
    for (let last: NearPair | undefined; ;) {
      const page = await duplicateRuns.pairs(company, { limit: PAIR_PAGE_SIZE, after: last });
      for (const { first, second } of page) {
        if (!done.has(first)) seeds.add(first).add(second);
        if (seeds.size >= FACE_BATCH_SIZE) await flush();
      }
      last = page.at(-1);
      if (last === undefined) break;
    }
    await flush();
  }

  /**
   * @param before the last change of the groups before the seeds were read; undefined: it is not known
   * @returns the faces that were grouped: these and all that they are linked to
   */
  async #group(company: CompanyId, seeds: readonly FaceId[], before?: number): Promise<readonly FaceId[]> {
    const { duplicateGroups, duplicateRuns, clock } = this.ports;
    for (let known = before; ; known = undefined) {
      const until = known ?? (await duplicateGroups.changes(company)).until;
      // Read after the last change: when a run that ends later is grouped, that is a change.
      const [faces, run] = await Promise.all([this.#linked(company, seeds), duplicateRuns.latest(company)]);
      if (run === undefined) return faces;
      const component = await this.#read(company, run, faces);
      const groups = foundGroups(component);
      const rejected = (members: readonly FaceId[]) => barsSomeOf(component.standing, members);
      // A decision or a run that came in between is read with the next turn.
      if (await duplicateGroups.replace(company, faces, groups, { until, rejected, at: clock.now() }))
        return faces;
    }
  }

  /** These faces, those near them, those of the same persons, and so on; by rising ids. */
  async #linked(company: CompanyId, seeds: readonly FaceId[]): Promise<FaceId[]> {
    const { duplicateRuns, duplicateGroups } = this.ports;
    const found = new Set(seeds);
    for (let next = [...seeds]; next.length > 0;) {
      const [pairs, samePersons] = await Promise.all([
        duplicateRuns.pairsOf(company, next),
        duplicateGroups.samePersons(company, next),
      ]);
      const linked = [...pairs.flatMap(({ first, second }) => [first, second]), ...samePersons];
      next = [...new Set(linked)].filter((face) => !found.has(face));
      for (const face of next) found.add(face);
    }
    return [...found].toSorted((a, b) => a - b);
  }

  async #read(company: CompanyId, run: DuplicateRun, faces: readonly FaceId[]): Promise<Component> {
    const { duplicateRuns, duplicateGroups, persons } = this.ports;
    const facts = new Map(
      (await duplicateGroups.facts(company, run.base, faces)).map((fact) => [fact.face, fact]),
    );
    const known = [...facts.keys()];
    const vectors = new Map<FaceId, Float32Array>();
    for (let start = 0; start < known.length; start += VECTOR_BATCH_SIZE) {
      const page = known.slice(start, start + VECTOR_BATCH_SIZE);
      for (const [face, vector] of await this.ports.faces.vectors(company, run.pipeline, page))
        vectors.set(face, vector);
    }
    const pairs = await duplicateRuns.pairsOf(company, known);
    const [standing, awaiting] = await Promise.all([
      persons.standing(company, faces),
      persons.awaiting(company, faces),
    ]);
    return { run, facts, vectors, pairs, standing, awaiting, bars: barsOf(standing, facts) };
  }
}

// A group as a reviewer sees it: its pairs, and the faces near it that are not in it.

interface ViewedPair {
  first: FaceId;
  second: FaceId;
  distance: number;
  identical: boolean;
  /** The last decision that stands about both. */
  decision: PersonDecision | null;
}

interface GroupView {
  /** The least similar first. */
  pairs: ViewedPair[];
  /** Faces near one of the group, with the distance of their nearest pair; the nearest first. */
  alsoNear: { face: FaceId; distance: number; why: NotJoined }[];
}

/** @param faces of the group, by rising ids */
function viewOf({ facts, vectors, pairs, standing, bars }: Component, faces: readonly FaceId[]): GroupView {
  const known = faces.filter((face) => vectors.has(face));
  const viewed = known.flatMap((first, index) =>
    known.slice(index + 1).map((second) => ({
      first,
      second,
      distance: distanceOf(vectors.get(first)!, vectors.get(second)!),
      identical: facts.get(first)?.file === facts.get(second)?.file,
    })),
  );
  const members = new Set(faces);
  const nearest = new Map<FaceId, { distance: number; member: FaceId }>();
  for (const { first, second, distance } of pairs) {
    if (members.has(first) === members.has(second)) continue;
    const [member, face] = members.has(first) ? [first, second] : [second, first];
    if (distance < (nearest.get(face)?.distance ?? Infinity)) nearest.set(face, { distance, member });
  }
  const alsoNear = [...nearest].map(([face, { distance }]) => ({
    face,
    distance,
    why:
      known.map((member) => bars.between(member, face)).find((why) => why !== undefined) ??
      ('tooFar' as const),
  }));
  return {
    pairs: viewed
      .toSorted((a, b) => b.distance - a.distance || a.first - b.first || a.second - b.second)
      .map((pair) => ({ ...pair, decision: decisionAbout(pair, standing) })),
    alsoNear: alsoNear.toSorted((a, b) => a.distance - b.distance || a.face - b.face),
  };
}

function decisionAbout(
  { first, second }: { first: FaceId; second: FaceId },
  standing: readonly StandingDecision[],
): PersonDecision | null {
  for (const decision of standing.toReversed()) {
    const one = decision.faces.find(({ face }) => face === first);
    const other = decision.faces.find(({ face }) => face === second);
    const verdict = one && other && verdictOf(decision.kind, one.side, other.side);
    if (verdict !== undefined) return verdict;
  }
  return null;
}

function verdictOf(kind: StandingDecision['kind'], one: number, other: number): PersonDecision | undefined {
  if (kind === 'unsure') return 'unsure';
  if (kind === 'dissolve') return undefined;
  if (kind === 'merge') return 'same';
  if (one === other)
    return kind === 'choose' && one !== SIDE.chosen ? undefined : kind === 'different' ? undefined : 'same';
  return kind === 'move' && (one === SIDE.target || other === SIDE.target) ? 'same' : 'different';
}
