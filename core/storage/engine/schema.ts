import type { BASELINE_TABLES } from './migrations/0001_baseline/index.ts';
import type { Rows } from './migrations/table.ts';

/**
 * The tables in the types of the queries, as the migrations declare them. Times are milliseconds since 1970 UTC; blobs are
 * bytes; a JSON column is text that the zod schema of its content parses on reading. Ids of records are branded.
 */
export type Schema = Rows<typeof BASELINE_TABLES>;
