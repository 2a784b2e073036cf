/**
 * The tables as the queries see them, by family. Times are integers, milliseconds since 1970 UTC; blobs are bytes; JSON columns are
 * text, parsed by the zod schema of their content where they are read. An id that the database gives keeps its brand.
 */
import type { AuditTables } from './tables/audit.ts';
import type { CompaniesTables } from './tables/companies.ts';
import type { CredentialsTables } from './tables/credentials.ts';
import type { TransferTables } from './tables/exchange.ts';
import type { FacesTables } from './tables/faces.ts';
import type { MachineTables } from './tables/machine.ts';
import type { OperatorsTables } from './tables/operators.ts';
import type { PipelinesTables } from './tables/pipelines.ts';
import type { ScreeningTables } from './tables/screening.ts';
import type { SignaturesTables } from './tables/signatures.ts';
import type { UploadsTables } from './tables/uploads.ts';

export interface Schema
  extends
    CompaniesTables,
    CredentialsTables,
    UploadsTables,
    FacesTables,
    PipelinesTables,
    ScreeningTables,
    SignaturesTables,
    OperatorsTables,
    AuditTables,
    TransferTables,
    MachineTables {}
