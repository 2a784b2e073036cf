import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { sql, type Kysely } from 'kysely';
import { exactWord, isFound, searchKey } from '../../contracts/searchKey.ts';
import { problem } from '../../contracts/errors/problem.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { newCompany, temporaryStorage } from '../../../test/support/site.ts';
import { DashboardQueries } from './dashboardQueries.ts';
import { rowsOf } from '../../../test/support/rowsOf.ts';
import { WITHOUT_FILE } from '../../../test/support/testServer.ts';
import { keyOf, renewKeys } from '../engine/searchKeys.ts';
import type { Schema } from '../engine/schema.ts';
import { readAuditObjects } from './auditObjects.ts';
import { findEverywhere } from './paletteSearch.ts';
import { readList } from '../screening/validationQueries.ts';

interface Names {
  db: Kysely<Schema>;
  company: CompanyId;
  insert: (name: string) => Promise<number>;
}

async function withNames(t: TestContext, names: readonly string[]): Promise<Names> {
  const { storage, folder } = await temporaryStorage(t);
  const { id: company } = await newCompany(storage, folder);
  const other = await newCompany(storage, folder, 'Another');
  const flow = await storage.companies.systemTrustFlow(company);
  await storage.close();
  const db = await rowsOf(t, folder);
  const insertAs = async (of: CompanyId, name: string) => {
    const { id } = await db
      .insertInto('trust_validation')
      .values({
        ...{ company_id: of, trust_flow_id: flow, status: 3, name, created_at: 1, finalized_at: 1 },
        ...keyOf('trust_validation', { name, metadata: null }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  for (const name of names) {
    await insertAs(company, name);
    await insertAs(other.id, name);
  }
  return { db, company, insert: (name) => insertAs(company, name) };
}

/** Letters of many scripts, marks, digits, joiners and blanks, and what means something to `like` or FTS5. */
const letter = fc.constantFrom(
  ...Array.from(
    'aAbKkıİßäÄł \u212a%_\\"*^-0١۲😀\u0301محىيیكکة\u064f\u0640\u200cИиΣςσ王芳김ヤﾔﾏﾞकन\u093c\u094dบุ',
  ),
);
const anyName = fc.string({ unit: letter, maxLength: 12 });

test('names of any script are found as a plain scan finds them, and counted', async (t) => {
  const { db, company, insert } = await withNames(t, ['Amina Aalto 17', 'AMINA', 'aminä']);
  const views = new DashboardQueries(db);
  await fc.assert(
    fc.asyncProperty(fc.array(anyName, { maxLength: 6 }), anyName, fc.nat(40), async (names, other, cut) => {
      for (const each of names) await insert(each);
      // A part of a name that is there, in the other case, or anything.
      const piece = (names[0] ?? other).slice(cut % 5).slice(0, 3 + (cut % 4));
      for (const text of [piece, piece.toUpperCase(), piece.toLowerCase(), other]) {
        const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
        const rows = await db
          .selectFrom('trust_validation')
          .select(['id', 'name'])
          .where('company_id', '=', company)
          .orderBy('id', 'desc')
          .execute();
        const exact = exactWord(text);
        const isExact = (whole: string) => Number(exact !== undefined && searchKey([whole]).includes(exact));
        const wanted = rows
          .filter(
            ({ id, name: whole }) =>
              isFound(whole, text) || (text.trim() !== '' && id === number) || text.trim() === '',
          )
          .toSorted((before, after) => isExact(after.name) - isExact(before.name))
          .map(({ id }) => id);
        const page = await views.validations(
          company,
          { text },
          { sort: 'created', descending: true, limit: 10_000 },
        );
        assert.deepEqual(
          page.map(({ id }) => id),
          wanted,
          JSON.stringify(text),
        );
        assert.equal((await views.countValidations(company, { text })).total, wanted.length);
      }
    }),
    { numRuns: 60 },
  );
});

test('programs search by the same index, also one-letter names and names with NUL', async (t) => {
  const { db, company } = await withNames(t, ['Ng', 'Ngata', 'Nobody "Nil" O’Neil']);
  const found = async (text: string) =>
    (await readList(db, company, { text, limit: 10 })).map((row) => row.name);
  assert.deepEqual(await found('Ng'), ['Ngata', 'Ng']);
  assert.deepEqual(await found('nga'), ['Ngata']);
  assert.deepEqual(await found('"nil" o’'), ['Nobody "Nil" O’Neil']);
  assert.deepEqual(await found('neil NIL'), ['Nobody "Nil" O’Neil']);
});

test(
  'what is deleted or renamed leaves nothing of its name in the index',
  { skip: WITHOUT_FILE },
  async (t) => {
    const { db, company, insert } = await withNames(t, []);
    const [gone, renamed] = [await insert('Qwxzj Vbnmk'), await insert('Plokm Ijnuh')];
    for (let each = 0; each < 40; each++) await insert(`Somebody ${each}`);
    await db
      .deleteFrom('trust_validation')
      .where('company_id', '=', company)
      .where('id', '=', gone as never)
      .execute();
    await db
      .updateTable('trust_validation')
      .set({ name: '', ...keyOf('trust_validation', { name: '', metadata: null }) })
      .where('company_id', '=', company)
      .where('id', '=', renamed as never)
      .execute();
    for (const table of ['data', 'idx', 'config'] as const) {
      const { rows } = await sql<
        Record<string, unknown>
      >`select * from ${sql.table(`trust_validation_name_${table}`)}`.execute(db);
      const text = rows
        .flatMap((row) => Object.values(row))
        .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
        .join('\n');
      // A piece alone, as the index writes it: folded.
      for (const piece of ['qwx', 'zjv', 'vbn', 'plo', 'okm'])
        assert.ok(!text.includes(piece), `${table}: ${piece}`);
    }
    await sql`insert into trust_validation_name (trust_validation_name, rank) values ('integrity-check', 1)`.execute(
      db,
    );
  },
);

test('the palette finds short names, references, and states what it left out', async (t) => {
  const { db, company } = await withNames(t, [
    'Ng',
    '王芳',
    'Ann 1',
    'Ann 2',
    'Bong',
    'Ann 4',
    'Ann 5',
    'Ann 6',
  ]);
  const metadata = '{"case":"V-1001"}';
  const { search_key: key } = keyOf('trust_validation', { name: 'Ann 1', metadata });
  await sql`update trust_validation set metadata = ${metadata}, search_key = ${key} where name = 'Ann 1'`.execute(
    db,
  );
  const find = async (text: string, readAtMost?: number) => {
    const kinds = new Set(['validations'] as const);
    const { validations, partial } = await findEverywhere(db, company, text, kinds, readAtMost);
    return [validations.map((each) => each.name), partial] as const;
  };
  assert.deepEqual(await find('v-1001', 1), [['Ann 1'], false]);
  assert.deepEqual(await find('芳', 1), [['王芳'], false]);
  assert.deepEqual(await find('ng', 2), [['Ng'], true], 'the other one lies before the newest two');
  assert.deepEqual(await find('ng', 8), [['Ng', 'Bong'], false], 'the exact one first');
  const views = new DashboardQueries(db);
  const newest = { sort: 'created', descending: true, limit: 1 } as const;
  const [first] = await views.validations(company, { text: 'ng' }, newest);
  const [second] = await views.validations(company, { text: 'ng' }, { ...newest, after: first!.position });
  assert.deepEqual([first?.name, second?.name], ['Ng', 'Bong'], 'the older, exact one first');
  const listed = await views.validations(
    company,
    { text: 'V-1001' },
    { sort: 'created', descending: true, limit: 10 },
  );
  assert.deepEqual(
    listed.map((each) => each.name),
    ['Ann 1'],
  );
});

test('a start makes the keys again that an earlier folding made', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const { id: company } = await newCompany(storage, folder);
  const flow = await storage.companies.systemTrustFlow(company);
  await storage.close();
  const db = await rowsOf(t, folder);
  await db
    .insertInto('trust_validation')
    .values({
      company_id: company,
      trust_flow_id: flow,
      status: 3,
      name: 'Żaneta',
      created_at: 1,
      finalized_at: 1,
    })
    .execute();
  const found = async () => (await readList(db, company, { text: 'zaneta', limit: 10 })).length;
  assert.equal(await found(), 0);
  await renewKeys(db);
  assert.equal(await found(), 1);
});

/** The rows of the table in the guide: a stored name, and a text that finds it. */
const IN_GUIDE = Array.from(
  readFileSync(join(import.meta.dirname, '../../../docs/guides/investigate.md'), 'utf8').matchAll(
    /^\| [^|`]+ \| `([^`]+)` \| `([^`]+)` \|$/gm,
  ),
  ([, name = '', text = '']) => ({ name, text }),
);

test('every text in the table of the guide finds its name, which stays as sent', async (t) => {
  assert.ok(IN_GUIDE.length >= 60);
  const { db, company } = await withNames(
    t,
    IN_GUIDE.map(({ name }) => name),
  );
  const views = new DashboardQueries(db);
  for (const { name, text } of IN_GUIDE) {
    const query = { limit: 200, text };
    const programs = await readList(db, company, query);
    const page = await views.validations(
      company,
      { text },
      { sort: 'created', descending: true, limit: 200 },
    );
    const { validations, partial } = await findEverywhere(
      db,
      company,
      text,
      new Set(['validations'] as const),
    );
    for (const found of [programs, page, validations])
      assert.ok(
        found.some((each) => each.name === name),
        `${text} finds ${name}`,
      );
    assert.equal(partial, false);
  }
});

test('a text that means too many records is refused, and none of them is left out', async (t) => {
  const { db, company } = await withNames(t, ['Amina Aalto', 'Amina Berg', 'Amina Cruz']);
  const all = await readAuditObjects(db, company, 'amina', 3);
  assert.equal(all.length, 3);
  await assert.rejects(readAuditObjects(db, company, 'amina', 2), {
    problem: problem('AUDIT_TOO_MANY_OBJECTS', { most: 2 }),
  });
});
