import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
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
import { routesOf } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Backups: their key, places, schedule and runs. Restoring stays in the terminal, because it replaces the service's data. */
export function backupRoutes(
  app: FastifyInstance,
  { backupService, backupKeyService, clock }: DashboardRoutePorts,
): void {
  const routes = routesOf(app);
  const path = '/backup';
  const state = () => backupService.state();

  routes.get(path, { needs: 'system:read', background: true, answer: backupState }, state);
  routes.post(
    `${path}/run`,
    { needs: 'backups:write', body: backupRequest, answer: backupState },
    async ({ operator: { actor }, body: { place } }) => {
      await backupService.start(place, 'dashboard', {
        by: actor,
        at: clock.now(),
      });
      return state();
    },
  );
  routes.delete(`${path}/run`, { needs: 'backups:write', answer: backupState }, () => {
    backupService.cancel();
    return state();
  });
  routes.put(
    `${path}/schedule`,
    { needs: 'backups:write', body: backupScheduleRequest, answer: backupState },
    async ({ operator: { actor }, body: { schedule } }) => {
      const act = { by: actor, at: clock.now() };
      await backupService.setSchedule(schedule, act);
      return state();
    },
  );
  // The browser saves the answer of `GET …/file` as it is, so a refusal must be known before.
  routes.post(`${path}/download`, { needs: 'backups:write' }, async () => {
    await backupService.refuseDownload();
  });
  // A HEAD request would write a whole backup for an answer without a body.
  const streamed = { needs: 'backups:write', exposeHeadRoute: false } as const;
  routes.get(`${path}/file`, streamed, async ({ operator, reply }) => {
    const at = clock.now();
    try {
      const { content } = await backupService.stream('download', { by: operator.actor, at });
      return await reply
        .header('content-type', 'application/octet-stream')
        .header('content-disposition', `attachment; filename="vouch-${at.toISOString().slice(0, 10)}.vouch"`)
        .send(Readable.from(content, { objectMode: false }));
    } catch (error) {
      if (error instanceof NoBackupKey) throw new ApiError('BACKUP_NO_KEY');
      throw error;
    }
  });
  routes.post(`${path}/key/draft`, { needs: 'backups:write', answer: draftedBackupKey }, () =>
    backupKeyService.draft(),
  );
  routes.put(
    `${path}/key`,
    { needs: 'backups:write', body: backupKeyRequest, answer: backupState },
    async ({ operator: { actor }, body: { publicKey, replaces } }) => {
      await backupKeyService.set(publicKey, replaces, { by: actor, at: clock.now() });
      return state();
    },
  );
  routes.post(
    `${path}/key/check`,
    { needs: 'backups:write', body: backupKeyCheckRequest, answer: backupKeyCheck },
    ({ body: { key } }) => backupKeyService.check(key),
  );
}
