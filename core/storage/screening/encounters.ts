/** Encounters of other ABIS clients: each is a Trust Validation of the enrolment flow, or a face of a blacklist. */
import { TRUST_VALIDATION_STATUS, type TrustValidationStatus } from '../../contracts/codes.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import type { ExtractedFace, ImageFacts } from '../../contracts/faces.ts';
import type {
  BlacklistId,
  CompanyId,
  FaceId,
  ImageId,
  PersonId,
  TrustFlowId,
  TrustValidationId,
} from '../../contracts/ids.ts';
import { keptEncounter, type KeptEncounter } from '../../contracts/osia.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { WrittenImage } from '../../domain/ports/images.ts';
import { SIDE } from '../../domain/ports/persons.ts';
import { cellsOf } from '../engine/cells.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { listed } from '../engine/dialect.ts';
import { countOf, AuditedRows, rowsWith, addRows, changeRows } from '../engine/rows.ts';
import { keyOf } from '../engine/searchKeys.ts';
import { nameAtEnrolment } from '../enrolment/itemAnswers.ts';
import { CODED_COLUMNS, insertFace } from '../faces/faces.ts';
import { recordHistory } from '../history/validationHistory.ts';
import { imageRow } from '../images/imageFiles.ts';
import { facesOfPerson } from '../persons/personRows.ts';
import { recordDecision } from '../persons/recordDecision.ts';
import { supersedeSelfies } from './validationRows.ts';

const { Verified, Rejected } = TRUST_VALIDATION_STATUS;

/** A stored face as an encounter. */
export interface Encounter {
  face: FaceId;
  /** null: of a blacklist. */
  validation: { id: TrustValidationId; status: TrustValidationStatus } | null;
  blacklist: BlacklistId | null;
  /** null: the face belongs to no person. */
  person: { id: PersonId; externalId: string | null } | null;
  /** null: another way of enrolment made it. */
  kept: KeptEncounter['encounter'] | null;
  image: ImageId;
  /** 0 to 100. */
  quality: number;
  /** Whether searches find it. */
  isActive: boolean;
  enrolledAt: Date;
}

/** A photo with its one face, for an encounter. */
interface EncounterPhoto {
  image: WrittenImage;
  facts: ImageFacts;
  face: ExtractedFace;
  onePerson: boolean;
  isActive: boolean;
  kept: KeptEncounter;
}

export class Encounters extends AuditedRows {
  /** The encounters of these faces, by rising ids; photos that a later one replaced are left out. */
  readonly of = encountersOf.bind(undefined, this.db);

  /**
   * Enrols a photo as an encounter of a person, in one transaction.
   * @param wanted.alone refuses a person that has any encounter
   * @throws {CodedError} ENCOUNTER_EXISTS; nothing is written
   */
  async create(
    company: CompanyId,
    wanted: EncounterPhoto & { flow: TrustFlowId; externalId: string; alone: boolean },
    act: AuditContext,
  ): Promise<{ face: FaceId; validation: TrustValidationId }> {
    const { externalId, alone, kept, isActive } = wanted;
    return writing(this.db, company, async (trx) => {
      const present = await encountersOf(trx, company, await facesNamed(trx, company, externalId));
      const { id } = kept.encounter;
      if (present.some((each) => alone || (id !== undefined && each.kept?.id === id)))
        throw new CodedError('ENCOUNTER_EXISTS');
      const status = isActive ? Verified : Rejected;
      const metadata = JSON.stringify(kept);
      const at = act.at.getTime();
      const validation = await trx
        .insertInto('trust_validation')
        .values({
          company_id: company,
          trust_flow_id: wanted.flow,
          status,
          name: externalId,
          metadata,
          ...keyOf('trust_validation', { name: externalId, metadata }),
          created_at: at,
          finalized_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const face = await this.#enrol(trx, company, { ...wanted, validation: validation.id }, act);
      await recordHistory(trx, company, validation.id, {
        at: act.at,
        actor: act.by,
        action: 'enrolled',
        from: null,
        to: status,
        note: null,
      });
      const person = { name: null, externalId };
      await nameAtEnrolment(trx, this.audit, company, { face, person }, act);
      this.#record(trx, act, company, validation.id, { face, replaced: 0 });
      return { face, validation: validation.id };
    });
  }

  /**
   * Replaces the photo and the kept fields of an encounter. The photo before it stays until the encounter is erased, and
   * matches no more.
   * @returns the new face and those that it replaced
   * @throws {CodedError} NOT_FOUND: the encounter is gone
   */
  async replace(
    company: CompanyId,
    id: TrustValidationId,
    photo: EncounterPhoto,
    act: AuditContext,
  ): Promise<{ face: FaceId; superseded: FaceId[] }> {
    return writing(this.db, company, async (trx) => {
      const row = await rowsWith(trx, 'trust_validation', { company_id: company, id })
        .select(['name', 'status'])
        .executeTakeFirst();
      if (row === undefined) throw new CodedError('NOT_FOUND');
      const status = photo.isActive ? Verified : Rejected;
      const metadata = JSON.stringify(photo.kept);
      await changeRows(trx, 'trust_validation', { company_id: company, id })
        .set({ status, metadata, ...keyOf('trust_validation', { name: row.name, metadata }) })
        .execute();
      const superseded = await supersedeSelfies(trx, company, id);
      const face = await this.#enrol(trx, company, { ...photo, validation: id, externalId: row.name }, act);
      await recordHistory(trx, company, id, {
        at: act.at,
        actor: act.by,
        action: 'selfie-replaced',
        from: row.status,
        to: status,
        note: null,
      });
      const faces = [...superseded, face].map((each) => ({ face: each, side: SIDE.stays }));
      const decision = { kind: 'named', faces, reason: null, awaitsSecond: false, confirms: null } as const;
      await recordDecision(trx, this.audit, company, decision, act);
      this.#record(trx, act, company, id, { face, replaced: superseded.length });
      return { face, superseded };
    });
  }

  /** A page of the faces of one watchlist, by rising ids. @param list null: enrolled for duplicate detection */
  async page(
    company: CompanyId,
    list: BlacklistId | null,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<Encounter[]> {
    const rows = await rowsWith(this.db, 'face', { company_id: company, superseded: 0 })
      .select('id')
      .where('blacklist_id', list === null ? 'is' : '=', list)
      .orderBy('id')
      .offset(offset)
      .limit(limit)
      .execute();
    return encountersOf(
      this.db,
      company,
      rows.map(({ id }) => id),
    );
  }

  /** How many faces match for duplicate detection. */
  count(company: CompanyId): Promise<number> {
    return countOf(
      rowsWith(this.db, 'face', { company_id: company, matchable: 1 }).where('blacklist_id', 'is', null),
    );
  }

  /** @returns the face */
  async #enrol(
    trx: Transaction,
    company: CompanyId,
    photo: EncounterPhoto & { validation: TrustValidationId; externalId: string },
    act: AuditContext,
  ): Promise<FaceId> {
    const { image, facts, face, validation, externalId, isActive, onePerson } = photo;
    const sizes = { width: facts.width, height: facts.height };
    await addRows(trx, 'image', { ...imageRow(trx, company, image, act.at.getTime()), ...sizes });
    const id = await insertFace(trx, company, {
      watchlist: { kind: 'duplicate' },
      trustValidationId: validation,
      name: externalId,
      imageId: image.id,
      face,
      enrolledAt: act.at,
      matchable: isActive,
      listing: null,
    });
    const to = isActive ? Verified : Rejected;
    if (onePerson)
      await recordHistory(trx, company, validation, {
        at: act.at,
        actor: act.by,
        action: 'one-person',
        from: to,
        to,
        note: null,
      });
    return id;
  }

  #record(
    trx: Transaction,
    act: AuditContext,
    company: CompanyId,
    id: TrustValidationId,
    details: { face: FaceId; replaced: number },
  ): void {
    this.audit.append(trx, act, {
      company,
      action: 'encounter.stored',
      object: `validation:${id}`,
      details,
    });
  }
}

async function facesNamed(db: Database, company: CompanyId, externalId: string): Promise<FaceId[]> {
  const row = await rowsWith(db, 'person', { company_id: company, external_id: externalId })
    .select('id')
    .executeTakeFirst();
  return row === undefined ? [] : facesOfPerson(db, company, row.id);
}

async function encountersOf(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<Encounter[]> {
  const rows = await db
    .selectFrom('face')
    .leftJoin('trust_validation', 'trust_validation.id', 'face.trust_validation_id')
    .leftJoin('trust_flow', 'trust_flow.id', 'trust_validation.trust_flow_id')
    .leftJoin('person_face', 'person_face.face_id', 'face.id')
    .leftJoin('person', 'person.id', 'person_face.person_id')
    .select(CODED_COLUMNS.map((column) => `face.${column}` as const))
    .select([
      'face.quality_score',
      'face.enrolled_at',
      'trust_validation.status',
      'trust_validation.metadata',
      'trust_flow.system',
      'person.id as person_id',
      'person.external_id',
    ])
    .where('face.company_id', '=', company)
    .where('face.id', 'in', listed(faces))
    .where('face.superseded', '=', 0)
    .orderBy('face.id')
    .execute();
  const cells = cellsOf(db);
  return rows.map((row) => {
    const { trust_validation_id: validation, status, metadata } = row;
    // In other flows the metadata is whatever a client sent with its verification.
    const isKept = metadata !== null && row.system === 1;
    const kept = keptEncounter.safeParse(isKept ? JSON.parse(metadata) : null);
    return {
      face: cells.checked('face', row).id,
      validation: validation === null || status === null ? null : { id: validation, status },
      blacklist: row.blacklist_id,
      person: row.person_id === null ? null : { id: row.person_id, externalId: row.external_id },
      kept: kept.success ? kept.data.encounter : null,
      image: row.image_id,
      quality: row.quality_score,
      isActive: row.matchable === 1,
      enrolledAt: new Date(row.enrolled_at),
    };
  });
}
