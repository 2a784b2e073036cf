import { backupApi } from '../../contracts/dashboard/backups.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { NoBackupKey } from '../../domain/ports/backup.ts';
import { ApiError } from '../http/errors.ts';
import { serve } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Backups: their key, places, schedule and runs. Restoring stays in the terminal, because it replaces the service's data. */
export function backupRoutes(
  app: FastifyInstance,
  { backupService, backupKeyService, clock }: DashboardRoutePorts,
): void {
  const state = () => backupService.state();

  serve(app, backupApi.state, state);
  serve(app, backupApi.start, async ({ act, body: { place } }) => {
    await backupService.start(place, 'dashboard', act);
    return state();
  });
  serve(app, backupApi.cancel, () => {
    backupService.cancel();
    return state();
  });
  serve(app, backupApi.setSchedule, async ({ act, body: { schedule } }) => {
    await backupService.setSchedule(schedule, act);
    return state();
  });
  // The browser saves the answer of `GET …/file` as it is, so a refusal must be known before.
  serve(app, backupApi.announceDownload, async () => {
    await backupService.refuseDownload();
  });
  // A HEAD request would write a whole backup for an answer without a body.
  serve(app, { ...backupApi.download, exposeHeadRoute: false }, async ({ actor, reply }) => {
    const at = clock.now();
    try {
      const { content } = await backupService.stream('download', { by: actor, at });
      return await reply
        .header('content-type', 'application/octet-stream')
        .header('content-disposition', `attachment; filename="vouch-${at.toISOString().slice(0, 10)}.vouch"`)
        .send(Readable.from(content, { objectMode: false }));
    } catch (error) {
      if (error instanceof NoBackupKey) throw new ApiError('BACKUP_NO_KEY');
      throw error;
    }
  });
  serve(app, backupApi.draftKey, () => backupKeyService.draft());
  serve(app, backupApi.setKey, async ({ act, body: { publicKey, replaces } }) => {
    await backupKeyService.set(publicKey, replaces, act);
    return state();
  });
  serve(app, backupApi.checkKey, ({ body: { key } }) => backupKeyService.check(key));
}
