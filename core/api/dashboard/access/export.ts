import { listApi, type ExportKind, type ExportNotice } from '../../../contracts/dashboard/lists.ts';
import type { FastifyInstance } from 'fastify';
import { trusted, type CompanyId } from '../../../contracts/ids.ts';
import type { SignedIn } from '../../../domain/identity/signInService.ts';
import type { NewAuditEntry } from '../../../domain/ports/auditEntry.ts';
import { ApiError } from '../../http/errors.ts';
import { serve } from './guard.ts';
import type { AccessPorts } from '../../ports.ts';
import type { Parts } from '../../../domain/serviceParts.ts';

type Recording = Pick<Parts, 'audit' | 'clock'>;
/** A comparison shows two images. */
const COMPARED = 2;

/** A screen announces that it is about to save a file or print a page; the answer permits it, and the entry is made. */
export function exportRoutes(app: FastifyInstance, ports: AccessPorts): void {
  serve(
    app,
    {
      ...listApi.announceExport,
      async onError(request, _, error) {
        const { operator } = request;
        if (operator === null || !(error instanceof ApiError) || error.status !== 403) return;
        await ports.audit.record(
          { by: operator.actor, at: ports.clock.now() },
          { company: operator.companyId, action: 'export.taken', object: null, outcome: 'refused' },
        );
      },
    },
    async ({ operator, body }) => {
      const rows = await countRows(ports, operator.companyId, body);
      if (rows === 0) throw new ApiError('NOT_FOUND');
      const object = body.kind === 'comparison' ? body.object : null;
      await recordExport(ports, operator, { kind: body.kind, object, rows });
    },
  );
}

/** @returns how many records the notice names of this company; 0: none */
async function countRows(ports: AccessPorts, company: CompanyId, notice: ExportNotice): Promise<number> {
  if (notice.kind === 'uploadResults') return ports.uploads.countItems(company, notice.uploads);
  const [kind, digits] = notice.object.split(':');
  const id = Number(digits);
  switch (kind) {
    case 'validation':
      return (await ports.validations.detail(company, trusted.trustValidation(id))) === undefined
        ? 0
        : COMPARED;
    case 'face':
      return (await ports.faces.summaries(company, [trusted.face(id)])).length === 0 ? 0 : COMPARED;
    case 'faceComparison':
      return (await ports.faceComparisons.find(company, id)) === undefined ? 0 : COMPARED;
    default:
      return (await ports.comparisons.find(company, id)) === undefined ? 0 : COMPARED;
  }
}

/** The records of one export. */
export interface Exported {
  kind: ExportKind;
  object: NewAuditEntry['object'];
  /** Its records, as the service counted them. */
  rows: number;
}

/** Records an export in the audit log; to be awaited before the first byte of it leaves. */
export async function recordExport(
  { audit, clock }: Recording,
  { actor, companyId }: SignedIn,
  { kind, object, rows }: Exported,
): Promise<void> {
  await audit.record(
    { by: actor, at: clock.now() },
    { company: companyId, action: 'export.taken', object, details: { kind, rows } },
  );
}
