import type { Template } from '../contracts/faces.ts';
import type { CompanyId, FaceId, PipelineId } from '../contracts/ids.ts';
import type {
  Candidate,
  FacePairs,
  FacePairSource,
  FaceRange,
  GalleryEntry,
  GalleryQuery,
  GalleryRestrictions,
  PairQuery,
  PersonCandidate,
  PersonFaces,
  Watchlist,
} from '../domain/ports/gallery.ts';
import { averageDistance, personDistance, PERSON_REACH } from '../domain/scores/personDistance.ts';
import { templateFault } from '../domain/recognition/faceValidation.ts';
import { PipelineChanged } from '../domain/ports/machine.ts';
import { CompanyRows, watchlistNumber } from './companyRows.ts';
import { squaredDistance } from './distance.ts';
import { createEngine, scanProbes, scanSegments, type Engine, type EngineOptions } from './engine.ts';
import { nearest, VectorMissing, type Nearness, type ScannedSegment } from './nearest.ts';
import { inPortions } from './portions.ts';
import { scaleOf, shapeOf, type Shape } from './quantiser.ts';
import { BATCH, type SegmentScan } from './scan.ts';
import { decodeSnapshot, encodeSnapshot, sameScale, takeRows } from './snapshot.ts';

export interface GalleryOptions extends EngineOptions {
  /** The pipeline whose templates this gallery compares; all others are refused. */
  pipelineId: PipelineId;
  /** Length of its vectors; absent: as the first template shows that can be compared. */
  dimensions?: number;
  /** Reads exact vectors that are not in memory; needed with a budget, and for snapshots. */
  vectors?: (company: CompanyId, faces: readonly FaceId[]) => Promise<ReadonlyMap<FaceId, Float32Array>>;
  /** The persons of faces, of those that have one; absent: every face is a person. */
  persons?: (company: CompanyId, faces: readonly FaceId[]) => Promise<ReadonlyMap<FaceId, PersonFaces>>;
  /** Called for a face that searches cannot find; `fault` ends a sentence about its template, without data of it. */
  onLeftOut?: (company: CompanyId, face: FaceId, fault: string) => void;
  /** Where other processes write to the store: applies what they committed. */
  follow?: () => Promise<void>;
  /** Rows of a company from which on codes are scanned; below, its exact vectors. */
  codesFrom?: number;
  /** Rows that a batch of faces is compared with at a time, to the end of a segment; for tests. */
  pairRows?: number;
}

/** Rows that are taken in between two pauses. */
const PAUSE = 8;
/** Enough rows to fit a scale to; scanning fewer exactly costs some tens of microseconds. */
const CODES_FROM = 2_048;

/**
 * A batch of faces whose pairs are looked for is compared with so many rows at a time that a search that arrives meanwhile waits
 * a few tens of milliseconds. Fewer faces with all rows would take longer: rows are laid out for each batch.
 */
const PAIRS_AT_A_TIME = 2 ** 25;

/**
 * So many faces for each person that is asked for, and those not much further away, are looked at before it is known how far away the
 * last person is.
 */
const ROWS_PER_PERSON = 3;
/** By this factor more where these show fewer persons than are asked for. */
const MORE_ROWS = 8;
/** A product of distances that is rounded up stays a bound. */
const ROUNDED_UP = 1 + 1e-12;

/** 1:N search in memory. Every watchlist of every company is a partition: no search can touch another's rows. */
export class MemoryGallery implements FacePairSource {
  readonly #options: GalleryOptions;
  readonly #companies = new Map<CompanyId, CompanyRows>();
  /** Faces of the store that are not here, because their templates cannot be compared. */
  readonly #leftOut = new Map<CompanyId, Set<FaceId>>();
  #engine: Engine | undefined;
  /** For each comparison of pairs that continues, the faces that were removed since it began. */
  readonly #pairing = new Set<Set<FaceId>>();

  constructor(options: GalleryOptions) {
    this.#options = options;
  }

  append(company: CompanyId, entries: readonly GalleryEntry[]): void {
    if (entries.length === 0) return;
    for (const { template } of entries) this.#checkPipeline(template);
    for (const entry of entries) {
      const { faceId, template } = entry;
      const fault = this.#faultOf(template.vector);
      if (fault !== undefined) {
        this.#leaveOut(company, faceId, fault);
        continue;
      }
      this.#leftOut.get(company)?.delete(faceId);
      this.#engine ??= createEngine(this.#options, template.vector.length);
      this.#rowsOf(company, this.#engine).append(entry);
    }
  }

  /** Faces of the store that no search finds, because their templates cannot be compared; as far as they were read. */
  leftOut(company: CompanyId): ReadonlySet<FaceId> {
    return this.#leftOut.get(company) ?? new Set();
  }

  /** The same in portions, for many: ends when all are here and have the codes that they should have. */
  async fill(company: CompanyId, entries: readonly GalleryEntry[]): Promise<void> {
    await inPortions(this.#appending(company, entries));
    await this.#companies.get(company)?.coded();
  }

  remove(company: CompanyId, faces: readonly FaceId[]): void {
    this.#companies.get(company)?.remove(faces);
    for (const face of faces) this.#leftOut.get(company)?.delete(face);
    for (const removed of this.#pairing) for (const face of faces) removed.add(face);
  }

  async search(company: CompanyId, { probe, ...restrictions }: GalleryQuery): Promise<Candidate[]> {
    const [candidates] = await this.searchEach(company, [probe], restrictions);
    return candidates!;
  }

  async searchEach(
    company: CompanyId,
    probes: readonly Template[],
    query: GalleryRestrictions & Nearness,
  ): Promise<Candidate[][]> {
    const engine = this.#engine;
    const rows = this.#companies.get(company);
    for (const probe of probes) this.#checkProbe(probe);
    if (engine === undefined || rows === undefined) return probes.map(() => []);
    if (probes.length === 0 || !(query.limit >= 1) || !(query.maxDistance >= 0)) return probes.map(() => []);
    const vectors = probes.map(({ vector }) => vector);
    const candidates = await this.#nearest(engine, company, rows, vectors, query);
    // Of a company that was forgotten meanwhile, vectors that were still on disk can be missing from the answer.
    if (this.#companies.get(company) !== rows) throw new PipelineChanged();
    return candidates;
  }

  async searchPersons(
    company: CompanyId,
    probes: readonly Template[],
    query: GalleryRestrictions,
  ): Promise<PersonCandidate[][]> {
    if (!(query.limit >= 1)) return probes.map(() => []);
    const widened = { ...query, maxDistance: query.maxDistance * PERSON_REACH * ROUNDED_UP };
    const first = ROWS_PER_PERSON * query.limit;
    const found = await this.searchEach(company, probes, { ...widened, limit: first, reach: PERSON_REACH });
    return Promise.all(
      probes.map(async (probe, i) => {
        for (let near = found[i]!, limit = first; ;) {
          const persons = await this.#personsOf(company, probe, query, near);
          const last = persons[query.limit - 1]?.distance;
          const furthest = near[limit - 1]?.distance;
          // Every face within the reach of the furthest one that was asked for is known.
          if (furthest === undefined || (last !== undefined && last * ROUNDED_UP <= furthest)) return persons;
          limit = last === undefined ? MORE_ROWS * limit : Infinity;
          const maxDistance = Math.min(widened.maxDistance, (last ?? Infinity) * PERSON_REACH * ROUNDED_UP);
          const further = { ...widened, limit, maxDistance, reach: PERSON_REACH };
          [near = []] = await this.searchEach(company, [probe], further);
        }
      }),
    );
  }

  async pairs(company: CompanyId, faces: readonly FaceId[], query: PairQuery): Promise<FacePairs> {
    if (query.pipeline !== this.#options.pipelineId) throw new PipelineChanged();
    const engine = this.#engine;
    const rows = this.#companies.get(company);
    const found: FacePairs = { compared: [], pairs: [], truncated: [] };
    if (engine === undefined || rows === undefined) return found;
    const partitions = query.watchlists.map((watchlist) => rows.partition(watchlist));
    const chosen = faces
      .filter((face) => partitions.some((partition) => partition?.has(face) === true))
      .toSorted((a, b) => a - b);
    const removed = new Set<FaceId>();
    this.#pairing.add(removed);
    try {
      for (let start = 0; start < chosen.length; start += BATCH)
        await this.#pairsOf(engine, company, rows, { chosen, start, query, found });
    } finally {
      this.#pairing.delete(removed);
    }
    if (this.#companies.get(company) !== rows) throw new PipelineChanged();
    // A face that left and came back was missing while others were compared with it.
    found.compared = found.compared.filter((face) => !removed.has(face));
    return found;
  }

  /** Takes a company's faces out. Searches of it that are under way end as they began, or with `PipelineChanged`. */
  forget(company: CompanyId): void {
    this.#companies.get(company)?.clear();
    this.#companies.delete(company);
    this.#leftOut.delete(company);
  }

  /** Sets faces to what the store holds: where each matches, or undefined. A face and pipeline have one template for good. */
  set(company: CompanyId, faces: ReadonlyMap<FaceId, GalleryEntry | undefined>): void {
    const changed = [...faces].filter(
      ([face, entry]) => entry === undefined || !this.isIn(company, face, entry.watchlist),
    );
    this.remove(
      company,
      changed.map(([face]) => face),
    );
    this.append(
      company,
      changed.flatMap(([, entry]) => entry ?? []),
    );
  }

  /** Whether a face can be matched in a watchlist. */
  isIn(company: CompanyId, face: FaceId, watchlist: Watchlist): boolean {
    return this.#companies.get(company)?.partition(watchlist)?.has(face) === true;
  }

  /** The number of faces of all companies. */
  get total(): number {
    return [...this.#companies.values()].reduce((sum, { size }) => sum + size, 0);
  }

  size(company: CompanyId, watchlist: Watchlist): number {
    return this.#companies.get(company)?.partition(watchlist)?.size ?? 0;
  }

  /**
   * Checks a snapshot, and makes its scale the company's if that has none yet.
   * @returns undefined for one that is damaged, of something else, or of another scale.
   */
  async openSnapshot(
    company: CompanyId,
    range: FaceRange,
    content: Uint8Array,
  ): Promise<{ faces: number; restore(): void } | undefined> {
    const subject = { company, pipeline: this.#options.pipelineId, ...range };
    const decoded = decodeSnapshot(content, subject, (dimensions, primaryLength) =>
      this.#shapeLike(dimensions, primaryLength),
    );
    if (decoded === undefined) return undefined;
    this.#engine ??= createEngine(this.#options, decoded.shape.dimensions);
    const rows = this.#rowsOf(company, this.#engine);
    const scale = rows.empty ? await inPortions(scaleOf(decoded.scale)) : undefined;
    if (scale !== undefined && rows.empty) rows.useScale(scale);
    // Rows that are there have a scale, or will get one of their own.
    else if (rows.scale === undefined || !sameScale(rows.scale, decoded.scale)) return undefined;
    return {
      faces: decoded.rows.faces.length,
      restore: () => {
        rows.adopt(decoded.rows);
      },
    };
  }

  /** A snapshot of these faces; undefined when one is missing or goes meanwhile, or nothing is coded yet. */
  async takeSnapshot(
    company: CompanyId,
    range: FaceRange,
    faces: readonly FaceId[],
  ): Promise<Uint8Array | undefined> {
    const rows = this.#companies.get(company);
    const shape = this.#engine?.store.shape;
    if (rows?.scale === undefined || shape === undefined) return undefined;
    const columns = await inPortions(takeRows(rows, shape, faces));
    const subject = { company, pipeline: this.#options.pipelineId, ...range };
    return columns === undefined ? undefined : encodeSnapshot(subject, shape, rows.scale, columns);
  }

  /** Bytes that a template's codes take; 1 while the gallery has never had one. */
  get codeBytes(): number {
    const shape = this.#engine?.store.shape;
    return shape === undefined ? 1 : shape.primaryBytes + shape.residualBytes;
  }

  /** The first `most` faces of a range that can be matched, by rising ids. */
  facesIn(company: CompanyId, range: FaceRange, most = Infinity): FaceId[] {
    return this.#companies.get(company)?.facesIn(range, most) ?? [];
  }

  /**
   * Ends when all rows of a company that should have codes have them: they get them in portions, when there are enough to fit
   * a scale to. Searches need not wait; a caller that fills a gallery should, or all of it comes first as exact vectors.
   */
  async coded(company: CompanyId): Promise<void> {
    await this.#companies.get(company)?.coded();
  }

  /** Ends when what was begun by now has been done: copying what is left of segments, wiping, giving memory back. */
  async settled(): Promise<void> {
    await this.#engine?.store.background.ended();
  }

  /** Keeps exact vectors of faces in memory, where their segments have room for them and do not have them yet; in portions. */
  async hydrate(company: CompanyId, entries: readonly GalleryEntry[]): Promise<void> {
    await inPortions(this.#hydrating(company, entries));
  }

  async close(): Promise<void> {
    for (const rows of this.#companies.values()) rows.clear();
    this.#companies.clear();
    await this.#engine?.pool?.close();
    await this.settled();
  }

  *#appending(company: CompanyId, entries: readonly GalleryEntry[]): Generator<void> {
    for (let from = 0; from < entries.length; from += PAUSE) {
      this.append(company, entries.slice(from, from + PAUSE));
      yield;
    }
  }

  *#hydrating(company: CompanyId, entries: readonly GalleryEntry[]): Generator<void> {
    for (const [i, { faceId, template }] of entries.entries()) {
      const fault = this.#faultOf(template.vector);
      if (fault === undefined) this.#companies.get(company)?.hydrate(faceId, template.vector);
      else this.#leaveOut(company, faceId, fault);
      if (i % PAUSE === 0) yield;
    }
  }

  /**
   * The persons that these faces show, nearest first, within the largest distance.
   * @param near by rising distance
   */
  async #personsOf(
    company: CompanyId,
    probe: Template,
    query: GalleryRestrictions,
    near: readonly Candidate[],
  ): Promise<PersonCandidate[]> {
    const rows = this.#companies.get(company);
    if (rows === undefined || near.length === 0) return [];
    const faceIds = near.map(({ faceId }) => faceId);
    const known = await this.#options.persons?.(company, faceIds);
    const shown = shownBy(near, known);
    let persons: PersonCandidate[] = [];
    for (let next = 0; next < shown.length;) {
      const reach = Math.min(persons[query.limit - 1]?.distance ?? Infinity, query.maxDistance) * ROUNDED_UP;
      if (shown[next]!.nearestPhoto.distance > reach * PERSON_REACH) break;
      // As many at a time as are asked for: the nearest of them show who else can be nearer.
      const likely: Shown[] = [];
      for (; next < shown.length && likely.length < query.limit; next++) {
        const person = matchable(shown[next]!, rows, query);
        const { nearestPhoto, faces } = person;
        if (faces.length > 0 && personDistance(nearestPhoto.distance, 0, faces.length) <= reach)
          likely.push(person);
      }
      const several = likely.flatMap(({ faces }) => (faces.length > 1 ? faces : []));
      const measured = await this.#withVectors(company, rows, several, (vectors) =>
        likely.map((person) => measuredPerson(probe.vector, person, vectors)),
      );
      persons = [...persons, ...measured.filter(({ distance }) => distance <= query.maxDistance)]
        .sort((a, b) => a.distance - b.distance || a.photos[0]!.faceId - b.photos[0]!.faceId)
        .slice(0, query.limit);
    }
    return persons;
  }

  /** Adds the pairs of the faces of one batch, which begins at `start`. */
  async #pairsOf(
    engine: Engine,
    company: CompanyId,
    rows: CompanyRows,
    work: { chosen: readonly FaceId[]; start: number; query: PairQuery; found: FacePairs },
  ): Promise<void> {
    const { chosen, start, query, found } = work;
    const batch = chosen.slice(start, start + BATCH);
    const vectors = await this.#withVectors(
      company,
      rows,
      batch,
      (read) => new Map(Array.from(read, ([face, vector]) => [face, vector.slice()])),
    );
    const earlier = query.against === 'earlier';
    // A pair of two chosen faces is listed with the later one. The probe itself and later chosen faces are found as well:
    // without them one more than `limit` must remain where there are more.
    const later = new Set(chosen.slice(start));
    const limit = query.limit + 1 + (earlier ? batch.length : later.size);
    const below = earlier ? batch.at(-1) : undefined;
    const near = await this.#nearest(
      engine,
      company,
      rows,
      [...vectors.values()],
      { ...query, limit },
      { below, rowsAtATime: this.#options.pairRows ?? PAIRS_AT_A_TIME / BATCH },
    );
    for (const [i, face] of [...vectors.keys()].entries()) {
      const others = near[i]!.filter(
        ({ faceId }) => faceId < face || !(earlier || faceId === face || later.has(faceId)),
      );
      found.compared.push(face);
      if (others.length > query.limit) found.truncated.push(face);
      for (const { faceId, distance } of others.slice(0, query.limit))
        found.pairs.push(
          faceId < face
            ? { first: faceId, second: face, distance }
            : { first: face, second: faceId, distance },
        );
    }
  }

  /**
   * Gives the exact vectors of faces to some work, in their order and without those that are gone.
   * @param work keeps no vector: the memory of those that are not read from disk is used again
   */
  async #withVectors<T>(
    company: CompanyId,
    rows: CompanyRows,
    faces: readonly FaceId[],
    work: (vectors: ReadonlyMap<FaceId, Float32Array>) => T,
  ): Promise<T> {
    const fetched = new Map<FaceId, Float32Array | undefined>();
    for (;;) {
      const vectors = new Map<FaceId, Float32Array>();
      const missing: FaceId[] = [];
      for (const face of faces) {
        const at = rows.locate(face);
        if (at === undefined) continue;
        const vector = at.segment.hasVector(at.row) ? at.segment.vector(at.row) : fetched.get(face);
        if (vector !== undefined) vectors.set(face, vector);
        else if (!fetched.has(face)) missing.push(face);
      }
      // Meanwhile, rows whose vectors were in memory may have moved to where they are not.
      if (missing.length === 0) return work(vectors);
      const read = await this.#fetch(company, missing);
      for (const face of missing) fetched.set(face, read.get(face));
    }
  }

  /** Repeated when a face of the answer was removed while other threads or the disk were working on it. */
  async #nearest(
    engine: Engine,
    company: CompanyId,
    rows: CompanyRows,
    probes: readonly Float32Array[],
    query: GalleryRestrictions & Nearness,
    { below, rowsAtATime = Infinity }: { below?: FaceId | undefined; rowsAtATime?: number } = {},
  ): Promise<Candidate[][]> {
    const { readers } = engine.store;
    const exact = {
      scanners: engine.scanners,
      fetch: (faces: readonly FaceId[]) => this.#fetch(company, faces),
    };
    for (;;) {
      const { removals } = rows;
      const scanned = segmentsOf(rows, query, below);
      const reader = readers.begin();
      try {
        const loaded = scanProbes(engine, rows.scale, probes);
        const candidates: Candidate[][] = probes.map(() => []);
        for (const part of partsOf(scanned, rowsAtATime)) {
          const scans = part.map(({ scan }) => scan);
          const found = await scanSegments(engine, loaded, query, scans);
          for (const [i, probe] of probes.entries()) {
            const near = await nearest(found[i]!, part, probe, query, exact);
            candidates[i] = merged(candidates[i]!, near, query.limit);
          }
        }
        if (rows.removals === removals || candidates.flat().every(({ faceId }) => rows.has(faceId)))
          return candidates;
      } catch (cause) {
        if (!(cause instanceof VectorMissing)) throw cause;
        // Another process may have erased it.
        await this.#options.follow?.();
        // Its codes came from a snapshot, and its row was damaged since: a search of the others continues without it.
        if (rows.has(cause.faceId))
          this.#leaveOut(company, cause.faceId, 'the database has none that can be compared');
      } finally {
        readers.end(reader);
      }
    }
  }

  async #fetch(company: CompanyId, faces: readonly FaceId[]): Promise<ReadonlyMap<FaceId, Float32Array>> {
    if (this.#options.vectors === undefined)
      throw new Error('Exact vectors are on disk, but this gallery was given no way to read them.');
    const read = await this.#options.vectors(company, faces);
    return new Map([...read].filter(([, vector]) => this.#faultOf(vector) === undefined));
  }

  /** Takes a face out of all searches, if it is in any, and reports it. */
  #leaveOut(company: CompanyId, face: FaceId, fault: string): void {
    this.#companies.get(company)?.remove([face]);
    const faces = this.#leftOut.get(company) ?? new Set();
    this.#leftOut.set(company, faces.add(face));
    this.#options.onLeftOut?.(company, face, fault);
  }

  /** The shape of a snapshot's templates, if they are shaped as this gallery's are. */
  #shapeLike(dimensions: number, primaryLength: number): Shape | undefined {
    const shape =
      this.#engine?.store.shape ??
      shapeOf(this.#options.dimensions ?? dimensions, this.#options.primaryLength);
    return shape.dimensions === dimensions && shape.primaryLength === primaryLength ? shape : undefined;
  }

  #rowsOf(company: CompanyId, { store }: Engine): CompanyRows {
    let rows = this.#companies.get(company);
    if (rows === undefined) {
      rows = new CompanyRows(store, this.#options.codesFrom ?? CODES_FROM);
      this.#companies.set(company, rows);
    }
    return rows;
  }

  /** @throws {Error} a probe of another pipeline, or one that cannot be compared */
  #checkProbe(probe: Template): void {
    this.#checkPipeline(probe);
    const fault = this.#faultOf(probe.vector);
    if (fault !== undefined) throw new Error(`A probe cannot be compared: ${fault}.`);
  }

  #checkPipeline({ pipelineId }: Template): void {
    if (pipelineId !== this.#options.pipelineId)
      throw new Error(`This gallery holds templates of ${this.#options.pipelineId}, not of ${pipelineId}.`);
  }

  #faultOf(vector: Float32Array): string | undefined {
    return templateFault(vector, this.#engine?.store.shape.dimensions ?? this.#options.dimensions);
  }
}

/** @param below rows after the last of a lower id are not scanned; absent: all rows are */
function segmentsOf(
  rows: CompanyRows,
  query: GalleryRestrictions,
  below: FaceId | undefined,
): (ScannedSegment & { scan: SegmentScan })[] {
  const partitions = new Set(query.watchlists.map((watchlist) => rows.partition(watchlist)));
  return [...partitions].flatMap((partition) =>
    partition === undefined
      ? []
      : partition.segments
          .filter((segment) => segment.live > 0 && segment.firstFace < (below ?? Infinity))
          .map((segment) => ({
            partition,
            segment,
            scan: {
              ...segment.toScan(partition.admitted(segment, query, below)),
              rows: below === undefined ? segment.rows : segment.rowsBelow(below),
            },
          })),
  );
}

/** Segments by so many that each part has about this many rows, or is one segment. */
function partsOf<S extends { scan: SegmentScan }>(scanned: readonly S[], rows: number): S[][] {
  const parts: S[][] = [];
  let taken = 0;
  for (const each of scanned) {
    if (parts.length === 0 || taken + each.scan.rows > rows) {
      parts.push([]);
      taken = 0;
    }
    parts.at(-1)!.push(each);
    taken += each.scan.rows;
  }
  return parts;
}

/** The nearest of both, each by rising distance. */
function merged(some: Candidate[], others: Candidate[], limit: number): Candidate[] {
  if (others.length === 0) return some;
  if (some.length === 0) return others;
  return [...some, ...others].sort(nearestFirst).slice(0, limit);
}

function nearestFirst(a: Pick<Candidate, 'faceId' | 'distance'>, b: typeof a): number {
  return a.distance - b.distance || a.faceId - b.faceId;
}

/** A person in one watchlist. */
interface Shown extends Pick<PersonCandidate, 'person' | 'watchlist'> {
  nearestPhoto: Pick<Candidate, 'faceId' | 'distance'>;
  faces: readonly FaceId[];
}

/** The persons that some faces show, each once for every watchlist, with all of their faces. */
function shownBy(near: readonly Candidate[], known: ReadonlyMap<FaceId, PersonFaces> | undefined): Shown[] {
  const seen = new Set<string>();
  return near.flatMap(({ faceId, distance, watchlist }): Shown[] => {
    const nearestPhoto = { faceId, distance };
    const shown = known?.get(faceId);
    if (shown === undefined) return [{ person: null, watchlist, nearestPhoto, faces: [faceId] }];
    const key = `${shown.person}/${watchlistNumber(watchlist)}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...shown, watchlist, nearestPhoto }];
  });
}

/** A person with those faces alone that a search may find in the watchlist. */
function matchable(shown: Shown, rows: CompanyRows, { except }: GalleryRestrictions): Shown {
  if (shown.faces.length === 1) return shown;
  const partition = rows.partition(shown.watchlist);
  const faces = shown.faces.filter((face) => except?.has(face) !== true && partition?.has(face) === true);
  return { ...shown, faces };
}

/** @param vectors of the photos of a person with several, unless they cannot be read */
function measuredPerson(
  probe: Float32Array,
  { person, watchlist, nearestPhoto, faces }: Shown,
  vectors: ReadonlyMap<FaceId, Float32Array>,
): PersonCandidate {
  const read = faces.filter((face) => vectors.has(face));
  if (read.length === 0)
    return { person, watchlist, distance: nearestPhoto.distance, photos: [nearestPhoto] };
  const templates = read.map((face) => vectors.get(face)!);
  const photos = read
    .map((faceId, i) => ({ faceId, distance: Math.sqrt(squaredDistance(probe, templates[i]!)) }))
    .sort(nearestFirst);
  const distance = personDistance(photos[0]!.distance, averageDistance(probe, templates), photos.length);
  return { person, watchlist, distance, photos };
}
