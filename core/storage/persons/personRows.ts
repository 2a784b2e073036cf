/** Persons as rows, and which faces they have. */
import { sql, type Selectable } from 'kysely';
import type { BlacklistId, CompanyId, FaceId, PersonId, PipelineId } from '../../contracts/ids.ts';
import type { NamedFace, PersonFilter } from '../../domain/ports/persons.ts';
import type { PersonFaces } from '../../domain/ports/gallery.ts';
import type { Cells } from '../engine/cells.ts';
import type { Database } from '../engine/database.ts';
import { isNamed } from '../engine/nameSearch.ts';
import { joinedFaces } from '../faces/gallerySnapshots.ts';
import { listed } from '../engine/dialect.ts';
import type { Schema } from '../engine/schema.ts';
import type { DuplicateFaceSource } from '../../contracts/dashboard/duplicates.ts';
import { isoTime } from '../../domain/values/time.ts';
import { rowsWith } from '../engine/rows.ts';

// Decisions, persons and groups as rows.

/** A decision as histories show it. */
export type DecisionRecord = ReturnType<typeof toRecord>;

export function toRecord(
  cells: Cells,
  row: Selectable<Schema['person_decision']> & { undone_at: number | null; awaiting: number },
  faces: NamedFace[],
) {
  return {
    id: row.id,
    kind: row.kind,
    faces,
    by: row.decided_by,
    at: isoTime(row.decided_at),
    reason: cells.shownText('person_decision', 'reason', row),
    /** How far apart its least similar pair was, Euclidean, by the templates of that pipeline; null: not measured. */
    measured:
      row.distance === null || row.pipeline_id === null
        ? null
        : { distance: row.distance, pipeline: row.pipeline_id },
    undoes: row.undoes,
    undoneAt: isoTime(row.undone_at),
    /** It needs the confirmation of a second operator, and has none in force. */
    awaitsConfirmation: row.awaiting === 1,
    person: row.person_id,
    otherPerson: row.other_person_id,
  };
}

export type DuplicateGroup = ReturnType<typeof toGroup>;

/** `link`, `widest`: the Euclidean distance at which its last two parts were joined, and that of its least similar pair. */
export function toGroup(row: Selectable<Schema['duplicate_group']>) {
  const { id, version, state, link, widest, size } = row;
  return {
    id,
    version,
    state,
    link,
    widest,
    size,
    identical: row.identical === 1,
    createdAt: isoTime(row.created_at),
    changedAt: isoTime(row.changed_at),
  };
}

export const isRising = (a: FaceId, b: FaceId): number => a - b;

// The facts that show a reviewer where enrolled faces are from.

/** The run that a face was enrolled by, of its row. @param what a column of it */
const ofRun = (what: string) => `
  (select enrolment_run.${what} from upload_item
    join upload on upload.id = upload_item.upload_id
    join enrolment_run on enrolment_run.company_id = upload.company_id and enrolment_run.id = upload.run_id
    where upload_item.face_id = face.id limit 1)`;
/** How a face was enrolled. A face of no run is of a verification, or was added to its list in the dashboard. */
export const SOURCE_OF_FACE = `coalesce(${ofRun('source')},
  case when face.trust_validation_id is not null then 'verification'
    when exists (select 1 from imported_face_origin where face_id = face.id) then 'import' else 'dashboard' end)`;

export type DescribedFace = Awaited<ReturnType<typeof describeFaces>>[number];

/** By rising ids; missing faces are left out. */
export async function describeFaces(db: Database, company: CompanyId, faces: readonly FaceId[]) {
  const rows = await db
    .selectFrom('face')
    .leftJoin('blacklist', 'blacklist.id', 'face.blacklist_id')
    .leftJoin('person_face', 'person_face.face_id', 'face.id')
    .leftJoin('person', 'person.id', 'person_face.person_id')
    .select([
      'face.id',
      'face.name',
      'face.enrolled_at',
      'face.trust_validation_id',
      'blacklist.id as list_id',
      'blacklist.name as list_name',
      'person.id as person_id',
      'person.name as person_name',
      sql.raw<DuplicateFaceSource>(SOURCE_OF_FACE).as('source'),
      sql.raw<string | null>(ofRun('name')).as('run_name'),
    ])
    .where('face.company_id', '=', company)
    .where('face.id', 'in', listed(faces))
    .orderBy('face.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    blacklist: row.list_id === null ? null : { id: row.list_id, name: row.list_name! },
    source: row.source,
    runName: row.run_name,
    enrolledAt: isoTime(row.enrolled_at),
    trustValidationId: row.trust_validation_id,
    person: row.person_id === null ? null : { id: row.person_id, name: row.person_name! },
  }));
}

/** One without was merged into another person. */
export const HAS_FACES = sql<boolean>`exists (select 1 from person_face where person_id = person.id)`;

export function matches({ text = '', externalId }: PersonFilter) {
  const part = text.trim();
  const named = isNamed('person', part);
  const known = sql<boolean>`person.external_id = ${externalId}`;
  return sql<boolean>`${part === '' ? sql`true` : named} and ${externalId === undefined ? sql`true` : known}`;
}

export type Person = ReturnType<typeof toPerson>;

/** `cover`: null after that photo was erased; another one is chosen with the next change. */
export function toPerson(cells: Cells, row: Selectable<Schema['person']> & { faces: number }) {
  const { id, version, name, faces } = row;
  return {
    id,
    version,
    name,
    note: cells.shownText('person', 'note', row),
    faces,
    externalId: row.external_id,
    cover: row.cover_face,
    createdAt: isoTime(row.created_at),
    changedAt: isoTime(row.changed_at),
  };
}

/** By rising ids. */
export async function facesOfPerson(db: Database, company: CompanyId, id: PersonId): Promise<FaceId[]> {
  const rows = await rowsWith(db, 'person_face', { company_id: company, person_id: id })
    .select('face_id')
    .orderBy('face_id')
    .execute();
  return rows.map(({ face_id: face }) => face);
}

/** The persons of those of these faces that have one. */
export async function personsOf(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<Map<FaceId, Pick<Person, 'id' | 'name' | 'externalId'>>> {
  const rows = await db
    .selectFrom('person_face')
    .innerJoin('person', 'person.id', 'person_face.person_id')
    .select(['person_face.face_id', 'person.id', 'person.name', 'person.external_id'])
    .where('person_face.company_id', '=', company)
    .where('person_face.face_id', 'in', listed(faces))
    .execute();
  return new Map(
    rows.map((row) => [row.face_id, { id: row.id, name: row.name, externalId: row.external_id }]),
  );
}

/** The newest enrolled photo of each person with several that can be matched, by rising numbers of the persons. */
export function newestOfSeveral(
  db: Database,
  company: CompanyId,
  pipeline: PipelineId,
): Promise<{ person: PersonId; face: FaceId }[]> {
  return joinedFaces(db, company, pipeline)
    .innerJoin('person_face', 'person_face.face_id', 'face.id')
    .select((eb) => ['person_face.person_id as person', eb.fn.max('face.id').as('face')])
    .where('person_face.company_id', '=', company)
    .where('face.blacklist_id', 'is', null)
    .groupBy('person_face.person_id')
    .having((eb) => eb.fn.countAll(), '>', 1)
    .orderBy('person_face.person_id')
    .execute();
}

/** The persons of those of these faces that have one, each with all of its faces. */
export async function personsWithFaces(
  db: Database,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<Map<FaceId, PersonFaces>> {
  const rows = await rowsWith(db, 'person_face', { company_id: company })
    .select(['person_id', 'face_id'])
    .where('person_id', 'in', (eb) =>
      eb
        .selectFrom('person_face as asked')
        .select('asked.person_id')
        .where('asked.company_id', '=', company)
        .where('asked.face_id', 'in', listed(faces)),
    )
    .orderBy('face_id')
    .execute();
  const persons = [...Map.groupBy(rows, ({ person_id: person }) => person)];
  return new Map(
    persons.flatMap(([person, own]) => {
      const all = own.map(({ face_id: face }) => face);
      return all.map((face) => [face, { person, faces: all }] as const);
    }),
  );
}

/**
 * How many photos of each list show a person that another photo of the list shows already: a list has so many more
 * faces in the gallery of the pipeline than persons. Null: the enrolled faces. Reads every face that belongs to a person.
 */
export async function furtherPhotos(
  db: Database,
  company: CompanyId,
  pipeline: PipelineId,
): Promise<ReadonlyMap<BlacklistId | null, number>> {
  const rows = await joinedFaces(db, company, pipeline)
    .innerJoin('person_face', 'person_face.face_id', 'face.id')
    .select((eb) => [
      'face.blacklist_id as list',
      eb.fn.countAll<number>().as('photos'),
      eb.fn.count<number>('person_face.person_id').distinct().as('persons'),
    ])
    .where('person_face.company_id', '=', company)
    .groupBy('face.blacklist_id')
    .execute();
  return new Map(rows.map(({ list, photos, persons }) => [list, photos - persons]));
}
