import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  importList,
  importOrder,
  importResult,
  importViewOf,
  listExport,
  receivedPackage,
  installationTrust,
  installationView,
  trustedInstallationList,
  trustedInstallationView,
  undoResult,
  waitingPackageList,
} from '../../contracts/blacklistTransfer.ts';
import { trusted, type BlacklistId } from '../../contracts/ids.ts';
import type { BlacklistTransferService } from '../../domain/blacklistTransfer/service.ts';
import { routesOf } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { MAX_PACKAGE_BYTES } from '../../domain/blacklistTransfer/planning.ts';

const numbered = z.object({ id: z.coerce.number().int().min(1) });

/** Blacklists for other installations and from them, and which installations those are. */
export async function blacklistTransferRoutes(
  app: FastifyInstance,
  ports: DashboardRoutePorts,
): Promise<void> {
  const { exchange, blacklists } = ports;
  const routes = routesOf(app);
  installationRoutes(app, ports);
  routes.get(
    '/blacklists/imports',
    { needs: 'blacklists:read', answer: importList },
    async ({ operator: { companyId } }) => ({ items: (await exchange.imports(companyId)).map(importViewOf) }),
  );
  routes.post(
    '/blacklists/:id/export',
    { needs: 'blacklists:exchange', params: numbered, body: listExport },
    async ({ operator: { companyId, actor }, params: { id }, body, reply }) => {
      const list = trusted.blacklist(id);
      if ((await blacklists.find(companyId, list)) === undefined) throw new ApiError('NOT_FOUND');
      const { fileName, content } = await exchange.export(companyId, { ...body, list }, actor);
      return reply
        .type('application/octet-stream')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(Readable.from(content, { objectMode: false }));
    },
  );
  bundleRoutes(app, exchange);
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', (_request, body, parsed) => {
      parsed(null, body);
    });
    receivingRoute(scope, exchange);
    done();
  });
}

/** The certificate of this installation, and the installations that the company trusts. */
function installationRoutes(
  app: FastifyInstance,
  { exchange, trustedInstallations, clock }: DashboardRoutePorts,
): void {
  const routes = routesOf(app);
  const path = '/installations';
  routes.get(
    path,
    { needs: 'blacklists:read', answer: trustedInstallationList },
    async ({ operator: { companyId } }) => {
      return { items: await exchange.trusted(companyId) };
    },
  );
  routes.get(
    `${path}/own`,
    { needs: 'blacklists:read', answer: installationView },
    ({ operator: { actor } }) => exchange.certificate(actor),
  );
  routes.post(
    path,
    { needs: 'blacklists:exchange', body: installationTrust, answer: trustedInstallationView },
    async ({ operator: { companyId, actor }, body }) => {
      const act = { by: actor, at: clock.now() };
      return exchange.trust(companyId, body, act);
    },
  );
  routes.delete(
    `${path}/:id`,
    { needs: 'blacklists:exchange', params: numbered },
    async ({ operator: { companyId, actor }, params: { id } }) => {
      const act = { by: actor, at: clock.now() };
      if (!(await trustedInstallations.distrust(companyId, id, act))) throw new ApiError('NOT_FOUND');
    },
  );
}

function bundleRoutes(app: FastifyInstance, exchange: BlacklistTransferService): void {
  const routes = routesOf(app);
  const params = z.object({ id: z.string() });
  routes.get(
    '/blacklists/packages',
    { needs: 'blacklists:read', background: true, answer: waitingPackageList },
    async ({ operator: { companyId } }) => ({ items: await exchange.waiting(companyId) }),
  );
  routes.post(
    '/blacklists/packages/:id/import',
    { needs: 'blacklists:exchange', params, body: importOrder, answer: importResult },
    async ({ operator: { companyId, actor }, params: { id }, body }) => {
      const result = await exchange.import(companyId, id, intoOf(body), actor);
      if (result === undefined) throw new ApiError('NOT_FOUND');
      return result;
    },
  );
  routes.delete(
    '/blacklists/packages/:id',
    { needs: 'blacklists:exchange', params },
    async ({ operator: { companyId }, params: { id } }) => {
      if (!(await exchange.drop(companyId, id))) throw new ApiError('NOT_FOUND');
    },
  );
  routes.get(
    '/blacklists/imports/:id/undo',
    { needs: 'blacklists:read', params: numbered, answer: undoResult },
    async ({ operator: { companyId }, params: { id } }) => {
      const plan = await exchange.undoPlan(companyId, id);
      if (plan === undefined) throw new ApiError('NOT_FOUND');
      return plan;
    },
  );
  routes.post(
    '/blacklists/imports/:id/undo',
    { needs: 'blacklists:exchange', params: numbered, answer: undoResult },
    async ({ operator: { companyId, actor }, params: { id } }) => {
      const undone = await exchange.undo(companyId, id, actor);
      if (undone === undefined) throw new ApiError('NOT_FOUND');
      return undone;
    },
  );
}

function receivingRoute(scope: FastifyInstance, exchange: BlacklistTransferService): void {
  routesOf(scope).post(
    '/blacklists/packages',
    {
      needs: 'blacklists:exchange',
      query: importOrder,
      answer: receivedPackage,
      bodyLimit: MAX_PACKAGE_BYTES,
      preParsing: (request, _reply, payload, next) => {
        request.bodyMeter?.allow(MAX_PACKAGE_BYTES, request);
        next(null, payload);
      },
    },
    async ({ operator, query, request: { body } }) => {
      if (!(body instanceof Readable)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
      const { companyId, actor } = operator;
      const content = body as AsyncIterable<Buffer>;
      return exchange.receive(companyId, content, intoOf(query), actor);
    },
  );
}

function intoOf({ into }: { into?: number | undefined }): { into?: BlacklistId } {
  return into === undefined ? {} : { into: trusted.blacklist(into) };
}
