import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
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
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
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
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const read = requirePermission('blacklists:read');
  installationRoutes(app, ports);
  routes.get(
    `${DASHBOARD}/blacklists/imports`,
    { config: read, schema: { hide: true, response: { 200: importList } } },
    async (request) => ({ items: (await exchange.imports(operatorOf(request).companyId)).map(importViewOf) }),
  );
  routes.post(
    `${DASHBOARD}/blacklists/:id/export`,
    {
      config: requirePermission('blacklists:exchange'),
      schema: { hide: true, params: numbered, body: listExport },
    },
    async (request, reply) => {
      const { companyId, actor } = operatorOf(request);
      const list = trusted.blacklist(request.params.id);
      if ((await blacklists.find(companyId, list)) === undefined) throw new ApiError('NOT_FOUND');
      const { fileName, content } = await exchange.export(companyId, { ...request.body, list }, actor);
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
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/installations`;
  const read = requirePermission('blacklists:read');
  const change = requirePermission('blacklists:exchange');
  routes.get(
    path,
    { config: read, schema: { hide: true, response: { 200: trustedInstallationList } } },
    async (request) => {
      return { items: await exchange.trusted(operatorOf(request).companyId) };
    },
  );
  routes.get(
    `${path}/own`,
    { config: read, schema: { hide: true, response: { 200: installationView } } },
    (request) => exchange.certificate(operatorOf(request).actor),
  );
  routes.post(
    path,
    {
      config: change,
      schema: { hide: true, body: installationTrust, response: { 200: trustedInstallationView } },
    },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const act = { by: actor, at: clock.now() };
      return exchange.trust(companyId, request.body, act);
    },
  );
  routes.delete(
    `${path}/:id`,
    { config: change, schema: { hide: true, params: numbered } },
    async (request, reply) => {
      const { companyId, actor } = operatorOf(request);
      const act = { by: actor, at: clock.now() };
      if (!(await trustedInstallations.distrust(companyId, request.params.id, act)))
        throw new ApiError('NOT_FOUND');
      return reply.code(204).send();
    },
  );
}

function bundleRoutes(app: FastifyInstance, exchange: BlacklistTransferService): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const config = requirePermission('blacklists:exchange');
  const params = z.object({ id: z.string() });
  const read = requirePermission('blacklists:read', { background: true });
  routes.get(
    `${DASHBOARD}/blacklists/packages`,
    { config: read, schema: { hide: true, response: { 200: waitingPackageList } } },
    async (request) => ({ items: await exchange.waiting(operatorOf(request).companyId) }),
  );
  routes.post(
    `${DASHBOARD}/blacklists/packages/:id/import`,
    { config, schema: { hide: true, params, body: importOrder, response: { 200: importResult } } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const result = await exchange.import(companyId, request.params.id, intoOf(request.body), actor);
      if (result === undefined) throw new ApiError('NOT_FOUND');
      return result;
    },
  );
  routes.delete(
    `${DASHBOARD}/blacklists/packages/:id`,
    { config, schema: { hide: true, params } },
    async (request, reply) => {
      if (!(await exchange.drop(operatorOf(request).companyId, request.params.id)))
        throw new ApiError('NOT_FOUND');
      return reply.code(204).send();
    },
  );
  routes.get(
    `${DASHBOARD}/blacklists/imports/:id/undo`,
    {
      config: requirePermission('blacklists:read'),
      schema: { hide: true, params: numbered, response: { 200: undoResult } },
    },
    async (request) => {
      const plan = await exchange.undoPlan(operatorOf(request).companyId, request.params.id);
      if (plan === undefined) throw new ApiError('NOT_FOUND');
      return plan;
    },
  );
  routes.post(
    `${DASHBOARD}/blacklists/imports/:id/undo`,
    { config, schema: { hide: true, params: numbered, response: { 200: undoResult } } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const undone = await exchange.undo(companyId, request.params.id, actor);
      if (undone === undefined) throw new ApiError('NOT_FOUND');
      return undone;
    },
  );
}

function receivingRoute(scope: FastifyInstance, exchange: BlacklistTransferService): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    `${DASHBOARD}/blacklists/packages`,
    {
      config: requirePermission('blacklists:exchange'),
      schema: { hide: true, querystring: importOrder, response: { 200: receivedPackage } },
      bodyLimit: MAX_PACKAGE_BYTES,
      preParsing: (request, _reply, payload, next) => {
        request.bodyMeter?.allow(MAX_PACKAGE_BYTES, request);
        next(null, payload);
      },
    },
    async (request) => {
      if (!(request.body instanceof Readable)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
      const { companyId, actor } = operatorOf(request);
      const content = request.body as AsyncIterable<Buffer>;
      return exchange.receive(companyId, content, intoOf(request.query), actor);
    },
  );
}

function intoOf({ into }: { into?: number | undefined }): { into?: BlacklistId } {
  return into === undefined ? {} : { into: trusted.blacklist(into) };
}
