/** Keeps the groups of a company in step with its near pairs, its decisions and its faces. */
import type { CompanyId, DuplicateRunId, FaceId } from '../../contracts/ids.ts';
import { KeyedMutex } from '../common/keyedMutex.ts';
import type { NearPair } from '../ports/duplicates.ts';
import type { Clock, Timer } from '../ports/machine.ts';
import { barsOf } from './bars.ts';
import { certaintyOf, STEPS, type Certainty } from './certainty.ts';
import { barsSomeOf, foundGroups, type Component } from './component.ts';
import { viewOf, type GroupView } from './groupView.ts';
import type { DuplicateRuns } from '../../storage/duplicates/runs.ts';
import type { Faces } from '../../storage/faces/faces.ts';
import type { Persons } from '../../storage/persons/persons.ts';
import type { DuplicateGroups } from '../../storage/persons/groups.ts';

/** Near pairs that are read at a time, and faces whose components are grouped together. */
const [PAIR_PAGE_SIZE, FACE_BATCH_SIZE] = [5_000, 200];
const VECTOR_BATCH_SIZE = 500;

export interface GroupPorts {
  duplicateRuns: Pick<DuplicateRuns, 'latest' | 'pairs' | 'pairsOf'>;
  duplicateGroups: DuplicateGroups;
  persons: Pick<Persons, 'standing' | 'awaiting'>;
  faces: Pick<Faces, 'vectors'>;
  clock: Clock;
  timer: Timer;
}

export class GroupService {
  readonly #ports: GroupPorts;
  readonly #mutex = new KeyedMutex<CompanyId>();
  /** Of the last run of each company: a screen asks for every group, and the answer changes with a run. */
  readonly #certainties = new Map<CompanyId, { run: DuplicateRunId; certainty: Certainty }>();

  constructor(ports: GroupPorts) {
    this.#ports = ports;
  }

  /** Groups all faces if a run has ended since they were grouped, and those of groups that have changed. */
  refresh(company: CompanyId): Promise<void> {
    return this.#mutex.run(company, async () => {
      const { duplicateRuns, duplicateGroups } = this.#ports;
      const run = await duplicateRuns.latest(company);
      if (run !== undefined && (await duplicateGroups.groupedRun(company)) !== run.id) {
        await duplicateGroups.regroupAll(company);
        await this.#groupAll(company);
        await duplicateGroups.markGrouped(company, run.id);
      }
      for (;;) {
        const faces = await duplicateGroups.facesToGroup(company);
        if (faces.length === 0) return;
        await this.#group(company, faces);
      }
    });
  }

  /** The rates for the distances of groups; undefined: no run has finished yet. */
  async certainty(company: CompanyId): Promise<Certainty | undefined> {
    const run = await this.#ports.duplicateRuns.latest(company);
    if (run === undefined) return undefined;
    const kept = this.#certainties.get(company);
    if (kept?.run === run.id) return kept.certainty;
    const certainty = certaintyOf(run, await this.#ports.duplicateGroups.distances(company, run, STEPS));
    this.#certainties.set(company, { run: run.id, certainty });
    return certainty;
  }

  /** The faces of a group with what links and parts them, for a reviewer; undefined: no run has finished. */
  async describe(company: CompanyId, faces: readonly FaceId[]): Promise<GroupView | undefined> {
    const near = (await this.#ports.duplicateRuns.pairsOf(company, faces)).flatMap(({ first, second }) => [
      first,
      second,
    ]);
    const component = await this.#read(
      company,
      [...new Set([...faces, ...near])].toSorted((a, b) => a - b),
    );
    return component && viewOf(component, faces);
  }

  async #groupAll(company: CompanyId): Promise<void> {
    const { duplicateRuns, timer } = this.#ports;
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

  /** @returns the faces that were grouped: these and all that they are linked to */
  async #group(company: CompanyId, seeds: readonly FaceId[]): Promise<readonly FaceId[]> {
    const { duplicateGroups, clock } = this.#ports;
    for (;;) {
      const until = await duplicateGroups.lastChange(company);
      const faces = await this.#linked(company, seeds);
      const component = await this.#read(company, faces);
      const groups = component === undefined ? [] : foundGroups(component);
      const standing = component?.standing ?? (await this.#ports.persons.standing(company, faces));
      const rejected = (members: readonly FaceId[]) => barsSomeOf(standing, members);
      // A decision that came in between is read with the next turn.
      if (await duplicateGroups.replace(company, faces, groups, { until, rejected, at: clock.now() }))
        return faces;
    }
  }

  /** These faces, those near them, those of the same persons, and so on; by rising ids. */
  async #linked(company: CompanyId, seeds: readonly FaceId[]): Promise<FaceId[]> {
    const { duplicateRuns, duplicateGroups } = this.#ports;
    const found = new Set(seeds);
    for (let next = [...seeds]; next.length > 0;) {
      const pairs = await duplicateRuns.pairsOf(company, next);
      const linked = [
        ...pairs.flatMap(({ first, second }) => [first, second]),
        ...(await duplicateGroups.samePersons(company, next)),
      ];
      next = [...new Set(linked)].filter((face) => !found.has(face));
      for (const face of next) found.add(face);
    }
    return [...found].toSorted((a, b) => a - b);
  }

  async #read(company: CompanyId, faces: readonly FaceId[]): Promise<Component | undefined> {
    const { duplicateRuns, duplicateGroups, persons } = this.#ports;
    const run = await duplicateRuns.latest(company);
    if (run === undefined) return undefined;
    const facts = new Map(
      (await duplicateGroups.facts(company, run.base, faces)).map((fact) => [fact.face, fact]),
    );
    const known = [...facts.keys()];
    const vectors = new Map<FaceId, Float32Array>();
    for (let start = 0; start < known.length; start += VECTOR_BATCH_SIZE) {
      const page = known.slice(start, start + VECTOR_BATCH_SIZE);
      for (const [face, vector] of await this.#ports.faces.vectors(company, run.pipeline, page))
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
