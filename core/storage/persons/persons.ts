import { sql } from 'kysely';
import type { CompanyId, FaceId, PersonDecisionId, PersonId, PipelineId } from '../../contracts/ids.ts';
import { type AuditContext, isOperator, type Actor } from '../../domain/ports/auditContext.ts';
import type {
  Decided,
  PersonFilter,
  NewDecision,
  PersonPage,
  SeenPersons,
  StandingDecision,
  SeenGroup,
  DecisionKind,
  NamedFace,
} from '../../domain/ports/persons.ts';
import type { RequestDigests } from '../home/installationKeys.ts';
import { cellsOf } from '../engine/cells.ts';
import { together, writing, type Transaction } from '../engine/database.ts';
import { listed, unusedIds } from '../engine/dialect.ts';
import { renewKey } from '../engine/searchKeys.ts';
import {
  AWAITS,
  awaitingOf,
  decisionsAbout,
  insertEntry,
  recordsWhere,
  repeatedRequest,
  standingOf,
  refused,
  toDecisions,
  type Confirmation,
} from './decisions.ts';
import { derivePersons } from './derive.ts';
import { recordDecision, regroup } from './recordDecision.ts';
import { isOutdated, requireFree, requireSeen } from './requirements.ts';
import { hasPassed } from '../../domain/values/time.ts';
import { creatorOf } from '../credentials/credentialRows.ts';
import {
  describeFaces,
  facesOfPerson,
  furtherPhotos,
  HAS_FACES,
  matches,
  personsOf,
  newestOfSeveral,
  personsWithFaces,
  toPerson,
  type DecisionRecord,
  type Person,
} from './personRows.ts';
import { countOf, AuditedRowsWith, rowsWith, changeRows } from '../engine/rows.ts';

// When a decision needs a second operator, and who may be the second one.

/** For so long the operator who chose another one's passphrase counts as the same person, milliseconds. */
export const GIVEN_LIMIT = 30 * 24 * 60 * 60 * 1000;

/** Whether a decision about a group makes its faces one person. */
function acceptsFaces(kind: DecisionKind): boolean {
  return kind === 'same' || kind === 'choose';
}

/**
 * Whether an account may confirm a decision. An operator cannot confirm an own decision, nor one that a program made with a
 * credential of that operator, and a program cannot confirm any: the rule asks for two people.
 * An operator who created an account or reset its passphrase within {@link GIVEN_LIMIT} can use it, and counts as its holder.
 * @param first the accounts of those who may have decided first: the account, and all who could use it
 * @param second the same of the account that confirms, itself first
 */
function mayConfirm(first: readonly Actor[], second: readonly Actor[]): boolean {
  const [account] = second;
  if (account === undefined || (account !== 'local-admin' && !isOperator(account))) return false;
  return !second.some((holder) => first.includes(holder));
}

/** By this factor longer than a count of photos took it is used. */
const COUNT_SERVES = 100;

export class Persons extends AuditedRowsWith<{ digests: RequestDigests }> {
  /** By rising ids. */
  readonly facesOf = facesOfPerson.bind(undefined, this.db);
  /** The persons of those of these faces that have one. */
  readonly ofFaces = personsOf.bind(undefined, this.db);
  /** The same, each with all of its faces. */
  readonly withAllFaces = personsWithFaces.bind(undefined, this.db);
  readonly newestOfSeveral = newestOfSeveral.bind(undefined, this.db);
  /** Those that wait for a second operator. */
  readonly awaiting = awaitingOf.bind(undefined, this.db);
  /** Those of them that take effect, by rising ids. */
  readonly standing = standingOf.bind(undefined, this.db);
  /** The facts that show a reviewer where faces are from; missing ones are left out. By rising ids. */
  readonly describe = describeFaces.bind(undefined, this.db);
  readonly #counted = new Map<
    CompanyId,
    { pipeline: PipelineId; further: ReturnType<typeof furtherPhotos>; until: number }
  >();

  /**
   * The faces of each list in the gallery beyond the first of each person, as {@link furtherPhotos} counts them. A count serves for a hundred
   * times as long as it took: counting takes at most 1 % of the time, and a small company is always counted anew.
   */
  furtherPhotos(company: CompanyId, pipeline: PipelineId): ReturnType<typeof furtherPhotos> {
    const began = performance.now();
    const last = this.#counted.get(company);
    if (last?.pipeline === pipeline && began < last.until) return last.further;
    const counted = { pipeline, further: furtherPhotos(this.db, company, pipeline), until: Infinity };
    this.#counted.set(company, counted);
    const served = () => {
      const ended = performance.now();
      counted.until = ended + COUNT_SERVES * (ended - began);
    };
    counted.further.then(served, () => this.#counted.delete(company));
    return counted.further;
  }

  /**
   * Appends a decision and derives the persons it touches, in one transaction.
   * @param seen refused when one of them changed since
   * @param free refused when one of these faces belongs to a person
   * @throws {CodedError} it is refused
   */
  decide(
    company: CompanyId,
    decision: NewDecision,
    act: AuditContext,
    conditions: { seen?: SeenPersons; free?: readonly FaceId[] } | undefined = {},
  ): Promise<Decided> {
    return this.#writing(company, act, (trx, keyed) =>
      this.#decide(trx, company, { decision, act: keyed, ...conditions }),
    );
  }

  /**
   * Decides about groups as an operator saw them.
   * @param confirms the waiting decision that the operator confirms
   * @returns undefined: one of the groups has changed or must be grouped once more, or that decision waits no more
   * @throws {CodedError} it is refused
   */
  decideGroups(
    company: CompanyId,
    decision: NewDecision,
    act: AuditContext,
    seen: { groups: readonly SeenGroup[]; confirms: PersonDecisionId | undefined },
  ): Promise<Decided | undefined> {
    return this.#writing(company, act, async (trx, keyed) =>
      (await isOutdated(trx, company, seen))
        ? undefined
        : this.#decide(trx, company, { decision, act: keyed }),
    );
  }

  /** Appends the undo of a decision. @throws {CodedError} it is unknown, was undone already, or cannot be undone */
  undo(
    company: CompanyId,
    id: PersonDecisionId,
    by: AuditContext,
  ): Promise<{ person: PersonId | null; faces: FaceId[] }> {
    return this.#writing(company, by, async (trx, act) => {
      const earlier = await repeatedRequest(trx, company, act);
      if (earlier !== undefined) return earlier;
      const record = (await recordsWhere(trx, company, { id })).at(0);
      if (record === undefined) throw refused('NOT_FOUND');
      if (record.undoneAt !== null || record.kind === 'undo' || record.kind === 'change')
        throw refused('DECISION_UNDONE');
      await insertEntry(trx, company, { kind: 'undo', undoes: id, person: record.person }, act);
      const faces = record.faces.map(({ face }) => face);
      const derived = await derivePersons(trx, company, faces, act);
      const { contradicted, personOf } = derived;
      if (contradicted !== undefined) throw refused('DECISION_CONTRADICTED');
      await regroup(trx, company, derived.faces);
      this.audit.append(trx, act, {
        company,
        action: 'identity.undone',
        object: `identity-decision:${id}`,
      });
      const person = faces.map((face) => personOf.get(face)).find((found) => found !== undefined);
      return { person: person ?? null, faces };
    });
  }

  change(
    company: CompanyId,
    seen: SeenPersons[number],
    to: {
      name?: string | undefined;
      note?: string | null | undefined;
      externalId?: string | null | undefined;
      cover?: FaceId | undefined;
    },
    by: AuditContext,
  ): Promise<void> {
    const { id } = seen;
    return this.#writing(company, by, async (trx, act) => {
      if ((await repeatedRequest(trx, company, act)) !== undefined) return;
      await requireSeen(trx, company, [seen]);
      const { cover } = to;
      if (cover !== undefined && (await personsOf(trx, company, [cover])).get(cover)?.id !== id)
        throw refused('NOT_FOUND');
      if (to.externalId) await requireFree(trx, company, to.externalId, id);
      const note = to.note === undefined ? {} : await sealedNote(trx, company, id, to.note);
      await changeRows(trx, 'person', { company_id: company, id })
        .set((eb) => ({
          ...(to.name !== undefined && { name: to.name }),
          ...note,
          ...(to.externalId !== undefined && { external_id: to.externalId }),
          ...(cover !== undefined && { cover_face: cover }),
          version: eb('version', '+', 1),
          changed_at: act.at.getTime(),
        }))
        .execute();
      await renewKey(trx, 'person', company, id);
      await insertEntry(trx, company, { kind: 'change', person: id }, act);
      // Different external ids bar two faces from one group.
      if (to.externalId !== undefined) await regroup(trx, company, await facesOfPerson(trx, company, id));
      this.audit.append(trx, act, { company, action: 'person.changed', object: `person:${id}` });
    });
  }

  /**
   * The changes of the same request of a program within the last 24 hours; undefined: none, or it has no key.
   * @throws {CodedError} its key belongs to another request
   */
  async repeated(
    company: CompanyId,
    act: AuditContext,
  ): Promise<(Decided & { faces: FaceId[] }) | undefined> {
    return repeatedRequest(this.db, company, await this.#keyed(act));
  }

  async find(company: CompanyId, id: PersonId): Promise<Person | undefined> {
    const row = await this.#rows(company).where('person.id', '=', id).executeTakeFirst();
    return row && toPerson(cellsOf(this.db), row);
  }

  async list(company: CompanyId, { order, after, limit, ...filter }: PersonPage): Promise<Person[]> {
    const rows = await this.#rows(company)
      .where(matches(filter))
      .$if(after !== undefined && order === 'newest', (query) => query.where('person.id', '<', after!.id))
      .$if(after !== undefined && order === 'name', (query) =>
        query.where(sql<boolean>`(person.name, person.id) > (${after!.name}, ${after!.id})`),
      )
      .$if(order === 'name', (query) => query.orderBy('person.name').orderBy('person.id'))
      .$if(order === 'newest', (query) => query.orderBy('person.id', 'desc'))
      .limit(limit)
      .execute();
    return rows.map((row) => toPerson(cellsOf(this.db), row));
  }

  async count(company: CompanyId, filter: PersonFilter): Promise<number> {
    return countOf(
      rowsWith(this.db, 'person', { company_id: company }).where(HAS_FACES).where(matches(filter)),
    );
  }

  async named(company: CompanyId, ids: readonly PersonId[]): Promise<Map<PersonId, string>> {
    const rows = await this.#rows(company).where('person.id', 'in', listed(ids)).execute();
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Newest first. */
  history(company: CompanyId, person: PersonId): Promise<DecisionRecord[]> {
    return recordsWhere(this.db, company, { person });
  }

  /** Decisions that name one of these faces, newest first; undone ones included. */
  decisionsOf(company: CompanyId, faces: readonly FaceId[]): Promise<DecisionRecord[]> {
    return recordsWhere(this.db, company, { faces });
  }

  async #decide(
    trx: Transaction,
    company: CompanyId,
    {
      decision,
      act,
      seen = [],
      free = [],
    }: { decision: NewDecision; act: AuditContext; seen?: SeenPersons; free?: readonly FaceId[] },
  ): Promise<Decided> {
    const earlier = await repeatedRequest(trx, company, act);
    if (earlier !== undefined) return earlier;
    await requireSeen(trx, company, seen);
    const faces = decision.faces.map(({ face }) => face);
    const [present, taken, awaiting, [unused]] = await together(
      trx,
      rowsWith(trx, 'face', { company_id: company }).select('id').where('id', 'in', listed(faces)),
      rowsWith(trx, 'person_face', { company_id: company })
        .select('face_id')
        .where('face_id', 'in', listed(free)),
      decisionsAbout(trx, company, faces, AWAITS),
      unusedIds('person_decision', 1).compile(trx),
    );
    if (present.length !== new Set(faces).size) throw refused('NOT_FOUND');
    const { person: named } = decision;
    if (named?.externalId) await requireFree(trx, company, named.externalId);
    if (taken.length > 0) throw refused('FACE_HAS_PERSON');
    const { undone, ...confirmation } = await confirmationOf(
      trx,
      company,
      decision,
      toDecisions(awaiting),
      act,
    );
    // An undo that was appended may have the unused id.
    const id = undone === 0 ? unused?.id : undefined;
    return recordDecision(trx, this.audit, company, { ...confirmation, ...decision, id }, act);
  }

  #rows(company: CompanyId) {
    return rowsWith(this.db, 'person', { company_id: company })
      .selectAll()
      .select(sql<number>`(select count(*) from person_face where person_id = person.id)`.as('faces'))
      .where(HAS_FACES);
  }

  async #keyed(act: AuditContext): Promise<AuditContext> {
    const { request } = act;
    return request === undefined ? act : { ...act, request: await this.parts.digests.digestRequest(request) };
  }

  /** @param work gets the act with the digests of its request */
  async #writing<T>(
    company: CompanyId,
    act: AuditContext,
    work: (trx: Transaction, act: AuditContext) => Promise<T>,
  ): Promise<T> {
    const keyed = await this.#keyed(act);
    return writing(this.db, company, (trx) => work(trx, keyed));
  }
}

/** A note in the place of the present one, under the same key. */
async function sealedNote(trx: Transaction, company: CompanyId, id: PersonId, note: string | null) {
  const row = await rowsWith(trx, 'person', { company_id: company, id })
    .select(['company_id', 'id', 'note'])
    .executeTakeFirstOrThrow();
  return { note: cellsOf(trx).replaceText('person', 'note', row, note) };
}

// Decisions that wait for a second operator, inside the transaction of the decision that concerns them.

/**
 * A decision confirms the waiting one about the same faces. A different decision about two of its faces takes its place: the
 * waiting one is undone.
 * @param waiting the decisions about one of its faces that wait for a second operator
 * @returns also how many waiting decisions were undone
 * @throws {CodedError} the account cannot confirm the decision that waits
 */
async function confirmationOf(
  trx: Transaction,
  company: CompanyId,
  decision: NewDecision,
  waiting: readonly StandingDecision[],
  act: AuditContext,
): Promise<Confirmation & { undone: number }> {
  const faces = new Set(decision.faces.map(({ face }) => face));
  const about = waiting.filter(({ faces: named }) => named.filter(({ face }) => faces.has(face)).length > 1);
  const needed = decision.needsConfirmation === true && acceptsFaces(decision.kind);
  // Also after the rule was switched off: what waits was promised a second operator.
  const first = acceptsFaces(decision.kind) ? about.find((each) => isSame(each, decision)) : undefined;
  if (first !== undefined) {
    const [record] = await recordsWhere(trx, company, { id: first.id });
    if (record === undefined) throw refused('SECOND_OPERATOR_NEEDED');
    if (!(await isSecondPerson(trx, company, record.by, act))) throw refused('SECOND_OPERATOR_NEEDED');
  }
  const replaced = about.filter(({ id }) => id !== first?.id);
  for (const { id } of replaced)
    await insertEntry(trx, company, { kind: 'undo', undoes: id, person: null }, { by: act.by, at: act.at });
  const awaitsSecond = needed && first === undefined;
  return { awaitsSecond, confirms: first?.id ?? null, undone: replaced.length };
}

/** Whether the acting account may confirm what another one did: see {@link mayConfirm}. */
export async function isSecondPerson(
  trx: Transaction,
  company: CompanyId,
  first: Actor,
  { by, at }: AuditContext,
): Promise<boolean> {
  const creator = await creatorOf(trx, company, first);
  const ofFirst = await holdersOf(trx, company, creator === null ? [first] : [first, creator], at);
  return mayConfirm(ofFirst, await holdersOf(trx, company, [by], at));
}

/** The accounts, and the operators who lately gave them a passphrase, those who gave it to these, and so on. */
async function holdersOf(
  trx: Transaction,
  company: CompanyId,
  accounts: readonly Actor[],
  now: Date,
): Promise<Actor[]> {
  const given = await rowsWith(trx, 'operator', { company_id: company }).selectAll().execute();
  for (const row of given) cellsOf(trx).checked('operator', row);
  const holders = new Set(accounts);
  // A set also visits what is added during the loop.
  for (const holder of holders)
    for (const { id, passphrase_given_by, passphrase_given_at } of given)
      if (holder === `operator:${id}` && passphrase_given_by !== null)
        if (!hasPassed(passphrase_given_at, GIVEN_LIMIT, now)) holders.add(passphrase_given_by);
  return [...holders];
}

function isSame(one: StandingDecision, other: NewDecision): boolean {
  return one.kind === other.kind && keyOf(one.faces) === keyOf(other.faces);
}

function keyOf(faces: readonly NamedFace[]): string {
  return JSON.stringify(faces.map(({ face, side }) => [face, side]).toSorted((a, b) => a[0]! - b[0]!));
}
