import { systemApi, type SystemState } from '../../contracts/dashboard/system.ts';
import type { FastifyInstance } from 'fastify';
import type { CompanyId } from '../../contracts/ids.ts';
import type { ImageFiles } from '../../domain/ports/images.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import { serve } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import { isOperator } from '../../domain/ports/auditContext.ts';
import { invalidFields, ApiError } from '../http/errors.ts';
import { backupApi } from '../../contracts/dashboard/backups.ts';
import { Readable } from 'node:stream';
import { NoBackupKey } from '../../domain/ports/backup.ts';

/** The state of the installation, and its health. Of storage the operator's own company alone. */
export function systemRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  serve(app, systemApi.state, ({ companyId }) => describe(ports, companyId));
  serve(app, systemApi.health, ({ companyId, query }) =>
    ports.doctor.report({
      company: companyId,
      fresh: query.fresh !== undefined,
    }),
  );
}

async function describe(ports: DashboardRoutePorts, company: CompanyId): Promise<SystemState> {
  const { companies, installation, queue, storeHealth, process, nodes, recognition } = ports;
  const [settings, waiting, oldest, totals, databaseBytes, found, models, backup, services] =
    await Promise.all([
      installation.settings(),
      queue.waiting(),
      queue.oldest(),
      storeHealth.imageTotals(company),
      storeHealth.databaseBytes(),
      companies.find(company),
      ports.models(),
      ports.backupService.summary(),
      nodes?.list(),
    ]);
  return {
    version: process.version,
    startedAt: process.startedAt.toISOString(),
    queue: {
      paused: settings.paused,
      waiting,
      inProgress: ports.inProgress(),
      perMinute: process.perMinute(),
      oldest: oldest?.toISOString() ?? null,
    },
    // Worker processes load the networks of the pipeline that a photo needs: here the one that the company uses.
    workers: process
      .workers()
      .map((each) => (each.work === 'faces' ? { ...each, version: recognition.pipelineOf(company) } : each)),
    storage: {
      folder: found?.storageFolder ?? null,
      images: totals.images,
      imageBytes: totals.bytes,
      freeBytes: await freeBytes(ports.images, company, found?.storageFolder ?? null),
      databaseBytes,
      minFreeBytes: settings.minFreeBytes,
    },
    backup,
    models: models.map(({ pinned: _pinned, ...model }) => model),
    nodes: nodes === undefined || services === undefined ? null : { own: nodes.name, all: services },
  };
}

/** Null when the folder cannot be read: the health checks say why. */
async function freeBytes(
  images: ImageFiles,
  company: CompanyId,
  folder: string | null,
): Promise<number | null> {
  if (folder === null) return null;
  try {
    return await images.freeBytes(company);
  } catch (error) {
    if (error instanceof UnavailableError) return null;
    throw error;
  }
}

/** Letting other machines in, and out again. Certificates of the organisation's own authority are given at the terminal. */
export function networkRoutes(app: FastifyInstance, { network }: DashboardRoutePorts): void {
  serve(app, systemApi.network, () => network.state());
  serve(app, systemApi.setNetwork, async ({ actor, act, body }) => {
    try {
      return await network.open(body, undefined, act);
    } catch (error) {
      if (!(error instanceof CodedError) || !isOperator(actor)) throw error;
      throw invalidFields({ names: [error.problem] });
    }
  });
  serve(app, systemApi.renewCertificate, async ({ actor, act }) => {
    try {
      return await network.renew(act);
    } catch (error) {
      if (!(error instanceof CodedError) || !isOperator(actor)) throw error;
      throw invalidFields({ certificate: [error.problem] });
    }
  });
  serve(app, systemApi.endNetwork, ({ act }) => network.close(act));
}

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
  serve(app, backupApi.download, async ({ actor, reply }) => {
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
