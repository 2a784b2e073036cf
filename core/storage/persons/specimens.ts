import type { CompanyId, ImageId, PersonId, SignatureSpecimenId } from '../../contracts/ids.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { countOf, AuditedRows, addRows, deleteRows, rowsWith } from '../engine/rows.ts';
import { digestOfImage, imageRow } from '../images/imageFiles.ts';
import { settingsOf } from '../engine/checkedRows.ts';
import { SPECIMEN_LIMITS } from '../../contracts/persons.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { WrittenImage } from '../../domain/ports/images.ts';
import { isoTime } from '../../domain/values/time.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { facesOfPerson } from './personRows.ts';

/**
 * A specimen belongs to a face of the person. It follows this face through merges, splits and their undo. When the face is
 * erased, another face of the person takes its place, in the same transaction; with the last face it is erased.
 */
export class SignatureSpecimens extends AuditedRows {
  /** Those of a person, the oldest first; none where the company has no such person. */
  readonly of = specimensOf.bind(undefined, this.db);
  /** All of the company, of persons or of faces that belong to no person at present. */
  readonly count = countSpecimens.bind(undefined, this.db);

  /**
   * Refers to an image that was written, in one transaction with its audit entry. The caller discards a refused image.
   * @throws {CodedError} SPECIMENS_OFF, NOT_FOUND, SPECIMEN_PRESENT, SPECIMENS_FULL
   */
  async add(
    company: CompanyId,
    person: PersonId,
    image: WrittenImage,
    act: AuditContext,
  ): Promise<SignatureSpecimen> {
    return writing(this.db, company, async (trx) => {
      await requireSpecimensStored(trx, company);
      const [face] = await facesOfPerson(trx, company, person);
      if (face === undefined) throw new CodedError('NOT_FOUND');
      const present = await specimensOf(trx, company, person);
      if (present.some(({ sha256 }) => sha256 === image.sha256)) throw new CodedError('SPECIMEN_PRESENT');
      const { most } = SPECIMEN_LIMITS;
      if (present.length >= most) throw new CodedError(problem('SPECIMENS_FULL', { most }));
      const { sha256, format, bytes } = image;
      const at = act.at.getTime();
      await addRows(trx, 'image', imageRow(trx, company, image, at));
      const { id } = await trx
        .insertInto('signature_specimen')
        .values({ company_id: company, face_id: face, image_id: image.id, added_by: act.by, added_at: at })
        .returning('id')
        .executeTakeFirstOrThrow();
      this.audit.append(trx, act, {
        company,
        action: 'specimen.added',
        object: `person:${person}`,
        details: { specimen: id },
      });
      return { id, image: image.id, sha256, format, bytes, addedBy: act.by, addedAt: isoTime(at) };
    });
  }

  /** @returns the image, whose file the caller discards; undefined: the person has no such specimen */
  erase(
    company: CompanyId,
    person: PersonId,
    id: SignatureSpecimenId,
    act: AuditContext,
  ): Promise<ImageId | undefined> {
    return writing(this.db, company, async (trx) => {
      const found = (await specimensOf(trx, company, person)).find((specimen) => specimen.id === id);
      if (found === undefined) return undefined;
      await deleteRows(trx, 'signature_specimen', { company_id: company, id }).execute();
      this.audit.append(trx, act, {
        company,
        action: 'specimen.erased',
        object: `person:${person}`,
        details: { specimen: id },
      });
      return found.image;
    });
  }
}

/** The specimens of all persons of a company. */
export async function countSpecimens(db: Database, company: CompanyId): Promise<number> {
  return countOf(rowsWith(db, 'signature_specimen', { company_id: company }));
}

/**
 * Erases all specimens of a company, inside the caller's transaction.
 * @returns their images, whose files the caller discards
 */
export async function eraseAllSpecimens(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  act: AuditContext,
): Promise<ImageId[]> {
  const rows = await deleteRows(trx, 'signature_specimen', { company_id: company })
    .returning('image_id')
    .execute();
  if (rows.length > 0)
    audit.append(trx, act, {
      company,
      action: 'specimens.erased',
      object: `company:${company}`,
      details: { specimens: rows.length },
    });
  return rows.map(({ image_id: image }) => image);
}

async function requireSpecimensStored(trx: Transaction, company: CompanyId): Promise<void> {
  if (!(await settingsOf(trx, company)).signatureSpecimens) throw new CodedError('SPECIMENS_OFF');
}

/** A known signature of a person, stored for later comparisons. */
export type SignatureSpecimen = Awaited<ReturnType<typeof specimensOf>>[number];

async function specimensOf(db: Database, company: CompanyId, person: PersonId) {
  const rows = await db
    .selectFrom('signature_specimen')
    .innerJoin('person_face', 'person_face.face_id', 'signature_specimen.face_id')
    .innerJoin('image', 'image.id', 'signature_specimen.image_id')
    .select([
      'signature_specimen.id',
      'signature_specimen.image_id',
      'signature_specimen.added_by',
      'signature_specimen.added_at',
      'image.sha256',
      'image.format',
      'image.bytes',
    ])
    .where((eb) => eb.and({ 'signature_specimen.company_id': company, 'person_face.person_id': person }))
    .orderBy('signature_specimen.id')
    .execute();
  return rows.map(({ id, image_id: image, added_by: addedBy, added_at: addedAt, ...file }) => ({
    id,
    image,
    addedBy,
    addedAt: isoTime(addedAt),
    sha256: digestOfImage(db, { company_id: company, ...file }),
    format: file.format,
    bytes: file.bytes,
  }));
}
