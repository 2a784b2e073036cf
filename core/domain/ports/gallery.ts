/** 1:N search, and what it is filled from. */
import type { Template } from '../../contracts/faces.ts';
import type { BlacklistId, CompanyId, FaceId, PersonId, PipelineId } from '../../contracts/ids.ts';

export type Watchlist = { kind: 'duplicate' } | { kind: 'blacklist'; blacklistId: BlacklistId };

export interface GalleryEntry {
  faceId: FaceId;
  watchlist: Watchlist;
  template: Template;
}

/** The bounds of a search's answer. */
export interface GalleryRestrictions {
  watchlists: readonly Watchlist[];
  /** At most this many candidates over all the watchlists together, nearest first. */
  limit: number;
  /** Candidates further away than this Euclidean distance (0 to 2) are left out. */
  maxDistance: number;
  /** These faces are left out, e.g. the probe's own. */
  except?: ReadonlySet<FaceId>;
}

export interface GalleryQuery extends GalleryRestrictions {
  probe: Template;
}

/** Distance: Euclidean between unit vectors, 0 (same) to 2. Ties are ordered by face id. */
export interface Candidate {
  faceId: FaceId;
  watchlist: Watchlist;
  distance: number;
}

/** A person of a watchlist: the decided or named one of several photos, or a single photo. */
export interface PersonCandidate {
  /** Null: a face that belongs to no person. */
  person: PersonId | null;
  watchlist: Watchlist;
  /** On the scale of a single photo's distance (`personDistance`). Ties are ordered by the id of the nearest photo. */
  distance: number;
  /** Every photo of the person in this watchlist, nearest first, by {@link Candidate.distance}. */
  photos: readonly Pick<Candidate, 'faceId' | 'distance'>[];
}

/** A person and all of its faces, by rising ids; also those that no watchlist holds. */
export interface PersonFaces {
  person: PersonId;
  faces: readonly FaceId[];
}

/** Two matchable faces that are at most a given distance apart. */
export interface FacePair {
  /** The lower id. */
  first: FaceId;
  second: FaceId;
  distance: number;
}

/** Which pairs are listed. */
export interface PairQuery {
  /** The pipeline whose templates are compared. */
  pipeline: PipelineId;
  /** Both faces of a pair are in one of these. */
  watchlists: readonly Watchlist[];
  /** Pairs further apart than this Euclidean distance (0 to 2) are left out; a pair at exactly this distance is listed. */
  maxDistance: number;
  /** Of each face at most this many pairs, the nearest; keeps thousands of copies of one photo bounded. */
  limit: number;
  /** `earlier`: the faces are compared with faces of lower ids; half of the work where every face has its turn. */
  against: 'all' | 'earlier';
}

/** The near pairs of some faces. */
export interface FacePairs {
  /** By rising ids. Missing: the gallery does not hold the face, or did not while the comparison went on. */
  compared: FaceId[];
  /** Each pair once. */
  pairs: FacePair[];
  /** Faces that have more than `limit` such pairs. */
  truncated: FaceId[];
}

/** Lists faces that are near each other, among all that can be matched. */
export interface FacePairSource {
  /**
   * Compares faces with all others, with the distances of a scan in double precision.
   * @throws {PipelineChanged} another pipeline serves the company
   */
  pairs(company: CompanyId, faces: readonly FaceId[], query: PairQuery): Promise<FacePairs>;
}

/**
 * 1:N search in memory, exact. Everything in it is also in the store; it holds nothing of its own. A search sees all that was
 * committed before it began, by whichever process; where it cannot be sure, it fails with `UnavailableError`.
 */
export interface GalleryPort {
  /**
   * Adds faces that were committed; idempotent per face id. A face whose template cannot be compared is left out and logged: it never keeps
   * others from being added. Entries of a foreign pipeline are refused with an Error.
   */
  append(company: CompanyId, entries: readonly GalleryEntry[]): void;
  remove(company: CompanyId, faces: readonly FaceId[]): void;
  search(company: CompanyId, query: GalleryQuery): Promise<Candidate[]>;
  /** The same answers as one search per probe, for less: every row is read from memory once for all of them. */
  searchEach(
    company: CompanyId,
    probes: readonly Template[],
    restrictions: GalleryRestrictions,
  ): Promise<Candidate[][]>;
  /**
   * The nearest persons: as a plain loop over all persons of the watchlists finds and orders them. Who belongs to a person is read
   * from the store for each search. `limit` and `maxDistance` count persons and their distances.
   */
  searchPersons(
    company: CompanyId,
    probes: readonly Template[],
    restrictions: GalleryRestrictions,
  ): Promise<PersonCandidate[][]>;
  /**
   * Resolves when the faces of the store are in memory.
   * @throws {UnavailableError} the store cannot be read, so searches fail
   */
  ready(): Promise<void>;
  /**
   * How many faces can be matched in a watchlist.
   * @throws {UnavailableError} the faces are still being read
   */
  size(company: CompanyId, watchlist: Watchlist): Promise<number>;
  /**
   * A moment for {@link changedSince}: searches that begin from now on see all that was committed before it.
   * @returns undefined where this process is the only writer of the store
   */
  moment(): Promise<GalleryMoment | undefined>;
  /**
   * The faces of a company that transactions changed since a moment, up to now, as they match now; undefined: not at all.
   * @returns undefined: the changes since that moment are no longer known
   */
  changedSince(
    company: CompanyId,
    moment: GalleryMoment,
  ): Promise<ReadonlyMap<FaceId, GalleryEntry | undefined> | undefined>;
}

/** A moment in the life of one gallery. */
export type GalleryMoment = number & { readonly [MOMENT]: true };
declare const MOMENT: unique symbol;

/** Where a follower of the store stands. Opaque; valid as long as {@link GalleryFeed.changesSince} takes it. */
export interface GalleryCursor {
  readonly session: symbol;
  readonly snapshot: string;
  /** Milliseconds, by the clock of the database. */
  readonly at: number;
}

/** A face that a transaction changed. */
export interface ChangedFace {
  company: CompanyId;
  faceId: FaceId;
  /** As it matches at the new cursor, an entry for each pipeline that has a template; none: it does not match. */
  entries: readonly GalleryEntry[];
}

/** The changes committed between two cursors, with the state at the second cursor. */
export interface GalleryChanges {
  cursor: GalleryCursor;
  faces: readonly ChangedFace[];
  /** Companies that another pipeline serves, with that pipeline. */
  pipelines: ReadonlyMap<CompanyId, PipelineId>;
}

/** Reports what every process that writes to the store has committed. A store with one writer has no feed. */
export interface GalleryFeed {
  /**
   * @returns a cursor at which all that is committed by now counts as seen, and the pipeline that serves each company
   * @throws {UnavailableError} the database cannot be reached
   */
  begin(): Promise<{ cursor: GalleryCursor; pipelines: ReadonlyMap<CompanyId, PipelineId> }>;
  /**
   * Everything that was committed before this call and that the cursor has not seen, each face once.
   * @returns undefined: changes may be missing, because the session ended or the cursor is too old. Begin with a new one.
   * @throws {UnavailableError} the database cannot be reached
   */
  changesSince(cursor: GalleryCursor): Promise<GalleryChanges | undefined>;
  /** Deletes changes that every follower has seen or must not ask for. */
  prune(): Promise<void>;
}

/** Face ids above `after` and up to `upTo`, this one included. */
export interface FaceRange {
  after: FaceId;
  upTo: FaceId;
}

/** The matchable faces of a range in the gallery's own form, so that a start need not read and code them again. */
export interface GallerySnapshot extends FaceRange {
  /** Opaque to the store; the gallery seals it with a checksum. */
  content: Uint8Array;
  /** Faces that are not in it although the store has them: their templates cannot be compared. */
  leftOut: ReadonlySet<FaceId>;
}
