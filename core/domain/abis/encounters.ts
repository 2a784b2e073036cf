/** Persons and encounters as other identity systems know them: what OSIA's and MOSIP's interfaces of an ABIS share. */
import { TRUST_VALIDATION_STATUS } from '../../contracts/codes.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { ImageFormat, Template } from '../../contracts/faces.ts';
import { trusted, type BlacklistId, type CompanyId, type FaceId } from '../../contracts/ids.ts';
import {
  EVERY_GALLERY,
  MAIN_GALLERY,
  isOwnName,
  OWN_NAMES,
  type KeptEncounter,
} from '../../contracts/osia.ts';
import type { Encounter, Encounters } from '../../storage/screening/encounters.ts';
import type { Storage } from '../../storage/index.ts';
import type { FacesOfPhoto, PictureConverter } from '../ports/recognition.ts';
import { referTo } from '../work/writtenImages.ts';
import type { ErasureService } from '../erasure/erasureService.ts';
import type { PersonService } from '../persons/personService.ts';
import type { AuditContext, Company } from '../ports/auditContext.ts';
import type { Candidate, Watchlist } from '../ports/gallery.ts';
import type { Person } from '../../storage/persons/personRows.ts';
import {
  bandOf,
  DEFAULT_FMR,
  distanceAtFmr,
  distanceOf,
  fmrAtDistance,
  similarityScore,
} from '../scores/scores.ts';
import { averageDistance, personDistance } from '../scores/personDistance.ts';
import type { Band } from '../scores/scores.ts';
import type { Verifications } from '../screening/verifications.ts';
import { recordSearch, searchCoverage, SEARCH } from '../search/coverage.ts';
import { Service, type Parts } from '../serviceParts.ts';
import { oneChunk, sniffImageFormat } from '../values/bytes.ts';
import { afterCommit, FOLLOWS } from '../work/afterCommit.ts';

/** Euclidean distance between opposite unit vectors. */
const MAX_DISTANCE = 2;

export interface EncounterPorts
  extends
    Pick<Parts, 'vision' | 'gallery' | 'images' | 'clock' | 'log'>,
    Pick<Storage, 'persons' | 'faces' | 'blacklists' | 'companies' | 'audit'> {
  encounters: Encounters;
  pictures: PictureConverter;
  verifications: Pick<Verifications, 'analyse' | 'decide' | 'runExclusive'>;
  personService: Pick<PersonService, 'merge' | 'move'>;
  erasureService: Pick<ErasureService, 'plan' | 'run'>;
}

type Original = NonNullable<KeptEncounter['encounter']['original']>;

export interface NewEncounter {
  /** Of any kind that is read. */
  file: Uint8Array;
  isActive: boolean;
  kept: KeptEncounter;
}

/** A person of the company, or a face without one. */
export interface KnownPerson {
  /** As other systems know it. */
  name: string;
  /** null: a face without a person. */
  person: Person | null;
  /** By rising ids; at least one. */
  encounters: Encounter[];
}

/** How similar something is. */
interface Similarity {
  distance: number;
  /** 0 to 100. */
  score: number;
  band: Band;
  falseMatchRate: number;
}

export interface ComparedEncounter extends Similarity {
  encounter: string;
}

/** A person on the scale of a single photo's distance. */
export interface FoundPerson extends Similarity {
  person: string;
  /** Nearest first. */
  compared: ComparedEncounter[];
}

/** A person with the distances of its encounters. */
interface Measured {
  distance: number;
  encounters: { encounter: Encounter; distance: number }[];
}

export interface Identification {
  watchlists: readonly Watchlist[];
  /** Persons. */
  limit: number;
  /** Candidates below this score are left out. */
  threshold?: number | undefined;
  /** False match rate of a single comparison, in place of the threshold. */
  fmr?: number | undefined;
}

/** The name of an encounter outside. */
export function encounterName({ kept, validation, face }: Encounter): string {
  return kept?.id ?? (validation === null ? `face-${face}` : `validation-${validation.id}`);
}

/** The name of the person of an encounter outside. */
function personName({ person, face }: Encounter): string {
  if (person === null) return `face-${face}`;
  const { id, externalId } = person;
  return externalId === null || isOwnName(externalId) ? `person-${id}` : externalId;
}

export function galleryName({ blacklist }: Pick<Encounter, 'blacklist'>): string {
  return blacklist === null ? MAIN_GALLERY : String(blacklist);
}

export class EncounterService extends Service<EncounterPorts> {
  /**
   * Enrols the photo of an encounter. The answer comes when it is stored and searches find it.
   * @param person its name outside
   * @param alone refuses a person that has any encounter
   * @throws {CodedError} the company or the photo cannot be used, or the encounter exists
   */
  async create(
    company: Company,
    person: string,
    wanted: NewEncounter & { alone?: boolean },
    act: AuditContext,
  ): Promise<{ encounter: string }> {
    const { alone = false } = wanted;
    const { companies, encounters } = this.ports;
    if (!company.settings.registrationEnabled) throw new CodedError('REGISTRATION_DISABLED');
    const flow = await companies.systemTrustFlow(company.id);
    const { validation } = await this.#keep(company, wanted, (photo) =>
      encounters.create(company.id, { ...photo, flow, externalId: person, alone }, act),
    );
    return { encounter: wanted.kept.encounter.id ?? `validation-${validation}` };
  }

  /** Replaces the photo and the kept fields of an encounter. @throws {CodedError} */
  async replace(
    company: Company,
    encounter: Encounter,
    { kept, ...wanted }: NewEncounter,
    act: AuditContext,
  ): Promise<void> {
    const { encounters, gallery, log } = this.ports;
    const { id } = changeable(encounter);
    const named = { encounter: { ...kept.encounter, id: encounter.kept?.id } };
    const { superseded } = await this.#keep(company, { ...wanted, kept: named }, (photo) =>
      encounters.replace(company.id, id, photo, act),
    );
    await afterCommit(log, { company: company.id, faces: superseded }, FOLLOWS.superseded, () =>
      gallery.remove(company.id, superseded),
    );
  }

  /** @throws {CodedError} NOT_FOUND: the company knows no such person */
  async person(company: CompanyId, name: string): Promise<KnownPerson> {
    const { persons, encounters } = this.ports;
    const wanted = { order: 'newest', limit: 1, externalId: name } as const;
    const [byExternalId] = isOwnName(name) ? [] : await persons.list(company, wanted);
    const own = OWN_NAMES.person.exec(name)?.[1];
    const person =
      byExternalId ??
      (own === undefined ? undefined : await persons.find(company, trusted.person(Number(own))));
    const face = OWN_NAMES.face.exec(name)?.[1];
    const faces =
      person === undefined
        ? face === undefined
          ? []
          : [trusted.face(Number(face))]
        : await persons.facesOf(company, person.id);
    const found = await encounters.of(company, faces);
    const known = person === undefined ? found.filter((each) => each.person === null) : found;
    if (known.length === 0) throw new CodedError('NOT_FOUND');
    return { name, person: person ?? null, encounters: known };
  }

  /** @throws {CodedError} NOT_FOUND: the person has no such encounter */
  async encounter(company: CompanyId, person: string, encounter: string): Promise<Encounter> {
    const { encounters } = await this.person(company, person);
    const found = encounters.find((each) => encounterName(each) === encounter);
    if (found === undefined) throw new CodedError('NOT_FOUND');
    return found;
  }

  /** The stored photo, with an entry of the audit log. @throws {CodedError} NOT_FOUND: it is gone */
  async photo(
    company: CompanyId,
    { image, face }: Encounter,
    act: AuditContext,
  ): Promise<{ content: Uint8Array; format: ImageFormat }> {
    const { images, audit } = this.ports;
    const file = await images.read(company, image);
    if (file === undefined) throw new CodedError('NOT_FOUND');
    await audit.record(act, { company, action: 'image.read', object: `face:${face}` });
    return file;
  }

  /** The template by the pipeline of the company; undefined: there is none yet. */
  async template(company: CompanyId, { face }: Encounter): Promise<Template | undefined> {
    const { faces, vision } = this.ports;
    const pipelineId = vision.pipelineOf(company);
    const vector = (await faces.vectors(company, pipelineId, [face])).get(face);
    return vector && { pipelineId, vector };
  }

  /**
   * Erases encounters with all that belongs to them; with its last encounter a person is erased, too.
   * @throws {CodedError} ENCOUNTER_FIXED: one of them came another way, so an operator erases it; NOT_FOUND
   */
  async erase(company: CompanyId, encounters: readonly Encounter[], act: AuditContext): Promise<void> {
    const { erasureService } = this.ports;
    const choice = {
      validations: encounters.map((each) => changeable(each).id),
      faces: [],
      photos: [],
      comparisons: [],
    };
    const { code } = await erasureService.plan(company, choice);
    await erasureService.run(company, { choice, code, copies: 'keep' }, act);
  }

  /** @throws {CodedError} ENCOUNTER_EXISTS: both have an encounter of one name; nothing is changed */
  async merge(company: CompanyId, target: string, source: string, act: AuditContext): Promise<void> {
    const [into, from] = await Promise.all([this.person(company, target), this.person(company, source)]);
    const names = new Set(into.encounters.map(encounterName));
    if (into.name !== from.name && from.encounters.some((each) => names.has(encounterName(each))))
      throw new CodedError('ENCOUNTER_EXISTS');
    const seen = { target: versionOf(into), source: versionOf(from) };
    await this.ports.personService.merge(company, seen, null, act);
  }

  /** Moves an encounter from a person to another one. @throws {CodedError} as {@link merge} */
  async move(
    company: CompanyId,
    { target, source, encounter }: { target: string; source: string; encounter: string },
    act: AuditContext,
  ): Promise<void> {
    const { face } = await this.encounter(company, source, encounter);
    const [into, from] = await Promise.all([this.person(company, target), this.person(company, source)]);
    if (into.name !== from.name && into.encounters.some((each) => encounterName(each) === encounter))
      throw new CodedError('ENCOUNTER_EXISTS');
    const move = { faces: [face], to: versionOf(into), reason: null };
    await this.ports.personService.move(company, versionOf(from), move, act);
  }

  /** Whether searches find an encounter. @throws {CodedError} ENCOUNTER_FIXED */
  async setActive(
    company: Company,
    encounter: Encounter,
    isActive: boolean,
    act: AuditContext,
  ): Promise<void> {
    const { id, status } = changeable(encounter);
    const { Verified } = TRUST_VALIDATION_STATUS;
    if ((status === Verified) === isActive) return;
    const decision = isActive ? 'verify' : 'reject';
    const wanted = { decision, note: '', seenStatus: status } as const;
    const outcome = await this.ports.verifications.decide(company, id, wanted, act.by);
    if (outcome === 'decided') return;
    const [now] = await this.ports.encounters.of(company.id, [encounter.face]);
    if (now === undefined) throw new CodedError('NOT_FOUND');
    // Another request or an operator decided it meanwhile.
    await this.setActive(company, now, isActive, act);
  }

  /** The names of the galleries that searches cover. */
  async galleries(company: CompanyId): Promise<string[]> {
    const { searched } = await searchCoverage(this.ports, company, SEARCH);
    return searched.map(({ id }) => galleryName({ blacklist: id }));
  }

  /** The watchlists of a gallery. @throws {CodedError} NOT_FOUND */
  async watchlists(company: CompanyId, gallery: string): Promise<readonly Watchlist[]> {
    const { watchlists } = await searchCoverage(this.ports, company, SEARCH);
    const found = watchlists.filter(
      (list) =>
        gallery === EVERY_GALLERY ||
        gallery === galleryName({ blacklist: list.kind === 'duplicate' ? null : list.blacklistId }),
    );
    if (found.length === 0) throw new CodedError('NOT_FOUND');
    return found;
  }

  /** A page of a gallery. @throws {CodedError} NOT_FOUND */
  async page(
    company: CompanyId,
    gallery: string,
    part: { offset: number; limit: number },
  ): Promise<{ personId: string; encounterId: string }[]> {
    if (gallery === EVERY_GALLERY) throw new CodedError('NOT_FOUND');
    const [list] = await this.watchlists(company, gallery);
    const id: BlacklistId | null = list?.kind === 'blacklist' ? list.blacklistId : null;
    const found = await this.ports.encounters.page(company, id, part);
    return found.map((each) => ({ personId: personName(each), encounterId: encounterName(each) }));
  }

  /**
   * A photo as JPEG or PNG, of a file of any kind that is read.
   * @throws {CodedError} it is not read, or is a record without a face
   */
  async picture(company: CompanyId, file: Uint8Array): Promise<{ image: Uint8Array; original?: Original }> {
    if (sniffImageFormat(file) !== undefined) return { image: file };
    const converted = await this.ports.pictures.convert(file, { company, priority: 'interactive' });
    if (converted.kind === 'unconvertible') throw new CodedError(converted.reason);
    const { content, original: kind, record } = converted;
    return { image: content, original: { kind, record } };
  }

  /** How many faces searches find in {@link MAIN_GALLERY}. */
  count(company: CompanyId): Promise<number> {
    return this.ports.encounters.count(company);
  }

  /** The template of the one face of a photo, of which nothing is kept. @throws {CodedError} the photo cannot be used */
  async probe(company: CompanyId, file: Uint8Array): Promise<Template> {
    const { image, original } = await this.picture(company, file);
    const severalFaces = facesOf(original);
    const analysis = await this.ports.vision
      .of(company)
      .enrol(image, { severalFaces, priority: 'interactive' });
    if (analysis.kind === 'refused') throw new CodedError(problem(analysis.code));
    return analysis.face.template;
  }

  /** The templates of encounters by the pipeline of the company. */
  async probesOf(company: CompanyId, encounters: readonly Encounter[]): Promise<Template[]> {
    const found = await Promise.all(encounters.map((each) => this.template(company, each)));
    return found.filter((template) => template !== undefined);
  }

  /**
   * Persons whose active encounters resemble one of the probes, nearest first, with an entry of the audit log.
   * @param except faces that are left out, such as those of the probes
   */
  async identify(
    company: CompanyId,
    probes: readonly Template[],
    { watchlists, limit, threshold, fmr = DEFAULT_FMR }: Identification,
    act: AuditContext,
    except: ReadonlySet<FaceId> = new Set(),
  ): Promise<FoundPerson[]> {
    const { gallery, vision, encounters } = this.ports;
    const { calibration } = vision.of(company);
    const maxDistance = threshold === undefined ? distanceAtFmr(calibration, fmr) : MAX_DISTANCE;
    const restrictions = { watchlists, limit, maxDistance, except };
    const found = (await gallery.searchPersons(company, probes, restrictions)).flat();
    await this.#recordSearch(company, watchlists, act);
    const faces = found.flatMap(({ photos }) => photos.map(({ faceId }) => faceId));
    const stored = new Map((await encounters.of(company, faces)).map((each) => [each.face, each]));
    // One person may resemble several probes, and be in several watchlists.
    const alike = Map.groupBy(found, ({ person, photos }) => person ?? `face-${photos[0]?.faceId}`);
    const measured = [...alike.values()].map((candidates) => ({
      distance: Math.min(...candidates.map(({ distance }) => distance)),
      encounters: nearestOf(candidates.flatMap(({ photos }) => photos)).flatMap(({ faceId, distance }) => {
        const encounter = stored.get(faceId);
        // It was erased meanwhile.
        return encounter === undefined ? [] : [{ encounter, distance }];
      }),
    }));
    return this.#found(company, measured)
      .filter(({ score }) => threshold === undefined || score >= threshold)
      .slice(0, limit);
  }

  /** Persons among these encounters that resemble one of the probes, as {@link identify}. */
  async identifyAmong(
    company: CompanyId,
    probes: readonly Template[],
    among: readonly Encounter[],
    { fmr = DEFAULT_FMR, limit }: { fmr?: number | undefined; limit: number },
    act: AuditContext,
  ): Promise<FoundPerson[]> {
    const farthest = distanceAtFmr(this.ports.vision.of(company).calibration, fmr);
    const compared = await this.compare(company, probes, among);
    const searched = { watchlists: [], faces: among.length, began: act.at };
    await recordSearch(this.ports, act.by, company, searched);
    return compared.filter(({ distance }) => distance <= farthest).slice(0, limit);
  }

  /** How similar the persons of active encounters are to the nearest probe, nearest first. */
  async compare(
    company: CompanyId,
    probes: readonly Template[],
    among: readonly Encounter[],
  ): Promise<FoundPerson[]> {
    const { faces, vision } = this.ports;
    const active = among.filter(({ isActive }) => isActive);
    if (active.length === 0 || probes.length === 0) return [];
    const ids = active.map(({ face }) => face);
    const vectors = await faces.vectors(company, vision.pipelineOf(company), ids);
    const described = active.flatMap((encounter) => {
      const vector = vectors.get(encounter.face);
      return vector === undefined ? [] : [{ encounter, vector }];
    });
    const measured = [...Map.groupBy(described, ({ encounter }) => personName(encounter)).values()].map(
      (of): Measured => {
        const distances = probes.map((probe) => of.map(({ vector }) => distanceOf(probe.vector, vector)));
        const averages = probes.map((probe) =>
          averageDistance(
            probe.vector,
            of.map(({ vector }) => vector),
          ),
        );
        return {
          distance: Math.min(
            ...distances.map((each, i) => personDistance(Math.min(...each), averages[i]!, each.length)),
          ),
          encounters: of.map(({ encounter }, i) => ({
            encounter,
            distance: Math.min(...distances.map((each) => each[i]!)),
          })),
        };
      },
    );
    return this.#found(company, measured);
  }

  /** Nearest first; persons whose encounters are gone are left out. */
  #found(company: CompanyId, measured: readonly Measured[]): FoundPerson[] {
    const { calibration } = this.ports.vision.of(company);
    const similarity = (distance: number): Similarity => ({
      distance,
      score: similarityScore(calibration, distance),
      band: bandOf(calibration, distance),
      falseMatchRate: fmrAtDistance(calibration, distance),
    });
    const isNearer = (one: Similarity, other: Similarity) => one.distance - other.distance;
    return measured
      .flatMap(({ distance, encounters: [first, ...others] }) => {
        if (first === undefined) return [];
        const compared = [first, ...others].map((each) => ({
          encounter: encounterName(each.encounter),
          ...similarity(each.distance),
        }));
        return {
          person: personName(first.encounter),
          ...similarity(distance),
          compared: compared.toSorted(isNearer),
        };
      })
      .toSorted(isNearer);
  }

  async #recordSearch(
    company: CompanyId,
    watchlists: readonly Watchlist[],
    act: AuditContext,
  ): Promise<void> {
    const { gallery } = this.ports;
    await gallery.ready();
    const sizes = await Promise.all(watchlists.map((list) => gallery.size(company, list)));
    const faces = sizes.reduce((sum, size) => sum + size, 0);
    await recordSearch(this.ports, act.by, company, { watchlists, faces, began: act.at });
  }

  /** Describes a photo, writes its file, and stores both by `store`; a refusal leaves no file. */
  async #keep<T extends { face: FaceId }>(
    company: Company,
    { file, isActive, kept: sent }: NewEncounter,
    store: (photo: Parameters<Encounters['replace']>[2]) => Promise<T>,
  ): Promise<T> {
    const { verifications, images, gallery, vision, log } = this.ports;
    const { image, original } = await this.picture(company.id, file);
    const photo = await verifications.analyse(company, image, facesOf(original));
    if (photo.kind === 'refused') throw new CodedError(problem(photo.code));
    if (photo.kind === 'no-storage') throw new CodedError('STORAGE_NOT_CONFIGURED');
    if (photo.kind === 'wrong-type') throw new CodedError(problem('IMAGE_WRONG_TYPE', { field: 'image' }));
    await vision.whenNotSwitching(company.id);
    const { format, facts, face, onePerson } = photo;
    const written = await images.write(company.id, format, oneChunk(image));
    const kept = await referTo(this.ports, company.id, [written], () =>
      verifications.runExclusive(company.id, () =>
        store({
          image: written,
          facts,
          face,
          onePerson,
          isActive,
          kept: { encounter: { ...sent.encounter, original } },
        }),
      ),
    );
    const { face: faceId } = kept;
    if (isActive)
      await afterCommit(log, { company: company.id, face: faceId }, FOLLOWS.enrolled, () =>
        gallery.append(company.id, [{ faceId, watchlist: { kind: 'duplicate' }, template: face.template }]),
      );
    return kept;
  }
}

/** The issuer of a face record states that its picture shows one person. */
function facesOf(original: Original | undefined): FacesOfPhoto {
  return original?.record == null ? 'refuse' : 'portrait';
}

/** The validation of an encounter that came from another system. @throws {CodedError} ENCOUNTER_FIXED: it came another way */
function changeable({ kept, validation }: Encounter): NonNullable<Encounter['validation']> {
  if (kept === null || validation === null) throw new CodedError('ENCOUNTER_FIXED');
  return validation;
}

/** @throws {CodedError} ENCOUNTER_FIXED: a face without a person is in no other one */
function versionOf({ person }: KnownPerson): { id: Person['id']; version: number } {
  if (person === null) throw new CodedError('ENCOUNTER_FIXED');
  return { id: person.id, version: person.version };
}

/** Each face once, at its least distance. */
function nearestOf(photos: readonly Pick<Candidate, 'faceId' | 'distance'>[]): typeof photos {
  const nearest = new Map<FaceId, number>();
  for (const { faceId, distance } of photos)
    nearest.set(faceId, Math.min(distance, nearest.get(faceId) ?? MAX_DISTANCE));
  return [...nearest].map(([faceId, distance]) => ({ faceId, distance }));
}
