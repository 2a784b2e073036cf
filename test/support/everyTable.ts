/** A row in every table that a test site leaves empty. */
import { sql, type QueryExecutorProvider } from 'kysely';
import type { Database } from '../../core/storage/engine/database.ts';
import { copiedTables, countRows, insertRows, type Row } from '../../core/storage/migration/copyStore.ts';

interface Column {
  name: string;
  type: string;
  required: number;
}

/** Values that the checks of a table demand together. */
const TOGETHER: Readonly<Record<string, Row>> = {
  comparison: { content: Buffer.from('{"reasons":{},"sha256":{"image1":"aa","image2":"bb"}}') },
  near_pair: { first_face: 1, second_face: 2 },
  erasure: { signature: Buffer.from([1, 2, 3]) },
};

/** @param sqlite a database of SQLite */
export async function fillEmptyTables(sqlite: Database & QueryExecutorProvider): Promise<void> {
  for (const table of await copiedTables(sqlite)) {
    if ((await countRows(sqlite, table.name)) > 0) continue;
    const columns = await sql<Column>`
      select name, type, "notnull" as required from pragma_table_info(${table.name})`.execute(sqlite);
    const parents = await sql<{ column: string; parent: string; referred: string }>`
      select "from" as column, "table" as parent, "to" as referred
      from pragma_foreign_key_list(${table.name})`.execute(sqlite);
    const { rows: definitions } = await sql<{ text: string }>`
      select sql as text from sqlite_master where name = ${table.name}`.execute(sqlite);
    const row: Record<string, Row[string]> = {};
    for (const column of columns.rows) {
      const reference = parents.rows.find((one) => one.column === column.name);
      if (reference !== undefined && reference.parent !== table.name) {
        const { rows } = await sql<{ value: Row[string] }>`
          select ${sql.ref(reference.referred)} as value from ${sql.table(reference.parent)} limit 1`.execute(
          sqlite,
        );
        row[column.name] = rows[0]!.value;
      } else row[column.name] = valueOf(column, definitions[0]!.text);
    }
    await insertRows(sqlite, table, [{ ...row, ...TOGETHER[table.name] }]);
  }
}

function valueOf({ name, type, required }: Column, definition: string): Row[string] {
  if (required === 0 && name !== 'id') return null;
  const allowed = new RegExp(`check \\(${name} in \\('(\\w+)'`).exec(definition)?.[1];
  if (allowed !== undefined) return allowed;
  if (type.toLowerCase() === 'integer') return 1;
  if (type.toLowerCase() === 'real') return 0.1;
  return type.toLowerCase() === 'blob' ? Buffer.from([1, 2, 3]) : `ü "${name}"`;
}
