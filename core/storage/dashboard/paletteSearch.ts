import { sql, type RawBuilder } from 'kysely';
import type { CompanyId, FaceId, PersonId, TrustValidationId } from '../../contracts/ids.ts';
import type { FindAnswer, FoundKind } from '../../contracts/dashboard/paletteSearch.ts';
import { isoTime } from '../../domain/values/time.ts';
import type { Database } from '../engine/database.ts';
import { exactness, hasWords, isExactly, isIndexed, isNamed } from '../engine/nameSearch.ts';

/** Rows of one kind that are answered. */
const MAX_HITS = 5;
/** Rows of one kind that are read at most, where no index says which (ADR 0036). */
const MAX_ROWS_READ = 20_000;
/** Characters of an upload's id below which too many begin so. */
const LEAST_OF_ID = 4;

/**
 * Reads for the command palette: a few rows of each kind that a text may mean, newest first.
 * @param maxRowsRead rows of one kind where no index says which; fewer in a test
 */
export async function findEverywhere(
  db: Database,
  company: CompanyId,
  text: string,
  kinds: ReadonlySet<FoundKind>,
  maxRowsRead = MAX_ROWS_READ,
) {
  const question = { db, company, text, number: /^#?(\d{1,15})$/.exec(text)?.[1], maxRowsRead };
  const wants = (kind: FoundKind) => kinds.has(kind);
  // Words of one or two letters are compared with the newest rows.
  const indexed = isIndexed(text);
  const validations = wants('validations') ? await findValidations(question) : [];
  const persons = wants('persons') ? await findPersons(question) : [];
  const faces = wants('faces') ? await findFaces(question) : [];
  const uploads = kinds.has('uploads') ? await findUploads(question) : [];
  const comparisons = kinds.has('comparisons') ? await findComparisons(question) : [];
  return {
    validations,
    persons,
    faces,
    uploads,
    comparisons,
    // Where enough was found, it does not matter what was not read.
    partial:
      (!indexed &&
        wants('validations') &&
        lacks(validations) &&
        (await isLonger(question, sql`trust_validation`))) ||
      (wants('faces') && lacks(faces) && (await isLonger(question, sql`face`, sql`kind = 'blacklist'`))) ||
      (!indexed && wants('persons') && lacks(persons) && (await isLonger(question, sql`person`))) ||
      (kinds.has('comparisons') &&
        lacks(comparisons) &&
        (await isLonger(question, sql`comparison`, sql`subject = 'signature'`))),
  };
}

function lacks(found: readonly unknown[]): boolean {
  return found.length < MAX_HITS;
}

interface Question {
  maxRowsRead: number;
  db: Database;
  company: CompanyId;
  text: string;
  /** Digits, where the text is nothing else. */
  number: string | undefined;
}

async function findValidations(question: Question) {
  const { db, company, text, number } = question;
  const found = new Set<TrustValidationId>();
  const add = async (query: RawBuilder<{ id: TrustValidationId }>) => {
    for (const { id } of (await query.execute(db)).rows) found.add(id);
  };
  // The one of exactly this number first, however many newer names hold its digits.
  if (number !== undefined)
    await add(sql`select id from trust_validation where company_id = ${company} and id = ${Number(number)}`);
  await add(sql`select id from trust_validation
    where company_id = ${company} and ${isExactly('trust_validation', text)} order by id desc limit ${MAX_HITS}`);
  await add(
    sql`select id from ${newestNamed('trust_validation', question)} order by id desc limit ${MAX_HITS}`,
  );
  const wanted = [...found].slice(0, MAX_HITS);
  if (wanted.length === 0) return [];
  const rows = await db
    .selectFrom('trust_validation')
    .leftJoin('face', (join) =>
      join.onRef('face.trust_validation_id', '=', 'trust_validation.id').on('face.superseded', '=', 0),
    )
    .select(['trust_validation.id', 'trust_validation.name', 'trust_validation.status'])
    .select(['trust_validation.source', 'face.id as faceId'])
    .where('trust_validation.company_id', '=', company)
    .where('trust_validation.id', 'in', wanted)
    .execute();
  return wanted.flatMap((id) => rows.filter((row) => row.id === id));
}

async function findPersons(question: Question) {
  const { db, company, text, number } = question;
  const id = number === undefined ? null : Number(number);
  const { rows } = await sql<{ id: PersonId; name: string; photos: number; faceId: FaceId | null }>`
    select id, name, cover_face as "faceId",
      (select count(*) from person_face where person_face.person_id = person.id) as photos
    from person
    where company_id = ${company} and (id = ${id} or id in (select id from person
          where company_id = ${company} and ${isExactly('person', text)})
        or id in (select id from ${newestNamed('person', question)}))
      and exists (select 1 from person_face where person_face.person_id = person.id)
    order by ${exactness('person', text)} desc, id desc limit ${MAX_HITS}`.execute(db);
  return rows;
}

async function findFaces({ db, company, text, number, maxRowsRead }: Question) {
  const named = hasWords('newest', text);
  const { rows } = await sql<Omit<FindAnswer['faces'][number], 'thumbnailUrl'>>`
    with worth_a_look as (
      select id, name, severity, blacklist_id from (
        select id, name, severity, blacklist_id, search_key from face
        where company_id = ${company} and kind = 'blacklist'
        order by blacklist_id desc, id desc limit ${maxRowsRead}
      ) as newest where ${named}
      union
      select id, name, severity, blacklist_id from face
      where company_id = ${company} and kind = 'blacklist' and id = ${number === undefined ? null : Number(number)}
    )
    select worth_a_look.id, worth_a_look.name, worth_a_look.severity, blacklist.id as "blacklistId", blacklist.name as "blacklistName"
    from worth_a_look join blacklist on blacklist.id = worth_a_look.blacklist_id
    where blacklist.company_id = ${company}
    order by worth_a_look.id = ${number === undefined ? null : Number(number)} desc, worth_a_look.id desc
    limit ${MAX_HITS}`.execute(db);
  return rows;
}

async function findUploads({ db, company, text }: Question) {
  const start = text.toLowerCase();
  if (start.length < LEAST_OF_ID || !/^[0-9a-f-]+$/.test(start)) return [];
  const rows = await db
    .selectFrom('upload')
    .leftJoin('blacklist', 'blacklist.id', 'upload.blacklist_id')
    .select(['upload.id', 'upload.image_count', 'upload.created_at', 'blacklist.name as blacklistName'])
    .where('upload.company_id', '=', company)
    // A range of the key; `g` comes after every digit of an id.
    .where(sql<boolean>`upload.id >= ${start} and upload.id < ${`${start}g`}`)
    .orderBy('upload.id')
    .limit(MAX_HITS)
    .execute();
  return rows.map(({ id, image_count, created_at, blacklistName }) => ({
    uploadId: id,
    numberOfImages: image_count,
    blacklistName,
    createdAt: isoTime(created_at),
  }));
}

async function findComparisons({ db, company, text, maxRowsRead }: Question) {
  const { rows } = await sql<{ id: number; templateId: string; verificationId: string; at: number }>`
    select id, template_id as "templateId", verification_id as "verificationId", compared_at as at
    from (
      select id, template_id, verification_id, compared_at from comparison
      where company_id = ${company} and subject = 'signature' order by id desc limit ${maxRowsRead}
    ) as newest where template_id = ${text} or verification_id = ${text} limit ${MAX_HITS}`.execute(db);
  return rows.map(({ at, ...row }) => ({ ...row, comparedAt: isoTime(at) }));
}

/** The rows that have the words: all by the index, or of the newest rows where it does not help. */
function newestNamed(
  table: 'trust_validation' | 'person',
  { company, text, maxRowsRead }: Question,
): RawBuilder<unknown> {
  return isIndexed(text)
    ? sql`(select id from ${sql.table(table)} where company_id = ${company} and ${isNamed(table, text)}) as named`
    : sql`(select id from (select id, search_key from ${sql.table(table)} where company_id = ${company}
        order by id desc limit ${maxRowsRead}) as newest where ${hasWords('newest', text)}) as named`;
}

/** Whether a table has more of the company's rows than are read; answered by its index alone. */
async function isLonger(
  { db, company, maxRowsRead }: Question,
  table: RawBuilder<unknown>,
  which: RawBuilder<unknown> = sql`true`,
): Promise<boolean> {
  const { rows } = await sql`select 1 from ${table}
    where company_id = ${company} and ${which} limit 1 offset ${maxRowsRead}`.execute(db);
  return rows.length > 0;
}
