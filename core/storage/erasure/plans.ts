import { createHash } from 'node:crypto';
import { ERASED_NAME } from '../../contracts/erasure.ts';
import type { CompanyId, FaceId, TrustValidationId } from '../../contracts/ids.ts';
import type { StoredPlan } from '../../domain/ports/erasure.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import type { Database } from '../engine/database.ts';
import { cellsOf } from '../engine/cells.ts';
import { containsExactly, isPostgres } from '../engine/dialect.ts';
import { homeCopies } from './homeCopies.ts';
import { candidatesOfSameFile, candidatesOfSamePersons } from './candidates.ts';
import type { PersonRecords } from './personRecords.ts';
import type { Home } from '../engine/home.ts';
import { countOf, rowsWith } from '../engine/rows.ts';

interface PlanSource {
  db: Database;
  audit: AuditLog;
  home: Home;
}

/** The plan as the store knows it. */
export async function summarizePlan(
  { db, audit, home }: PlanSource,
  company: CompanyId,
  rows: PersonRecords,
): Promise<StoredPlan> {
  const surroundings = await surroundingsOf(db, audit, company, rows);
  return {
    code: codeOf(company, rows),
    validations: await Promise.all(
      rows.validations.map(async ({ id, name, status, created_at }) => ({
        id,
        name,
        status,
        createdAt: new Date(created_at).toISOString(),
        ...(await countsOf(db, company, id)),
      })),
    ),
    faces: await Promise.all(
      rows.faces.map(async (face) => ({
        id: face.id,
        name: face.name,
        watchlist: face.kind,
        blacklistId: face.blacklist_id,
        trustValidationId: face.trust_validation_id,
        enrolledAt: new Date(face.enrolled_at).toISOString(),
        templates: await templatesOf(db, company, face.id),
      })),
    ),
    goneFaces: rows.goneFaces,
    photos: rows.photos.map(({ upload_id, position, file_name, status }) => ({
      uploadId: upload_id,
      index: position,
      fileName: file_name,
      status,
    })),
    comparisons: rows.comparisons.map(({ id, compared_at }) => ({
      id,
      at: new Date(compared_at).toISOString(),
    })),
    examinations: rows.examinations.map(({ id, began_at }) => ({
      id,
      at: new Date(began_at).toISOString(),
    })),
    caseFolders: [...new Set(rows.caseEntries.map(({ folder_id }) => folder_id))],
    persons: rows.persons.map(({ id, name, left }) => ({ id, name, photosLeft: left })),
    images: {
      count: rows.images.length,
      bytes: rows.images.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    ...surroundings,
    sameFiles: await candidatesOfSameFile(db, company, rows),
    samePersons: await candidatesOfSamePersons(
      db,
      company,
      rows.faces.map(({ id }) => id),
    ),
    copies: await homeCopies(home.folder),
  };
}

/** Data that other persons share, and data that has left the database. */
export async function surroundingsOf(
  db: Database,
  audit: AuditLog,
  company: CompanyId,
  rows: PersonRecords,
): Promise<Pick<StoredPlan, 'namedIn' | 'mentionedIn' | 'backups' | 'exports' | 'sources'>> {
  const own = rows.validations.map(({ id }) => id);
  const faces = [...rows.faces.map(({ id }) => id), ...rows.goneFaces];
  const named = await rowsWith(db, 'screening_match', { company_id: company })
    .select('trust_validation_id')
    .distinct()
    .where('full_name', '!=', ERASED_NAME)
    .where('trust_validation_id', 'not in', own)
    .where((eb) => eb.or([eb('face_id', 'in', faces), eb('matched_trust_validation_id', 'in', own)]))
    .orderBy('trust_validation_id')
    .execute();
  const since = await firstSeen(db, company, rows);
  return {
    namedIn: named.map((row) => row.trust_validation_id),
    mentionedIn: await mentions(db, company, rows, own),
    backups: await audit.since(db, null, 'backup.taken', await firstBackup(db, since)),
    exports: [
      ...(await audit.since(db, company, 'export.taken', since)),
      ...(await audit.since(db, company, 'blacklist.exported', since)),
    ],
    sources: await sourcesOf(db, company, rows),
  };
}

/** When the first backup began that may hold what is here since a moment: one that was made then copies the database later. */
async function firstBackup(db: Database, since: number): Promise<number> {
  const { first } = await db
    .selectFrom('backup_run')
    .select((eb) => eb.fn.min<number | null>('started_at').as('first'))
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>=', since)]))
    .executeTakeFirstOrThrow();
  return Math.min(since, first ?? since);
}

/** Lists of other installations that brought a face of the person, by imports that were not reverted. */
async function sourcesOf(
  db: Database,
  company: CompanyId,
  rows: PersonRecords,
): Promise<StoredPlan['sources']> {
  return db
    .selectFrom('import_membership')
    .innerJoin('blacklist_import', 'blacklist_import.id', 'import_membership.import_id')
    .select(['sender_name as installation', 'origin_blacklist_name as list'])
    .distinct()
    .where('import_membership.company_id', '=', company)
    .where(
      'face_id',
      'in',
      rows.faces.map(({ id }) => id),
    )
    .where('reverted_at', 'is', null)
    .orderBy('installation')
    .orderBy('list')
    .execute();
}

/** Sixty-four bits of everything that would go, in a form that is read out and typed. */
export function codeOf(company: CompanyId, rows: PersonRecords): string {
  const said = [
    company,
    rows.validations.map(({ id, status }) => [id, status]),
    rows.faces.map(({ id }) => id),
    rows.goneFaces,
    rows.photos.map(({ id, status }) => [id, status]),
    rows.comparisons.map(({ id }) => id),
    rows.examinations.map(({ id }) => id),
    rows.caseEntries.map(({ id }) => id),
    rows.images.map(({ id }) => id),
    rows.persons.map(({ id, left }) => [id, left]),
  ];
  const digits = createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16);
  return digits.match(/.{4}/g)!.join('-');
}

async function templatesOf(db: Database, company: CompanyId, face: FaceId): Promise<number> {
  return countOf(rowsWith(db, 'template', { company_id: company, face_id: face }));
}

async function countsOf(
  db: Database,
  company: CompanyId,
  validation: TrustValidationId,
): Promise<{ notes: number; entries: number }> {
  const notes = await countOf(
    rowsWith(db, 'validation_history', { company_id: company, trust_validation_id: validation }).where(
      'note',
      'is not',
      null,
    ),
  );
  const entries = await countOf(
    rowsWith(db, 'screening_match', { company_id: company, trust_validation_id: validation }),
  );
  return { notes, entries };
}

/** When the person was here first; the present when nothing says. */
async function firstSeen(db: Database, company: CompanyId, rows: PersonRecords): Promise<number> {
  const uploads = await rowsWith(db, 'upload', { company_id: company })
    .select('created_at')
    .where('id', 'in', [...new Set(rows.photos.map((photo) => photo.upload_id))])
    .execute();
  return Math.min(
    ...uploads.map((upload) => upload.created_at),
    ...rows.validations.map((validation) => validation.created_at),
    ...rows.faces.map((face) => face.enrolled_at),
    ...rows.comparisons.map((comparison) => comparison.compared_at),
    // A face that is gone: since when it was stored is unknown.
    ...(rows.goneFaces.length > 0 ? [0] : []),
    Number.MAX_SAFE_INTEGER,
  );
}

/** Notes that are read at a time. */
const PORTION = 1000;
/** Shorter texts stand in any note. */
const SHORTEST_MENTION = 4;

async function mentions(
  db: Database,
  company: CompanyId,
  rows: PersonRecords,
  own: readonly TrustValidationId[],
): Promise<TrustValidationId[]> {
  const names = [...new Set([...rows.faces, ...rows.validations].map(({ name }) => name))].filter(
    (name) => name.length >= SHORTEST_MENTION,
  );
  const found = new Set<TrustValidationId>();
  if (names.length > 0)
    for await (const { validation, note } of notesOf(db, company, names))
      if (!own.includes(validation) && names.some((name) => note.includes(name))) found.add(validation);
  for (const name of names) {
    const metadata = await rowsWith(db, 'trust_validation', { company_id: company })
      .select('id')
      .where('id', 'not in', own)
      .where((eb) => containsExactly(eb.ref('metadata'), name))
      .limit(100)
      .execute();
    for (const { id } of metadata) found.add(id);
  }
  return [...found].toSorted((a, b) => a - b);
}

/**
 * The notes of a company that can mention one of these names, in portions: SQLite searches them; PostgreSQL cannot search what is
 * sealed, and gives every note that is not damaged.
 */
async function* notesOf(
  db: Database,
  company: CompanyId,
  names: readonly string[],
): AsyncIterable<{ validation: TrustValidationId; note: string }> {
  for (let after = 0, more = true; more;) {
    const rows = await rowsWith(db, 'validation_history', { company_id: company })
      .select(['company_id', 'id', 'trust_validation_id', 'note'])
      .where('note', 'is not', null)
      .$if(!isPostgres(db), (query) =>
        query.where((eb) => eb.or(names.map((name) => containsExactly(eb.ref('note'), name)))),
      )
      .where('id', '>', after)
      .orderBy('id')
      .limit(PORTION)
      .execute();
    for (const { note: cell, ...row } of rows) {
      const note = cellsOf(db).opened('validation_history', 'note', { ...row, note: cell! });
      if (note !== undefined)
        yield { validation: row.trust_validation_id, note: Buffer.from(note).toString() };
    }
    after = rows.at(-1)?.id ?? after;
    more = rows.length === PORTION;
  }
}
