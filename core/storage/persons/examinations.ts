import { randomInt } from 'node:crypto';
import type { Selectable } from 'kysely';
import { examinationContent, type ExaminationContent } from '../../contracts/dashboard/examinations.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import type { ExtractedFace, ImageFacts } from '../../contracts/faces.ts';
import {
  trusted,
  type CompanyId,
  type ExaminationId,
  type FaceId,
  type PipelineId,
} from '../../contracts/ids.ts';
import type { Actor, AuditContext } from '../../domain/ports/auditContext.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { WrittenImage } from '../../domain/ports/images.ts';
import { distanceOf } from '../../domain/scores/scores.ts';
import { cellsOf } from '../engine/cells.ts';
import type { Sealed } from '../engine/migrations/table.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { listed, newIds } from '../engine/dialect.ts';
import { AuditedRows } from '../engine/rows.ts';
import type { Schema } from '../engine/schema.ts';
import { insertFace } from '../faces/faces.ts';
import { comparable } from '../faces/templates.ts';
import { imageRow } from '../images/imageFiles.ts';
import { isSecondPerson } from './persons.ts';

export interface StoredExamination {
  id: ExaminationId;
  beganAt: number;
  /** In the drawn order. */
  faces: readonly [FaceId, FaceId];
  content: ExaminationContent;
}

/** A photo that nobody enrolled, with the face to examine. Its file is written. */
export interface ExaminedPhoto {
  image: WrittenImage;
  facts: ImageFacts;
  face: ExtractedFace;
  /** Of its file. */
  name: string;
}

/** Examinations of two faces. An examination is deleted with either face. */
export class Examinations extends AuditedRows {
  /**
   * Draws the order of the pictures. A photo becomes a face that no search finds; it belongs to this examination alone.
   * @throws {CodedError} NOT_FOUND: the company has not enrolled such faces, or both are one
   */
  begin(
    company: CompanyId,
    pair: readonly [FaceId | ExaminedPhoto, FaceId | ExaminedPhoto],
    act: AuditContext,
  ): Promise<ExaminationId> {
    return writing(this.db, company, async (trx) => {
      const enrolled = pair.filter((each) => typeof each === 'number');
      const found = await trx
        .selectFrom('face')
        .select('id')
        .where('company_id', '=', company)
        .where('id', 'in', listed(enrolled))
        .where((eb) => eb.or([eb('trust_validation_id', 'is not', null), eb('kind', '=', 'blacklist')]))
        .execute();
      if (found.length !== enrolled.length) throw new CodedError('NOT_FOUND');
      const faces = [];
      for (const each of pair)
        faces.push(typeof each === 'number' ? each : await storePhoto(trx, company, each, act));
      const [first, second] = [faces[0]!, faces[1]!];
      const id = trusted.examination((await newIds(trx, 'examination', 1))[0]!);
      const swapped = randomInt(2) === 1;
      const place = { id, company_id: company, first_face: first, second_face: second };
      const content = sealed(trx, place, { swapped, works: [], replaced: [], settlement: null });
      await trx
        .insertInto('examination')
        .values({ ...place, began_at: act.at.getTime(), content })
        .execute();
      this.audit.append(trx, act, {
        company,
        action: 'examination.begun',
        object: `examination:${id}`,
        details: { first, second },
      });
      return id;
    });
  }

  async find(company: CompanyId, id: ExaminationId): Promise<StoredExamination | undefined> {
    const row = await rowOf(this.db, company, id);
    return row && toExamination(row, cellsOf(this.db).open('examination', 'content', row));
  }

  /** Newest first. One that was changed without the key is left out and logged; the diagnosis names it. */
  async list(company: CompanyId, limit: number): Promise<StoredExamination[]> {
    const rows = await this.db
      .selectFrom('examination')
      .selectAll()
      .where('company_id', '=', company)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.flatMap((row) => {
      const content = cellsOf(this.db).shown('examination', 'content', row);
      return content === undefined ? [] : toExamination(row, content);
    });
  }

  /**
   * Changes the content in one transaction with its audit entry, which holds no conclusion of an examiner: the other one
   * could read it there.
   * @param work makes the new content of the one that is stored
   * @throws {CodedError} NOT_FOUND; SECOND_OPERATOR_NEEDED: an examiner comes or goes by the act of the other one, or of the same person
   */
  change(
    company: CompanyId,
    id: ExaminationId,
    act: AuditContext,
    {
      work,
      ...entry
    }: Pick<NewAuditEntry, 'action' | 'details'> & {
      work: (content: ExaminationContent) => ExaminationContent;
    },
  ): Promise<void> {
    return writing(this.db, company, async (trx) => {
      const row = await rowOf(trx, company, id);
      if (row === undefined) throw new CodedError('NOT_FOUND');
      const { content: before } = toExamination(row, cellsOf(trx).open('examination', 'content', row));
      const content = work(before);
      // Neither an examiner nor who replaces one may be the other examiner, under no account.
      const stay = before.works.filter(({ by }) => content.works.some((each) => each.by === by));
      if (content.works.length !== before.works.length)
        for (const { by } of stay)
          if (!(await isSecondPerson(trx, company, by as Actor, act)))
            throw new CodedError('SECOND_OPERATOR_NEEDED');
      await trx
        .updateTable('examination')
        .set({ content: sealed(trx, row, content, row.content) })
        .where((eb) => eb.and({ company_id: company, id }))
        .execute();
      this.audit.append(trx, act, { company, object: `examination:${id}`, ...entry });
    });
  }

  /** Euclidean, between the templates of two faces; null: the pipeline has none of one of them. */
  async distance(
    company: CompanyId,
    faces: readonly [FaceId, FaceId],
    pipeline: PipelineId,
  ): Promise<number | null> {
    const rows = await this.db
      .selectFrom('template')
      .selectAll()
      .where((eb) => eb.and({ company_id: company, pipeline_id: pipeline }))
      .where('face_id', 'in', listed(faces))
      .execute();
    const [one, other] = await Promise.all(rows.map((row) => comparable(this.db, row)));
    return one == null || other == null ? null : distanceOf(one.vector, other.vector);
  }
}

async function storePhoto(
  trx: Transaction,
  company: CompanyId,
  { image, facts: { width, height }, face, name }: ExaminedPhoto,
  act: AuditContext,
): Promise<FaceId> {
  await trx
    .insertInto('image')
    .values({ ...imageRow(trx, company, image, act.at.getTime()), width, height })
    .execute();
  return insertFace(trx, company, {
    watchlist: { kind: 'duplicate' },
    trustValidationId: null,
    name,
    imageId: image.id,
    face,
    enrolledAt: act.at,
    matchable: false,
    superseded: true,
    listing: null,
  });
}

/** The photos that were stored for examinations alone, of all examinations. */
export function examinedPhotos(db: Database, company: CompanyId) {
  return db
    .selectFrom('face')
    .where((eb) => eb.and({ company_id: company, kind: 'duplicate', trust_validation_id: null }))
    .where((eb) =>
      eb.or(
        (['first_face', 'second_face'] as const).map((column) =>
          eb(
            'id',
            'in',
            eb.selectFrom('examination').select(column).where('examination.company_id', '=', company),
          ),
        ),
      ),
    );
}

/** Of these, the photos that were examined with one of these faces: they go with it. */
export function photosExaminedWith(db: Database, company: CompanyId, faces: readonly FaceId[]) {
  const partners = [
    ['first_face', 'second_face'],
    ['second_face', 'first_face'],
  ] as const;
  return db
    .selectFrom('face')
    .select(['id', 'image_id'])
    .where((eb) => eb.and({ company_id: company, kind: 'duplicate', trust_validation_id: null }))
    .where((eb) =>
      eb.or(
        partners.map(([photo, partner]) =>
          eb(
            'id',
            'in',
            eb
              .selectFrom('examination')
              .select(photo)
              .where('examination.company_id', '=', company)
              .where(partner, 'in', listed(faces)),
          ),
        ),
      ),
    )
    .execute();
}

type Row = Selectable<Schema['examination']>;

function rowOf(db: Database, company: CompanyId, id: ExaminationId): Promise<Row | undefined> {
  return db
    .selectFrom('examination')
    .selectAll()
    .where((eb) => eb.and({ company_id: company, id }))
    .executeTakeFirst();
}

function toExamination(
  { id, began_at, first_face: first, second_face: second }: Row,
  bytes: Uint8Array,
): StoredExamination {
  const content = examinationContent.parse(JSON.parse(Buffer.from(bytes).toString()));
  return { id, beganAt: began_at, faces: content.swapped ? [second, first] : [first, second], content };
}

/** @param place binds the content to the pair @param before the content that it replaces, which was opened */
function sealed(
  db: Database,
  place: Omit<Row, 'began_at' | 'content'>,
  content: ExaminationContent,
  before?: Sealed,
) {
  return cellsOf(db).seal('examination', 'content', place, Buffer.from(JSON.stringify(content)), before);
}
