import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  backupKeyCheck,
  backupKeyCheckRequest,
  backupKeyRequest,
  backupRequest,
  backupScheduleRequest,
  backupState,
  draftedBackupKey,
} from '../../contracts/dashboard/backups.ts';
import { NoBackupKey } from '../../domain/ports/backup.ts';
import { ApiError } from '../http/errors.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Backups: their key, places, schedule and runs. Restoring stays in the terminal, because it replaces the service's data. */
export function backupRoutes(
  app: FastifyInstance,
  { backupService, backupKeyService, clock }: DashboardRoutePorts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/backup`;
  const read = requirePermission('system:read', { background: true });
  const config = requirePermission('backups:write');
  const response = { 200: backupState };
  const state = () => backupService.state();

  routes.get(path, { config: read, schema: { hide: true, response } }, state);
  routes.post(
    `${path}/run`,
    { config, schema: { hide: true, body: backupRequest, response } },
    async (request) => {
      await backupService.start(request.body.place, 'dashboard', {
        by: operatorOf(request).actor,
        at: clock.now(),
      });
      return state();
    },
  );
  routes.delete(`${path}/run`, { config, schema: { hide: true, response } }, () => {
    backupService.cancel();
    return state();
  });
  routes.put(
    `${path}/schedule`,
    { config, schema: { hide: true, body: backupScheduleRequest, response } },
    async (request) => {
      const act = { by: operatorOf(request).actor, at: clock.now() };
      await backupService.setSchedule(request.body.schedule, act);
      return state();
    },
  );
  // The browser saves the answer of `GET …/file` as it is, so a refusal must be known before.
  routes.post(`${path}/download`, { config, schema: { hide: true } }, async (_request, reply) => {
    await backupService.refuseDownload();
    return reply.code(204).send();
  });
  // A HEAD request would write a whole backup for an answer without a body.
  const streamed = { config, schema: { hide: true }, exposeHeadRoute: false };
  routes.get(`${path}/file`, streamed, async (request, reply) => {
    const at = clock.now();
    try {
      const { content } = await backupService.stream('download', { by: operatorOf(request).actor, at });
      return await reply
        .header('content-type', 'application/octet-stream')
        .header('content-disposition', `attachment; filename="vouch-${at.toISOString().slice(0, 10)}.vouch"`)
        .send(Readable.from(content, { objectMode: false }));
    } catch (error) {
      if (error instanceof NoBackupKey) throw new ApiError('BACKUP_NO_KEY');
      throw error;
    }
  });
  routes.post(
    `${path}/key/draft`,
    { config, schema: { hide: true, response: { 200: draftedBackupKey } } },
    () => backupKeyService.draft(),
  );
  routes.put(
    `${path}/key`,
    { config, schema: { hide: true, body: backupKeyRequest, response } },
    async (request) => {
      const { publicKey, replaces } = request.body;
      await backupKeyService.set(publicKey, replaces, { by: operatorOf(request).actor, at: clock.now() });
      return state();
    },
  );
  routes.post(
    `${path}/key/check`,
    { config, schema: { hide: true, body: backupKeyCheckRequest, response: { 200: backupKeyCheck } } },
    (request) => backupKeyService.check(request.body.key),
  );
}
