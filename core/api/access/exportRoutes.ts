import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { exportNotice, type ExportNotice } from '../../contracts/dashboard/exports.ts';
import type { SignedIn } from '../../domain/access/signIn.ts';
import type { AuditNote } from '../../domain/audit/entry.ts';
import type { AuditLog } from '../../domain/audit/ports.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import { DASHBOARD, operatorOf, requirePermission } from './guard.ts';

/** A screen says that it is about to save a file or print a page; the answer is its leave, and the entry is made. */
export function exportRoutes(app: FastifyInstance, ports: { audit: AuditLog; clock: Clock }): void {
  app
    .withTypeProvider<ZodTypeProvider>()
    .post(
      `${DASHBOARD}/exports`,
      { config: requirePermission('session'), schema: { hide: true, body: exportNotice } },
      async (request, reply) => {
        await recordExport(ports, operatorOf(request), request.body);
        return reply.code(204).send();
      },
    );
}

/** Puts an export on the record; to be awaited before the first byte of it leaves. */
export async function recordExport(
  { audit, clock }: { audit: AuditLog; clock: Clock },
  { actor, companyId }: SignedIn,
  { kind, object, rows }: ExportNotice,
): Promise<void> {
  await audit.record(
    { by: actor, at: clock.now() },
    {
      company: companyId,
      action: 'export.taken',
      object: object as AuditNote['object'],
      facts: { kind, rows },
    },
  );
}
