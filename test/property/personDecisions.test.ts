/**
 * Random sequences of enrolment, erasure, duplicate searches, decisions, undos, changes of persons and of the pipeline, for which all
 * templates are extracted again, against the real store.
 * Persons and groups are compared with a model that replays the log of decisions and groups with loops over all faces.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { PERSON_DECISIONS, type PersonDecision } from '../../core/contracts/dashboard/duplicates.ts';
import { trusted, type FaceId, type PersonDecisionId, type PipelineId } from '../../core/contracts/ids.ts';
import { GroupService } from '../../core/domain/duplicates/groups.ts';
import { PersonService, type DecisionSubject } from '../../core/domain/persons/personService.ts';
import type { Decided, SeenGroup } from '../../core/domain/ports/persons.ts';
import type { Person } from '../../core/storage/persons/personRows.ts';
import { PLATFORM } from '../../core/platform/platform.ts';
import { TEST_ACT } from '../support/act.ts';
import {
  beginRun,
  closeNearPairSite,
  enrolSeeds,
  openNearPairSite,
  prepareHome,
  searchOf,
  type NearPairSite,
} from '../support/nearPairSite.ts';
import { randomOf, SEED } from '../support/seed.ts';
import { temporaryFolder, TEST_PIPELINE } from '../support/site.ts';
import { connectBeside, type OtherConnection } from '../support/anotherProcess.ts';
import { PersonModel, type Logged } from './personModel.ts';
import { outcomeOf } from '../support/outcomeOf.ts';

/** `VOUCH_RUNS=500` for the long run. */
const RUNS = Number(process.env.VOUCH_RUNS ?? 2);
const STEPS = 30;
const [SEEDS, MAX_FACES] = [60, 36];
const NEAR = 0.16;
/** Copies and photos next to each other on the arc are strong pairs. */
const STRONG = 0.03;
const OTHER_PIPELINE = 'other/1' as PipelineId;
/** Its distance of the rate that limits the pairs of a group is 0.26. */
const TAIL = {
  faces: 2,
  pairs: 1,
  strong: STRONG,
  measuredTo: 1,
  law: { at: 0.26, level: Math.sqrt(Math.log(1_000)), slope: -5 },
  error: { level: 0, slope: 0, both: 0 },
};
const CAP = 0.26;
/** Where the law of the tail reaches the rate of 1e-2, which limits the groups that a strong pair joins. */
const STRONG_CAP = CAP + (Math.sqrt(Math.log(1_000)) - Math.sqrt(Math.log(100))) / 5;
const EVERY_STATE = ['proposed', 'partlyDecided', 'accepted', 'deferred'] as const;

/** A point of an arc, so that distances are of all sizes. */
function arcVector(seed: number): Float32Array {
  const angle = 1.6 * (((seed + 1) * 0.618_033_988_75) % 1);
  return Float32Array.of(Math.cos(angle), Math.sin(angle), ...new Array<number>(14).fill(0));
}

type Shown = Pick<Person, 'id' | 'name' | 'note' | 'externalId'> & { its: FaceId[] };

class Sequence {
  readonly #home: string;
  readonly #random: (below: number) => number;
  readonly #model = new PersonModel();
  readonly #done = new Map<string, number>();
  #site!: NearPairSite;
  #groups!: GroupService;
  #personService!: PersonService;
  #beside!: OtherConnection;
  /** The faces that a person without photos had when it lost them. */
  readonly #former = new Map<number, FaceId[]>();

  constructor(t: TestContext, draw: number) {
    this.#home = temporaryFolder(t);
    const random = randomOf(SEED, draw);
    this.#random = (below) => Math.floor(random() * below);
  }

  /** @returns how often each step was done */
  async run(): Promise<Map<string, number>> {
    await prepareHome(this.#home);
    this.#site = await openNearPairSite(this.#home);
    const { storage, clock } = this.#site;
    this.#groups = new GroupService({ ...storage, ...PLATFORM, clock });
    this.#personService = new PersonService({ ...storage, groups: this.#groups });
    this.#beside = await connectBeside(this.#home);
    try {
      await this.#enrol(12);
      await this.#search();
      for (let step = 0; step < STEPS; step += 1) {
        const before = await this.#persons();
        const what = await this.#step();
        this.#done.set(what, (this.#done.get(what) ?? 0) + 1);
        await this.#check(before, what === 'erased');
      }
    } finally {
      await this.#beside.close();
      await closeNearPairSite(this.#site);
    }
    return this.#done;
  }

  async #step(): Promise<string> {
    const choice = this.#random(21);
    if (choice < 3) return this.#enrol(1 + this.#random(4));
    if (choice < 6) return this.#erase();
    if (choice < 7) return this.#search();
    if (choice < 13) return this.#decide();
    if (choice < 15) return this.#undo();
    if (choice < 16) return this.#changePipeline();
    return this.#changePersons();
  }

  async #enrol(count: number): Promise<string> {
    if (this.#model.vectors.size >= MAX_FACES) return this.#erase();
    const seeds = Array.from({ length: count }, () => this.#random(SEEDS));
    const faces = await enrolSeeds(this.#site, 'blacklist', seeds, arcVector);
    for (const [index, face] of faces.entries()) this.#model.vectors.set(face, arcVector(seeds[index]!));
    return 'enrolled';
  }

  async #erase(): Promise<string> {
    const { storage, company, list, gallery } = this.#site;
    const face = this.#pick([...this.#model.vectors.keys()]);
    if (face === undefined) return 'nothing';
    await storage.blacklists.deleteFace(company.id, list, trusted.face(face), TEST_ACT);
    gallery.remove(company.id, [trusted.face(face)]);
    this.#model.erase(face);
    return 'erased';
  }

  async #search(): Promise<string> {
    await beginRun(this.#site, this.#pick(['all', 'new'])!, NEAR, TAIL);
    const search = searchOf(this.#site);
    search.start();
    await search.idle();
    await search.stop();
    const latest = await this.#site.storage.duplicateRuns.latest(this.#site.company.id);
    assert.equal(latest?.state, 'done');
    Object.assign(this.#model, {
      compared: new Set(this.#model.vectors.keys()),
      near: NEAR,
      cap: CAP,
      strong: STRONG,
      strongCap: STRONG_CAP,
    });
    return 'searched';
  }

  /** Changes to another pipeline and back: twice, every template is extracted again. Persons stay, distances go until the next search. */
  async #changePipeline(): Promise<string> {
    const { pipelines } = this.#site.storage;
    const { id } = this.#site.company;
    const before = await this.#persons();
    for (const [from, to] of [
      [TEST_PIPELINE, OTHER_PIPELINE],
      [OTHER_PIPELINE, TEST_PIPELINE],
    ] as const) {
      const templates = [...this.#model.vectors].map(([face, vector]) => ({
        faceId: trusted.face(face),
        vector,
      }));
      await pipelines.begin(id, to, { chosen: true }, TEST_ACT);
      await pipelines.keep(id, to, templates);
      assert.ok(await pipelines.switchTo(id, to, TEST_ACT));
      assert.equal(await pipelines.discard(id, from, TEST_ACT), templates.length);
      assert.deepEqual(
        await this.#persons(),
        before,
        'persons, names and photos stay as they were corrected',
      );
    }
    this.#model.compared = new Set();
    return 'pipeline changed';
  }

  /** Decides about a group, a pair or some photos of it, or joins it with a face near it. */
  async #decide(): Promise<string> {
    const { company, storage } = this.#site;
    const groups = await this.#listed();
    const group = this.#pick(groups);
    if (group === undefined) return 'nothing';
    const faces = await storage.duplicateGroups.facesOf(company.id, group.id);
    const decision: PersonDecision = this.#pick(PERSON_DECISIONS)!;
    const about = await this.#subject(faces, groups);
    const seen = { id: group.id, version: group.version };
    const stale = { ...seen, version: seen.version - 1 };
    const asked = { about, decision, reason: null };
    const refused = await outcomeOf(this.#personService.decide(company.id, stale, asked, TEST_ACT));
    assert.equal(refused, 'GROUP_CHANGED');
    const expected = await this.#named(about, decision, faces);
    return this.#expect(expected, () => this.#personService.decide(company.id, seen, asked, TEST_ACT));
  }

  async #subject(
    faces: readonly FaceId[],
    groups: readonly SeenGroup[],
  ): Promise<Exclude<DecisionSubject, { kind: 'confirm' }>> {
    const choice = this.#random(8);
    const face = this.#pick(faces)!;
    if (choice < 3) return { kind: 'group' };
    if (choice < 5)
      return { kind: 'pair', first: face, second: this.#pick(faces.filter((other) => other !== face))! };
    if (choice < 7)
      return { kind: 'split', together: faces.filter((other) => other === face || this.#random(2) === 0) };
    const near = (await this.#groups.describe(this.#site.company.id, faces))?.alsoNear ?? [];
    const other = this.#pick(near)?.face;
    if (other === undefined) return { kind: 'group' };
    for (const group of groups) {
      const its = await this.#site.storage.duplicateGroups.facesOf(this.#site.company.id, group.id);
      if (its.includes(other)) return { kind: 'join', face: other, group };
    }
    return { kind: 'join', face: other, group: null };
  }

  async #named(
    about: Exclude<DecisionSubject, { kind: 'confirm' }>,
    decision: PersonDecision,
    faces: readonly FaceId[],
  ): Promise<Pick<Logged, 'kind' | 'faces'>> {
    const apart = (some: readonly FaceId[]) => ({
      kind: decision,
      faces: some.map((face, side) => ({ face, side: decision === 'different' ? side : 0 })),
    });
    switch (about.kind) {
      case 'group':
        return apart(faces);
      case 'pair':
        return apart([about.first, about.second]);
      case 'split': {
        const sides = faces.map((face) => ({ face, side: about.together.includes(face) ? 1 : 0 }));
        return { kind: about.together.length > 1 ? 'choose' : 'different', faces: sides };
      }
      case 'join': {
        const others =
          about.group === null
            ? [about.face]
            : await this.#site.storage.duplicateGroups.facesOf(this.#site.company.id, about.group.id);
        return {
          kind: 'same',
          faces: [...new Set([...faces, ...others])].map((face) => ({ face, side: 0 })),
        };
      }
    }
  }

  /** Makes a decision, compares the answer with the model, and sometimes undoes it at once. @param free faces that must have no person */
  async #expect(
    expected: Pick<Logged, 'kind' | 'faces'>,
    act: () => Promise<Decided>,
    free: readonly FaceId[] = [],
  ): Promise<string> {
    const before = await this.#everything();
    const isTaken = before.persons.some(({ its }) => its.some((face) => free.includes(face)));
    let decided: Decided | undefined;
    const outcome = await outcomeOf(
      act().then((made) => {
        decided = made;
      }),
    );
    const contradicts = this.#model.contradicts([
      ...this.#model.standing(),
      { ...expected, id: Infinity, undone: false },
    ]);
    assert.equal(outcome, isTaken ? 'FACE_HAS_PERSON' : contradicts ? 'DECISION_CONTRADICTED' : 'done');
    if (decided === undefined) {
      assert.deepEqual(await this.#everything(), before, 'a refused decision changes nothing');
      return 'refused';
    }
    if (this.#random(4) === 0) {
      await this.#personService.undo(this.#site.company.id, decided.decision, TEST_ACT);
      assert.deepEqual(await this.#everything(), before, 'an undo at once brings everything back');
      return 'undone at once';
    }
    this.#model.log.push({ ...expected, id: decided.decision, undone: false });
    return expected.kind;
  }

  async #undo(): Promise<string> {
    const decision = this.#pick(this.#model.log);
    if (decision === undefined) return 'nothing';
    const id = decision.id as PersonDecisionId;
    const before = await this.#everything();
    const outcome = await outcomeOf(this.#personService.undo(this.#site.company.id, id, TEST_ACT));
    const without = this.#model.standing().filter((other) => other !== decision);
    // A decision goes when nothing that is enrolled rests on it.
    const gone = !decision.faces.some(({ face }) => this.#model.vectors.has(face));
    if (outcome === 'NOT_FOUND' && gone) {
      this.#model.log.splice(this.#model.log.indexOf(decision), 1);
      return 'gone';
    }
    const expected = decision.undone
      ? 'DECISION_UNDONE'
      : this.#model.contradicts(without)
        ? 'DECISION_CONTRADICTED'
        : 'done';
    assert.equal(outcome, expected);
    if (outcome === 'done') decision.undone = true;
    else assert.deepEqual(await this.#everything(), before);
    return `undo ${outcome}`;
  }

  /** Merges, splits, renames and creates persons, and moves faces between them. */
  async #changePersons(): Promise<string> {
    const { company } = this.#site;
    const persons = await this.#persons();
    const [one, other] = [this.#pick(persons), this.#pick(persons)];
    const seen = async ({ id }: Shown) => (await this.#site.storage.persons.find(company.id, id))!;
    const choice = this.#random(8);
    if (one === undefined || other === undefined || choice === 0) {
      const faces = this.#someFaces();
      const same = { kind: 'same' as const, faces: faces.map((face) => ({ face, side: 0 })) };
      if (faces.length === 0) return 'nothing';
      return this.#expect(same, () => this.#personService.create(company.id, faces, {}, TEST_ACT), faces);
    }
    if (choice === 6) {
      const faces = this.#someFaces();
      const all = [...new Set([...one.its, ...faces])];
      const same = { kind: 'same' as const, faces: all.map((face) => ({ face, side: 0 })) };
      const added = { faces, reason: null };
      const act = async () => this.#personService.add(company.id, await seen(one), added, TEST_ACT);
      return this.#expect(same, act, faces);
    }
    if (choice === 7) {
      const faces = one.its.map((face) => ({ face, side: 1 }));
      return this.#expect({ kind: 'dissolve', faces }, async () =>
        this.#personService.dissolve(company.id, await seen(one), null, TEST_ACT),
      );
    }
    if (choice === 1) {
      const to = { name: `Person ${this.#random(1_000)}`, externalId: ['A', 'B'][this.#random(3)] ?? null };
      const outcome = await outcomeOf(this.#personService.change(company.id, await seen(one), to, TEST_ACT));
      const taken = persons.some(({ id, externalId }) => id !== one.id && externalId === to.externalId);
      assert.equal(outcome, taken && to.externalId !== null ? 'EXTERNAL_ID_TAKEN' : 'done');
      return 'change';
    }
    const sided = (faces: readonly FaceId[], side: number) => faces.map((face) => ({ face, side }));
    if (choice === 2 && one.id !== other.id) {
      const merge = { kind: 'merge' as const, faces: [...sided(one.its, 0), ...sided(other.its, 1)] };
      const pair = { target: await seen(one), source: await seen(other) };
      return this.#expect(merge, () => this.#personService.merge(company.id, pair, null, TEST_ACT));
    }
    if (one.its.length < 2) return 'nothing';
    const away = this.#some(one.its, one.its.length - 1);
    if (choice < 5) {
      const named = one.its.map((face) => ({ face, side: away.includes(face) ? 1 : 0 }));
      const split = { faces: away, name: 'Another', reason: null };
      return this.#expect({ kind: 'split', faces: named }, async () =>
        this.#personService.split(company.id, await seen(one), split, TEST_ACT),
      );
    }
    const to = one.id === other.id ? null : other;
    const named = one.its.map((face) => ({ face, side: away.includes(face) ? 1 : 0 }));
    return this.#expect({ kind: 'move', faces: [...named, ...sided(to?.its ?? [], 2)] }, async () => {
      const target = to === null ? null : await seen(to);
      return this.#personService.move(
        company.id,
        await seen(one),
        { faces: away, to: target, reason: null },
        TEST_ACT,
      );
    });
  }

  async #check(before: readonly Shown[], erased: boolean): Promise<void> {
    const persons = await this.#persons();
    const faces = persons.map(({ its }) => its).toSorted((a, b) => a[0]! - b[0]!);
    const expected = this.#model.persons().toSorted((a, b) => a[0]! - b[0]!);
    assert.deepEqual(faces, expected, 'persons follow from the decisions');
    assert.deepEqual(await this.#shownGroups(), this.#model.groups(), 'groups follow from the distances');
    await this.#checkRows(before, persons, erased);
  }

  /** A person's row goes with its last photo; a person that was merged keeps it while a photo that it had is enrolled. */
  async #checkRows(before: readonly Shown[], persons: readonly Shown[], erased: boolean): Promise<void> {
    const shown = new Set<number>(persons.map(({ id }) => id));
    for (const { id, its } of before) if (!shown.has(id) && !erased) this.#former.set(id, its);
    const { vectors } = this.#model;
    for (const id of await this.#beside.ids('select id from person'))
      if (!shown.has(id))
        assert.ok(
          this.#former.get(id)?.some((face) => vectors.has(face)),
          `person ${id} has no photo, and none can return`,
        );
    for (const [table, column] of [
      ['near_pair', 'first_face'],
      ['near_pair', 'second_face'],
      ['compared_face', 'face_id'],
      ['person_face', 'face_id'],
      ['duplicate_group_face', 'face_id'],
    ])
      for (const face of await this.#beside.ids(`select ${column!} as id from ${table!}`))
        assert.ok(vectors.has(face), `${table} names face ${face}`);
  }

  async #everything() {
    return { persons: await this.#persons(), groups: await this.#shownGroups() };
  }

  async #persons(): Promise<Shown[]> {
    const { storage, company } = this.#site;
    const rows = await storage.persons.list(company.id, { order: 'newest', limit: 1_000 });
    return Promise.all(
      rows.map(async ({ id, name, note, externalId }) => ({
        id,
        name,
        note,
        externalId,
        its: await storage.persons.facesOf(company.id, id),
      })),
    );
  }

  async #listed() {
    const { storage, company } = this.#site;
    await this.#groups.refresh(company.id);
    const page = { order: 'newest', limit: 1_000 } as const;
    return storage.duplicateGroups.list(company.id, { states: EVERY_STATE }, page);
  }

  async #shownGroups() {
    const { storage, company } = this.#site;
    const shown = [];
    for (const { id, link, widest, state } of await this.#listed())
      shown.push({
        faces: await storage.duplicateGroups.facesOf(company.id, id),
        link,
        widest,
        state,
      });
    return shown.toSorted((a, b) => a.faces[0]! - b.faces[0]!);
  }

  /** One of them at least, and so many at most, in a random order. */
  #some<T>(of: readonly T[], most: number): T[] {
    const left = [...of];
    const count = Math.min(left.length, 1 + this.#random(most));
    return Array.from({ length: count }, () => left.splice(this.#random(left.length), 1)[0]!);
  }

  #someFaces(): FaceId[] {
    return this.#some(
      [...this.#model.vectors.keys()].map((face) => trusted.face(face)),
      2,
    );
  }

  #pick<T>(of: readonly T[]): T | undefined {
    return of[this.#random(of.length)];
  }
}

test('persons and groups follow from decisions over random sequences', async (t) => {
  t.diagnostic(`VOUCH_SEED=${SEED}`);
  const done = new Map<string, number>();
  for (let draw = 0; draw < RUNS; draw += 1)
    for (const [what, count] of await new Sequence(t, draw).run())
      done.set(what, (done.get(what) ?? 0) + count);
  t.diagnostic([...done].map(([what, count]) => `${what}: ${count}`).join(', '));
  assert.ok((done.get('erased') ?? 0) > 0 && (done.get('same') ?? 0) > 0, 'people were decided and erased');
});
