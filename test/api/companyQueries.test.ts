import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import ts from 'typescript';
import { BASELINE_TABLES } from '../../core/storage/engine/migrations/0001_baseline/index.ts';

const STORAGE = join(import.meta.dirname, '..', '..', 'core', 'storage');
const STARTS = ['selectFrom', 'updateTable', 'deleteFrom', 'insertInto'];
/** Functions of `engine/rows.ts` that start a query of a table, their second argument. */
const STARTING = ['rowsWith', 'addRows', 'changeRows', 'deleteRows'];

/**
 * Queries that may look across companies, each with its reason; `file: table` as the test finds them. One that no
 * longer stands in the code fails the test too.
 */
const ACROSS_COMPANIES: Record<string, string> = {
  'credentials/credentialRows.ts: api_token': 'finds by its hash which company a token belongs to',
  'credentials/credentialRows.ts: hmac_key': 'finds by its user id which company a key belongs to',
  'identity/operators.ts: operator':
    'one signs in before any company is known; whether the installation has any operator',
  'identity/operators.ts: operator_recovery_code': 'finds by its hash which company a recovery code opens',
  'identity/sessions.ts: operator_session': 'finds by its hash whose session it is; 256 random bits name it',
  'audit/auditLog.ts: audit_entry': 'the chain runs through all companies and is verified as a whole',
  'diagnostics/storeHealth.ts: audit_entry': 'whether the clock is behind the newest entry of all',
  'images/places/imagePlaces.ts: image': 'the quota of a bucket is that of the whole installation',
  'backup/backups.ts: image': 'a backup holds the whole installation',
  'backup/restore.ts: image': 'a restore brings the whole installation back',
  'backup/restore.ts: operator_session': 'a restored installation has no sessions',
  'backup/restore.ts: mosip_connection': 'a restored installation answers no message broker',
  'erasure/erasures.ts: erasure': 'what a crash cut off is finished, of whichever company',
  'engine/codedRows.ts: row_total': 'a service compares the totals of all companies with what it has seen',
  'erasure/keyFile.ts: erasure': 'the one key file has the keys of all companies',
  'erasure/erasedKeys.ts: face': 'a face of another company keeps its key',
  'erasure/erasureFinalizer.ts: erasure': 'every receipt is kept beside the one database',
  'duplicates/runs.ts: duplicate_run':
    'one search carries out the runs of all companies, one after the other',
  'screening/faceListings.ts: face': 'the clock ends the time of faces of every company',
  'faces/companyCalibrations.ts: company_calibration':
    'the service keeps in memory what distances mean at each company',
  'enrolment/workQueue.ts: upload': 'since when anything waits in the one queue of the installation',
  'migration/migrateStore.ts: active_pipeline': 'a migration moves the whole installation',
  'migration/migrateStore.ts: template':
    'a migration compares searches with templates of all companies, each in its own company',
  'faces/pipelines.ts: active_pipeline': 'the service keeps in memory which pipeline serves each company',
  'faces/pipelines.ts: template_migration':
    'one worker describes the faces of all companies, one after the other',
  'settings/mosip.ts: mosip_connection': 'the service opens the connections of all companies',
  'enrolment/workQueue.ts: upload_item': 'the one queue of the installation: companies are served in turn',
};

/** Tables of the schema whose rows belong to a company. */
function companyTables(): Set<string> {
  const tables = Object.entries(BASELINE_TABLES);
  return new Set(tables.flatMap(([name, { columns }]) => ('company_id' in columns ? name : [])));
}

interface Query {
  /** `file: table`. */
  name: string;
  line: number;
  /** Says which company it is of. */
  ofCompany: boolean;
}

/** Every query of a file on a table that belongs to companies. */
function queriesOf(file: string, source: ts.SourceFile, tables: ReadonlySet<string>): Query[] {
  const found: Query[] = [];
  const visit = (node: ts.Node): void => {
    const table = startedTable(node);
    if (table !== undefined && tables.has(table)) {
      const text = chainOf(node).getText(source);
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ name: `${file}: ${table}`, line: line + 1, ofCompany: saysCompany(text, source.text) });
      // A query inside a query is of the same company as the rows it is asked for.
      if (saysCompany(text, source.text)) return;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * A condition on the company, or the company among what is written; naming the column in a selection is neither. Rows are
 * of a company, too, where a constant has it, or a function that makes them is given it behind the transaction.
 */
function saysCompany(text: string, file: string): boolean {
  if (/\.where\(\s*'(\w+\.)?company_id',\s*'='/.test(text)) return true;
  if (/\b(and\(|(rowsWith|changeRows|deleteRows)\([^{]*)\{[^{}]*\bcompany_id\b'?[:,]/.test(text)) return true;
  const written = /(?:\.values|\baddRows)\(([^;]*)/s.exec(text)?.[1] ?? '';
  const constants = [...written.matchAll(/\b[a-z]\w*/g)].map(
    ([name]) => new RegExp(`const ${name} = ([^;]*);`).exec(file)?.[1] ?? '',
  );
  return /\bcompany_id\b|\(\s*trx,\s*company\b/.test([written, ...constants].join(' '));
}

function startedTable(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const { expression, arguments: given } = node;
  const table =
    ts.isPropertyAccessExpression(expression) && STARTS.includes(expression.name.text)
      ? given[0]
      : ts.isIdentifier(expression) && STARTING.includes(expression.text)
        ? given[1]
        : undefined;
  return table !== undefined && ts.isStringLiteral(table) ? table.text.split(' ')[0] : undefined;
}

/** The whole chain of calls that begins with this one. */
function chainOf(node: ts.Node): ts.Node {
  let chain = node;
  while (ts.isPropertyAccessExpression(chain.parent) && ts.isCallExpression(chain.parent.parent))
    chain = chain.parent.parent;
  return chain;
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

test('every query on company tables names its company, or is listed with its reason', () => {
  const tables = companyTables();
  assert.ok(tables.size >= 15 && tables.has('face') && !tables.has('site'), [...tables].join(', '));
  const files = readdirSync(STORAGE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|^engine\/migrations\//.test(file));
  const queries = files.flatMap((file) => queriesOf(file, parse(join(STORAGE, file)), tables));
  assert.ok(queries.length > 50, `only ${queries.length} queries were found`);
  const across = queries.filter(({ ofCompany }) => !ofCompany);
  assert.deepEqual(
    across.filter(({ name }) => !(name in ACROSS_COMPANIES)).map(({ name, line }) => `${name}, line ${line}`),
    [],
  );
  const stale = Object.keys(ACROSS_COMPANIES).filter((name) => !across.some((query) => query.name === name));
  assert.deepEqual(stale, []);
});

test('a query without its company is noticed', () => {
  const text = `
    db.selectFrom('face').select('company_id').where('id', '=', 1);
    db.deleteFrom('face').where('company_id', '=', company).where('id', '=', 1);
    db.deleteFrom('face').where((eb) => eb.and({ 'face.company_id': company, id: 1 }));
    db.deleteFrom('face').where((eb) => eb.and({ id: 1 }));
    db.insertInto('face').values({ name });
    rowsWith(db, 'face', { company_id: company, id: 1 }).select('name');
    rowsWith(db, 'face', { id: 1 }).select('company_id');
    changeRows(trx, 'face', { company_id: company, id: 1 }).set({ name });
    changeRows(trx, 'face', { id: 1 }).set({ company_id: company });
    deleteRows(trx, 'face', { id: 1 });
    addRows(trx, 'face', { company_id: company, name });
    addRows(trx, 'face', { name });`;
  const source = ts.createSourceFile('some.ts', text, ts.ScriptTarget.Latest, true);
  assert.deepEqual(
    queriesOf('some.ts', source, companyTables()).map(({ ofCompany }) => ofCompany),
    [false, true, true, false, false, true, false, true, false, false, true, false],
  );
});
