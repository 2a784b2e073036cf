/**
 * The tables in the types of the queries, by family. Times are milliseconds since 1970 UTC; blobs are bytes; a JSON column
 * is text that the zod schema of its content parses on reading. Ids of records are branded.
 */
import type { AuditTables } from './tables/audit.ts';
import type { CompaniesTables } from './tables/companies.ts';
import type { CredentialsTables } from './tables/credentials.ts';
import type { TransferTables } from './tables/blacklistTransfer.ts';
import type { DuplicatesTables } from './tables/duplicates.ts';
import type { ErasureTables } from './tables/erasure.ts';
import type { FacesTables } from './tables/faces.ts';
import type { InstallationTables } from './tables/installation.ts';
import type { OperatorsTables } from './tables/operators.ts';
import type { PersonsTables } from './tables/persons.ts';
import type { PipelinesTables } from './tables/pipelines.ts';
import type { ScreeningTables } from './tables/screening.ts';
import type { ComparisonsTables } from './tables/comparisons.ts';
import type { UploadsTables } from './tables/uploads.ts';

export interface Schema
  extends
    CompaniesTables,
    CredentialsTables,
    UploadsTables,
    FacesTables,
    DuplicatesTables,
    PersonsTables,
    PipelinesTables,
    ScreeningTables,
    ComparisonsTables,
    OperatorsTables,
    AuditTables,
    ErasureTables,
    TransferTables,
    InstallationTables {}
