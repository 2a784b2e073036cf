import type {
  DeleteQueryBuilder,
  DeleteResult,
  FilterObject,
  InsertObject,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely';
import type { Schema } from './schema.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import type { Database, Transaction } from './database.ts';

/** The rows of a capability. */
export abstract class Rows {
  protected readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }
}

/** Rows whose changes are recorded in the audit log, in the transaction of the change. */
export abstract class AuditedRows extends Rows {
  protected readonly audit: AuditLog;

  constructor(db: Database, audit: AuditLog) {
    super(db);
    this.audit = audit;
  }
}

/** Audited rows that work with other parts of the store. */
export abstract class AuditedRowsWith<Parts> extends AuditedRows {
  protected readonly parts: Parts;

  constructor(db: Database, audit: AuditLog, parts: Parts) {
    super(db, audit);
    this.parts = parts;
  }
}

/** How many rows a query finds. */
export async function countOf<Tables, Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, unknown>,
): Promise<number> {
  const counted = query.select((eb) => eb.fn.countAll<number>().as('count')).$castTo<{ count: number }>();
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** Begins a query of the rows of a table that have these values. */
export function rowsWith<Table extends keyof Schema>(
  db: Pick<Database, 'selectFrom'>,
  table: Table,
  values: FilterObject<Schema, Table>,
): SelectQueryBuilder<Schema, Table, object> {
  const query: SelectQueryBuilder<Schema, Table, object> = db.selectFrom<keyof Schema>(table);
  return query.where((eb) => eb.and(values));
}

/** Adds rows to a table. */
export async function addRows<Table extends keyof Schema>(
  trx: Transaction,
  table: Table,
  rows: InsertObject<Schema, Table> | readonly InsertObject<Schema, Table>[],
): Promise<void> {
  await trx.insertInto(table).values(rows).execute();
}

/** Begins a change of the rows of a table that have these values. */
export function changeRows<Table extends keyof Schema>(
  trx: Transaction,
  table: Table,
  values: FilterObject<Schema, Table>,
): UpdateQueryBuilder<Schema, Table, Table, UpdateResult>;
export function changeRows(
  trx: Transaction,
  table: keyof Schema,
  values: FilterObject<Schema, keyof Schema>,
): UpdateQueryBuilder<Schema, keyof Schema, keyof Schema, UpdateResult> {
  return trx.updateTable<keyof Schema>(table).where((eb) => eb.and(values));
}

/** Begins a deletion of the rows of a table that have these values. */
export function deleteRows<Table extends keyof Schema>(
  trx: Transaction,
  table: Table,
  values: FilterObject<Schema, Table>,
): DeleteQueryBuilder<Schema, Table, DeleteResult> {
  const query: DeleteQueryBuilder<Schema, Table, DeleteResult> = trx.deleteFrom<keyof Schema>(table);
  return query.where((eb) => eb.and(values));
}
