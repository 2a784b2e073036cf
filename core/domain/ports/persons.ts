/** Decisions about who is shown, persons, and groups of faces that may show one person. */
import type { DuplicateFaceSource, GroupOrder, GroupState } from '../../contracts/dashboard/duplicates.ts';
import type {
  BlacklistId,
  CompanyId,
  DuplicateGroupId,
  DuplicateRunId,
  FaceId,
  IdentityDecisionId,
  PersonId,
  PipelineId,
  TrustValidationId,
} from '../../contracts/ids.ts';
import type { DuplicateRun } from './duplicates.ts';
import type { Actor, AuditContext } from './auditContext.ts';
import type { Result } from './result.ts';

/**
 * `same`: all faces show one person. `named`: the same, stated by the sender of the photo at enrolment. `different`: faces of different sides show different persons. `choose`: the chosen
 * faces show one person, whom the others do not show. The rest change persons; after `dissolve` the faces belong to none.
 */
export const DECISION_KINDS = [
  'same',
  'named',
  'different',
  'unsure',
  'choose',
  'merge',
  'split',
  'move',
  'dissolve',
] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** The meaning of a face's side. In `different` each side is at least one person. */
export const SIDE = { stays: 0, chosen: 1, target: 2 } as const;

export interface NamedFace {
  face: FaceId;
  side: number;
}

/** A decision that takes effect: not undone, and confirmed where a second operator is needed. */
export interface StandingDecision {
  id: IdentityDecisionId;
  kind: DecisionKind;
  faces: readonly NamedFace[];
}

export interface NewDecision {
  kind: DecisionKind;
  faces: readonly NamedFace[];
  reason: string | null;
  /** Euclidean, of the least similar pair that it is about. */
  distance?: number;
  pipeline?: PipelineId | undefined;
  /** It takes effect when a second operator makes the same decision about the same faces. */
  needsConfirmation?: boolean;
  /** Name, note and external id of the person that it creates; without a name that of the oldest face. */
  person?: { name?: string; note?: string | null; externalId?: string | null };
}

/** A decision as histories show it. */
export interface DecisionRecord {
  id: IdentityDecisionId;
  kind: DecisionKind | 'change' | 'undo';
  faces: NamedFace[];
  by: Actor;
  at: Date;
  reason: string | null;
  /** How far apart its least similar pair was, Euclidean, by the templates of that pipeline; null: not measured. */
  measured: { distance: number; pipeline: PipelineId } | null;
  undoes: IdentityDecisionId | null;
  undoneAt: Date | null;
  /** It needs the confirmation of a second operator, and has none in force. */
  awaitsConfirmation: boolean;
  person: PersonId | null;
  otherPerson: PersonId | null;
}

export interface Person {
  id: PersonId;
  version: number;
  name: string;
  note: string | null;
  externalId: string | null;
  /** Null: it was erased, and another one is chosen with the next change. */
  cover: FaceId | null;
  faces: number;
  createdAt: Date;
  changedAt: Date;
}

/** The versions of persons that an operator saw. */
export type SeenPersons = readonly { id: PersonId; version: number }[];

/** A person that has changed since its version was read, and its version now. */
export interface PersonChanged {
  kind: 'changed';
  id: PersonId;
  version: number;
}

export type Decided =
  | Result<
      { decision: IdentityDecisionId; person: PersonId | null },
      'contradicted' | 'externalIdTaken' | 'faceTaken' | 'keyReused' | 'secondNeeded' | 'notFound'
    >
  | PersonChanged;

export interface Persons {
  /**
   * Appends a decision and derives the persons it touches, in one transaction.
   * @param seen refused when one of them changed since
   * @param free refused (`faceTaken`) when one of these faces belongs to a person
   */
  decide(
    company: CompanyId,
    decision: NewDecision,
    act: AuditContext,
    conditions?: { seen?: SeenPersons; free?: readonly FaceId[] },
  ): Promise<Decided>;
  /**
   * Decides about groups as an operator saw them.
   * @param confirms the waiting decision that the operator confirms
   * @returns `outdated`: one of the groups has changed or must be grouped once more, or that decision waits no more
   */
  decideGroups(
    company: CompanyId,
    decision: NewDecision,
    act: AuditContext,
    seen: { groups: readonly SeenGroup[]; confirms: IdentityDecisionId | undefined },
  ): Promise<Decided | { kind: 'outdated' }>;
  /** The changes of the same request of a program within the last 24 hours; undefined: none, or it has no key. */
  repeated(
    company: CompanyId,
    act: AuditContext,
  ): Promise<
    | Result<{ decision: IdentityDecisionId; person: PersonId | null; faces: FaceId[] }, 'keyReused'>
    | undefined
  >;
  /** Appends the undo of a decision. @returns `undone`: it was undone already, or cannot be */
  undo(
    company: CompanyId,
    decision: IdentityDecisionId,
    act: AuditContext,
  ): Promise<
    Result<{ person: PersonId | null; faces: FaceId[] }, 'contradicted' | 'undone' | 'keyReused' | 'notFound'>
  >;
  change(
    company: CompanyId,
    seen: SeenPersons[number],
    to: {
      name?: string | undefined;
      note?: string | null | undefined;
      externalId?: string | null | undefined;
      cover?: FaceId | undefined;
    },
    act: AuditContext,
  ): Promise<Result<object, 'externalIdTaken' | 'keyReused' | 'notFound'> | PersonChanged>;
  find(company: CompanyId, id: PersonId): Promise<Person | undefined>;
  list(company: CompanyId, page: PersonPage): Promise<Person[]>;
  count(company: CompanyId, filter: PersonFilter): Promise<number>;
  /** By rising ids. */
  facesOf(company: CompanyId, id: PersonId): Promise<FaceId[]>;
  /** The persons of those of these faces that have one. */
  ofFaces(
    company: CompanyId,
    faces: readonly FaceId[],
  ): Promise<Map<FaceId, Pick<Person, 'id' | 'name' | 'externalId'>>>;
  named(company: CompanyId, ids: readonly PersonId[]): Promise<Map<PersonId, string>>;
  /** Newest first. */
  history(company: CompanyId, id: PersonId): Promise<DecisionRecord[]>;
  /** Decisions that name one of these faces, newest first; undone ones included. */
  decisionsOf(company: CompanyId, faces: readonly FaceId[]): Promise<DecisionRecord[]>;
  /** Those of them that take effect, by rising ids. */
  standing(company: CompanyId, faces: readonly FaceId[]): Promise<StandingDecision[]>;
  /** Those that wait for a second operator. */
  awaiting(company: CompanyId, faces: readonly FaceId[]): Promise<StandingDecision[]>;
  /** The facts that show a reviewer where faces are from; missing ones are left out. By rising ids. */
  describe(company: CompanyId, faces: readonly FaceId[]): Promise<DescribedFace[]>;
}

export interface PersonFilter {
  /** Part of the name, or the external id. */
  text?: string | undefined;
  externalId?: string | undefined;
}

export interface PersonPage extends PersonFilter {
  order: 'name' | 'newest';
  after?: { name: string; id: PersonId } | undefined;
  limit: number;
}

export interface DescribedFace {
  id: FaceId;
  name: string;
  blacklist: { id: BlacklistId; name: string } | null;
  source: DuplicateFaceSource;
  runName: string | null;
  enrolledAt: Date;
  trustValidationId: TrustValidationId | null;
  person: { id: PersonId; name: string } | null;
}

/** A group as it is stored. */
export interface DuplicateGroup {
  id: DuplicateGroupId;
  version: number;
  state: GroupState;
  identical: boolean;
  /** Euclidean: at which its last two parts were joined, and of its least similar pair. */
  link: number;
  widest: number;
  size: number;
  createdAt: Date;
  changedAt: Date;
}

/** A group as the operator saw it. */
export interface SeenGroup {
  id: DuplicateGroupId;
  version: number;
}

/** A group as it was found. */
export interface FoundGroup {
  /** By rising ids. */
  faces: readonly FaceId[];
  state: GroupState;
  identical: boolean;
  link: number;
  widest: number;
}

export interface GroupFilter {
  states: readonly GroupState[];
  list?: 'main' | BlacklistId | undefined;
  source?: DuplicateFaceSource | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
  /** Only groups that were joined within this distance. */
  link?: number | undefined;
  identical?: boolean | undefined;
  text?: string | undefined;
}

/** The value that a page is sorted by, and the row. */
export interface GroupPosition {
  value: number;
  size: number;
  id: DuplicateGroupId;
}

/** A face with what can keep it from a group. */
export interface GroupingFacts {
  face: FaceId;
  person: PersonId | null;
  externalId: string | null;
  sha256: string;
  /** Centre and width of the face in its photo, pixels. */
  x: number;
  y: number;
  width: number;
}

export interface DuplicateGroups {
  /** The run whose near pairs the groups were made of; undefined: there are none yet. */
  groupedRun(company: CompanyId): Promise<DuplicateRunId | undefined>;
  markGrouped(company: CompanyId, run: DuplicateRunId): Promise<void>;
  /** Some faces whose groups must be worked out once more, by rising ids; none: all groups are up to date. */
  facesToGroup(company: CompanyId): Promise<FaceId[]>;
  /** The number of the last change that {@link facesToGroup} names or named; 0: there was none. */
  lastChange(company: CompanyId): Promise<number>;
  /** Makes {@link facesToGroup} return the faces of all groups. */
  regroupAll(company: CompanyId): Promise<void>;
  /** The facts of these faces that grouping needs, of those that a run compares. */
  facts(company: CompanyId, run: DuplicateRunId, faces: readonly FaceId[]): Promise<GroupingFacts[]>;
  /** The faces of the persons of these faces. */
  samePersons(company: CompanyId, faces: readonly FaceId[]): Promise<FaceId[]>;
  /**
   * Puts groups in place of all present ones that have one of these faces, in one transaction. A group keeps its id while its
   * oldest face stays.
   * @param until the last change before anything was read that the groups were made of
   * @param rejected whether a decision bars two of these faces
   * @returns false: something has changed since, so nothing was replaced
   */
  replace(
    company: CompanyId,
    faces: readonly FaceId[],
    groups: readonly FoundGroup[],
    context: { until: number; rejected: (faces: readonly FaceId[]) => boolean; at: Date },
  ): Promise<boolean>;
  find(company: CompanyId, id: DuplicateGroupId): Promise<DuplicateGroup | undefined>;
  /** By rising ids. @param limit default: all */
  facesOf(company: CompanyId, id: DuplicateGroupId, limit?: number): Promise<FaceId[]>;
  /** The groups that hold a face now, by face; rejected and superseded ones are left out. */
  groupsOf(
    company: CompanyId,
    faces: readonly FaceId[],
  ): Promise<Map<FaceId, { id: DuplicateGroupId; version: number; state: GroupState }>>;
  list(
    company: CompanyId,
    filter: GroupFilter,
    page: { order: GroupOrder; after?: GroupPosition | undefined; limit: number },
  ): Promise<DuplicateGroup[]>;
  count(company: CompanyId, filter: GroupFilter): Promise<number>;
  /** Near pairs of different photos of a run, in equal steps up to its distance. */
  distances(
    company: CompanyId,
    run: Pick<DuplicateRun, 'base' | 'maxDistance'>,
    steps: number,
  ): Promise<number[]>;
  countStates(company: CompanyId): Promise<Record<GroupState, number>>;
}
