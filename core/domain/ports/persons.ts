/** Decisions about who is shown, persons, and groups of faces that may show one person. */
import type { DuplicateFaceSource, GroupState } from '../../contracts/dashboard/duplicates.ts';
import type {
  BlacklistId,
  DuplicateGroupId,
  FaceId,
  PersonDecisionId,
  PersonId,
  PipelineId,
  TrustValidationId,
} from '../../contracts/ids.ts';
import type { Actor } from './auditContext.ts';

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
  id: PersonDecisionId;
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
  id: PersonDecisionId;
  kind: DecisionKind | 'change' | 'undo';
  faces: NamedFace[];
  by: Actor;
  at: Date;
  reason: string | null;
  /** How far apart its least similar pair was, Euclidean, by the templates of that pipeline; null: not measured. */
  measured: { distance: number; pipeline: PipelineId } | null;
  undoes: PersonDecisionId | null;
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

/** A recorded decision, and the person that it concerns if that has a face. */
export interface Decided {
  decision: PersonDecisionId;
  person: PersonId | null;
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
  /** Equal for photos of the same bytes. */
  file: string;
  /** Centre and width of the face in its photo, pixels. */
  x: number;
  y: number;
  width: number;
}
