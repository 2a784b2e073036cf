import { transferApi } from '../../contracts/blacklistTransfer.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { trusted, type BlacklistId } from '../../contracts/ids.ts';
import type { BlacklistTransferService } from '../../domain/blacklistTransfer/blacklistTransferService.ts';
import { serve } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import { packageOf, takePackages } from '../http/packageBody.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { MAX_PACKAGE_BYTES } from '../../domain/blacklistTransfer/planning.ts';

/** Blacklists for other installations and from them, and which installations those are. */
export async function blacklistTransferRoutes(
  app: FastifyInstance,
  ports: DashboardRoutePorts,
): Promise<void> {
  const { exchange, blacklists } = ports;
  installationRoutes(app, ports);
  serve(app, transferApi.imports, async ({ companyId }) => ({
    items: await ports.transferStore.imports(companyId),
  }));
  serve(app, transferApi.export, async ({ companyId, actor, params: { id }, body, reply }) => {
    const list = trusted.blacklist(id);
    if ((await blacklists.find(companyId, list)) === undefined) throw new ApiError('NOT_FOUND');
    const { fileName, content } = await exchange.export(companyId, { ...body, list }, actor);
    return reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .send(Readable.from(content, { objectMode: false }));
  });
  bundleRoutes(app, exchange);
  await takePackages(app, MAX_PACKAGE_BYTES, (scope, limits) => {
    serve(scope, { ...transferApi.receive, ...limits }, ({ companyId, actor, query, request }) =>
      exchange.receive(companyId, packageOf(request), intoOf(query), actor),
    );
  });
}

/** The certificate of this installation, and the installations that the company trusts. */
function installationRoutes(
  app: FastifyInstance,
  { exchange, trustedInstallations }: DashboardRoutePorts,
): void {
  serve(app, transferApi.installations, async ({ companyId }) => ({
    items: await exchange.trusted(companyId),
  }));
  serve(app, transferApi.ownInstallation, ({ actor }) => exchange.certificate(actor));
  serve(app, transferApi.trust, ({ companyId, act, body }) => exchange.trust(companyId, body, act));
  serve(app, transferApi.distrust, async ({ companyId, act, params: { id } }) => {
    if (!(await trustedInstallations.distrust(companyId, id, act))) throw new ApiError('NOT_FOUND');
  });
}

function bundleRoutes(app: FastifyInstance, exchange: BlacklistTransferService): void {
  serve(app, transferApi.packages, async ({ companyId }) => ({ items: await exchange.waiting(companyId) }));
  serve(app, transferApi.import, ({ companyId, actor, params: { id }, body }) =>
    exchange.import(companyId, id, intoOf(body), actor),
  );
  serve(app, transferApi.discard, ({ companyId, params: { id } }) => exchange.drop(companyId, id));
  serve(app, transferApi.undoPlan, ({ companyId, params: { id } }) => exchange.undoPlan(companyId, id));
  serve(app, transferApi.undo, ({ companyId, actor, params: { id } }) => exchange.undo(companyId, id, actor));
}

function intoOf({ into }: { into?: number | undefined }): { into?: BlacklistId } {
  return into === undefined ? {} : { into: trusted.blacklist(into) };
}
