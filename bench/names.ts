/** Measures the search by name among a million names of each script, in both stores: `npm run bench -- names [names]`. */
import Sqlite from 'better-sqlite3-multiple-ciphers';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  SqliteAdapter,
  SqliteIntrospector,
  sql,
} from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { searchKey } from '../core/contracts/searchKey.ts';
import { PostgresCompiler, SqliteCompiler } from '../core/storage/engine/dialect.ts';
import { nameIndex } from '../core/storage/engine/migrations/0001_baseline/nameIndex.ts';
import { toPostgres } from '../core/storage/engine/migrations/postgresStatements.ts';
import { isNamed } from '../core/storage/engine/nameSearch.ts';
import { startThrowawayServer } from '../test/support/throwawayServer.ts';
import { publish, table } from './report.ts';
import { median } from './statistics.ts';
import { randomNumbers } from './vision/pictures.ts';

const MANY = Number(process.argv[2] ?? 1_000_000);
/** Names that are searched, and the runs of each. */
const SEARCHED = 5;
const RUNS = 7;
/** Rows of one statement. */
const PORTION = 50_000;
const CONSONANTS = 'bdfghjklmnprstvz';
/** The last two have a long and a short transliteration, so that a name with one has two more forms in its key. */
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ü', 'ae'];
/** The same letters in other scripts, in the order of the Latin ones. */
const ALPHABETS: Readonly<Record<string, readonly string[]>> = {
  Latin: [...Array.from(CONSONANTS), ...VOWELS],
  Cyrillic: Array.from('бдфгхйклмнпрствзаеиоуюэ'),
  Arabic: Array.from('بدفغهجكلمنپرستوزاثیعقحخ'),
  Devanagari: Array.from('बदफगहजकलमनपरसतवजाेिोुूै'),
};
const SCRIPTS = [...Object.keys(ALPHABETS), 'Han'];

interface Store {
  fill(rows: readonly (readonly [id: number, name: string, key: string])[]): Promise<void>;
  /** @returns milliseconds of one search, and how many names it finds */
  search(text: string): Promise<{ time: number; found: number }>;
  plan(text: string): Promise<string>;
  empty(): Promise<void>;
}

const random = randomNumbers(7);
const below = (end: number) => Math.floor(random() * end);

/** Given and family names of syllables; of Han two or three of 2,000 ideographs, the frequent ones more often. */
function drawNames(script: string): string[] {
  if (script === 'Han') {
    const letter = () => String.fromCodePoint(0x4e00 + Math.floor(2000 * random() ** 2));
    return Array.from({ length: MANY }, () => letter() + letter() + (below(3) > 0 ? letter() : ''));
  }
  const letters = ALPHABETS[script] ?? [];
  const syllable = () =>
    letters[below(CONSONANTS.length)]! + letters[CONSONANTS.length + below(VOWELS.length)]!;
  const word = (least: number) => Array.from({ length: least + below(2) }, syllable).join('');
  const given = Array.from({ length: 1_500 }, () => word(2));
  const family = Array.from({ length: 20_000 }, () => word(3));
  return Array.from({ length: MANY }, () => `${given[below(1_500)]!} ${family[below(20_000)]!}`);
}

/** The search of the product, as the database is asked. */
function statement(
  dialect: 'postgres' | 'sqlite',
  text: string,
): { sql: string; parameters: readonly unknown[] } {
  const parts =
    dialect === 'postgres'
      ? { adapter: PostgresAdapter, compiler: PostgresCompiler, introspector: PostgresIntrospector }
      : { adapter: SqliteAdapter, compiler: SqliteCompiler, introspector: SqliteIntrospector };
  const db = new Kysely<{ person: { id: number; company_id: number } }>({
    dialect: {
      createAdapter: () => new parts.adapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new parts.introspector(of),
      createQueryCompiler: () => new parts.compiler(),
    },
  });
  return db
    .selectFrom('person')
    .select(sql<number>`count(*)`.as('found'))
    .where('company_id', '=', 1)
    .where(isNamed('person', text))
    .compile();
}

const foundIn = (row: unknown) => z.object({ found: z.coerce.number() }).parse(row).found;

async function postgres(): Promise<Store & { stop(): Promise<void> }> {
  const server = await startThrowawayServer([
    'fsync=off',
    'shared_buffers=512MB',
    'maintenance_work_mem=512MB',
  ]);
  const client = new pg.Client(`${server.address}postgres`);
  await client.connect();
  const statements = toPostgres([]).filter((text) => text.includes('search_trigrams'));
  const [trigrams = '', ...indexes] = statements;
  await client.query(trigrams);
  const ask = async (before: string, text: string) => {
    const { sql: query, parameters } = statement('postgres', text);
    return (await client.query<Record<string, string>>(before + query, [...parameters])).rows;
  };
  return {
    async fill(rows) {
      await client.query(
        'create table person (id bigint primary key, company_id bigint not null, name text collate "C", search_key text collate "C")',
      );
      for (let at = 0; at < rows.length; at += PORTION) {
        const part = rows.slice(at, at + PORTION);
        const columns = [0, 1, 2].map((column) => part.map((row) => row[column]));
        await client.query(
          'insert into person select a, 1, b, c from unnest($1::bigint[], $2::text[], $3::text[]) rows(a, b, c)',
          columns,
        );
      }
      for (const index of indexes.filter((text) => text.includes('on person'))) await client.query(index);
      await client.query('vacuum analyze person');
    },
    async search(text) {
      const begun = performance.now();
      const [row] = await ask('', text);
      return { time: performance.now() - begun, found: foundIn(row) };
    },
    plan: async (text) =>
      (await ask('explain (analyze, timing off) ', text)).map((row) => row['QUERY PLAN']).join('\n'),
    async empty() {
      await client.query('drop table person');
    },
    async stop() {
      await client.end();
      server.stop();
    },
  };
}

function sqlite(): Store {
  let db = new Sqlite(':memory:');
  return {
    fill(rows) {
      db.exec(
        'create table person (id integer primary key, company_id integer not null, name text, search_key text, search_folding integer)',
      );
      for (const each of nameIndex('person')) db.exec(each);
      const insert = db.prepare('insert into person values (?, 1, ?, ?, 0)');
      db.exec('begin');
      for (const row of rows) insert.run(row);
      db.exec('commit');
      return Promise.resolve();
    },
    search(text) {
      const { sql: query, parameters } = statement('sqlite', text);
      const prepared = db.prepare(query);
      const begun = performance.now();
      const [row] = prepared.all(parameters);
      return Promise.resolve({ time: performance.now() - begun, found: foundIn(row) });
    },
    plan(text) {
      const { sql: query, parameters } = statement('sqlite', text);
      const steps = db.prepare(`explain query plan ${query}`).all(parameters);
      const details = z.array(z.object({ detail: z.string() })).parse(steps);
      return Promise.resolve(details.map(({ detail }) => detail).join('\n'));
    },
    empty() {
      db.close();
      db = new Sqlite(':memory:');
      return Promise.resolve();
    },
  };
}

/** Median milliseconds of the names and of their last words, and the median of the names that are found. */
async function measure(store: Store, names: readonly string[]): Promise<(string | number)[]> {
  const cells: (string | number)[] = [];
  for (const queries of [names, names.map((name) => name.split(' ').at(-1)!)]) {
    const found: number[] = [];
    const times: number[] = [];
    for (const query of queries) {
      const runs: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        const answer = await store.search(query);
        runs.push(answer.time);
        if (run === 0) found.push(answer.found);
      }
      times.push(median(runs));
    }
    cells.push(`${median(times).toFixed(2)} (${median(found)})`);
  }
  return cells;
}

const server = await postgres();
const stores: Readonly<Record<string, Store>> = { PostgreSQL: server, SQLite: sqlite() };
const rows: (string | number)[][] = [];
const plans: string[] = [];
try {
  for (const script of SCRIPTS) {
    const names = drawNames(script);
    const keyed = names.map((name, at) => [at + 1, name, searchKey([name])] as const);
    const searched = Array.from({ length: SEARCHED }, () => names[below(MANY)]!);
    const cells: (string | number)[] = [script];
    for (const [name, store] of Object.entries(stores)) {
      await store.fill(keyed);
      cells.push(...(await measure(store, searched)));
      if (script === 'Arabic') plans.push(`${name}:\n\n\`\`\`\n${await store.plan(searched[0]!)}\n\`\`\``);
      await store.empty();
    }
    rows.push(cells);
    console.log(cells.join('\t'));
  }
} finally {
  await server.stop();
}
publish({
  name: 'names',
  title: 'Search by name at one million names',
  args: process.argv.slice(2),
  body: [
    `${MANY.toLocaleString('en')} drawn names of each script, with the key and the index of the store. Milliseconds of a count by the`,
    `product’s query, median of ${SEARCHED} names, each the median of ${RUNS} runs; in brackets the names found.`,
    '',
    table(['script', 'PostgreSQL: name', 'last word', 'SQLite: name', 'last word'], rows),
    '',
    'The plans of an Arabic name:',
    '',
    plans.join('\n\n'),
  ].join('\n'),
});
