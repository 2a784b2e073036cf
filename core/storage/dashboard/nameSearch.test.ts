import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { sql, type Kysely } from 'kysely';
import type { CompanyId } from '../../contracts/ids.ts';
import { newCompany, temporaryStorage } from '../../../test/support/site.ts';
import { SqlDashboardQueries } from './dashboardQueries.ts';
import { rowsOf } from '../../../test/support/rowsOf.ts';
import { TEST_SERVER, WITHOUT_FILE } from '../../../test/support/testServer.ts';
import type { Schema } from '../engine/schema.ts';
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
      .values({ company_id: of, trust_flow_id: flow, status: 3, name, created_at: 1, finalized_at: 1 })
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

/** Letters A to Z in either case are one; all others differ. */
const folded = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Letters that fold, do not fold, fold into A to Z (the Kelvin sign), mean something to `like` or FTS5, or are two units long. */
const letter = fc.constantFrom(...Array.from('aAbBkKıİiIßäÄ \u212a%_\\"*^-0١😀\u0301'));
const name = fc.string({ unit: letter, maxLength: 12 });

test('a name is found by the same texts as without an index, and counted the same', async (t) => {
  const { db, company, insert } = await withNames(t, ['Amina Aalto 17', 'AMINA', 'aminä']);
  const views = new SqlDashboardQueries(db);
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 6 }), name, fc.nat(40), async (names, other, cut) => {
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
        // Half of a letter reaches the database as U+FFFD.
        const part = folded(text.trim().toWellFormed());
        const wanted = rows
          .filter(({ id, name: whole }) => folded(whole).includes(part) || id === number)
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
  // A server refuses NUL, so the interface rejects it before.
  if (TEST_SERVER === undefined) assert.deepEqual(await found('Nga\0ta'), []);
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
      .set({ name: '' })
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
      for (const piece of ['qwx', 'zj ', 'vbn', 'plo', 'okm'])
        assert.ok(!text.includes(piece), `${table}: ${piece}`);
    }
    await sql`insert into trust_validation_name (trust_validation_name, rank) values ('integrity-check', 1)`.execute(
      db,
    );
  },
);

test('what the palette did not read, it does not say to be absent', async (t) => {
  const { db, company } = await withNames(t, ['Ann 1', 'Ann 2', 'Ann 3', 'Ann 4', 'Ann 5']);
  await sql`update trust_validation set metadata = '{"case":"4711"}' where name = 'Ann 1'`.execute(db);
  const find = async (text: string, readAtMost?: number) => {
    const kinds = new Set(['validations'] as const);
    const { validations, partial } = await findEverywhere(db, company, text, kinds, readAtMost);
    return [validations.map((each) => each.name), partial] as const;
  };
  assert.deepEqual(await find('"4711"', 4), [[], true], 'it lies before the newest four');
  assert.deepEqual(await find('"4711"', 5), [['Ann 1'], false]);
  assert.deepEqual(await find('"4711"'), [['Ann 1'], false]);
  const [names, partial] = await find('ann', 4);
  assert.deepEqual([names.length, partial], [5, false], 'enough was found: nothing is missed');
});
