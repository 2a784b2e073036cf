/** Decisions about who is shown, persons, and groups of faces that may show one person. */
import type { DuplicateFaceSource, GroupState } from '../../contracts/dashboard/duplicates.ts';
import type {
  BlacklistId,
  DuplicateGroupId,
  FaceId,
  PersonDecisionId,
  PersonId,
  PipelineId,
} from '../../contracts/ids.ts';

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
