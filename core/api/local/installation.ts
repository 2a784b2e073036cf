/** Routes of the local administrator for the whole installation. The dashboard has none of them: it belongs to a company. */
import { localApi, backupKeyState, CONTENT_KEY_HEADER, localCompany } from '../../contracts/local.ts';
import { systemApi } from '../../contracts/dashboard/system.ts';
import { settingsApi } from '../../contracts/dashboard/company.ts';
import { transferApi } from '../../contracts/blacklistTransfer.ts';
import { erasureApi } from '../../contracts/erasure.ts';
import { pipelineApi, companyPipeline } from '../../contracts/pipelines.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { CodedError, problem, sentenceOf } from '../../contracts/errors/problem.ts';
import { companySettings } from '../../contracts/settings.ts';
import { readAuditPage } from '../../domain/audit/auditService.ts';
import { companyNamed } from '../http/callingCompany.ts';
import { changeInstallationLimits, installationLimits } from '../../domain/settings/changeSettings.ts';
import { disableMetrics, enableMetrics, metricsEnabled } from '../../domain/diagnostics/metricsAccess.ts';
import type { PipelineService } from '../../domain/pipelines/pipelineService.ts';
import type { Company } from '../../domain/ports/auditContext.ts';
import type { ChangedRows } from '../../storage/engine/codedRows.ts';
import type { LocalPorts } from '../ports.ts';
import { serve } from '../dashboard/access/guard.ts';

export function installationRoutes(app: FastifyInstance, ports: LocalPorts): void {
  stateRoutes(app, ports);
  companyListRoutes(app, ports);
  auditRoutes(app, ports);
  backupRoutes(app, ports);
  accessRoutes(app, ports);
  pipelineRoutes(app, ports);
}

/** The state of the service, its health, and the limits of the installation. */
function stateRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const { installation, clock, process } = ports;
  serve(app, localApi.status, async () => {
    const head = await ports.audit.head(clock.now());
    return {
      version: process.version,
      address: process.address(),
      pipelineId: process.pipeline(),
      companies: await ports.pipelineService.serving(),
      workers: ports.vision.workers,
      paused: (await installation.settings()).paused,
      waiting: await ports.queue.waiting(),
      inProgress: ports.inProgress(),
      auditEntries: head?.sequence ?? 0,
      auditHead: head?.hash ?? null,
    };
  });
  serve(app, systemApi.diagnose, () => ports.doctor.report({ fresh: true }));
  serve(app, localApi.cluster, async () => ({
    own: ports.nodes?.name ?? null,
    nodes: (await ports.nodes?.list()) ?? [],
  }));
  const limits = async () => installationLimits(await installation.settings());
  serve(app, settingsApi.installation, limits);
  serve(app, settingsApi.changeInstallation, async ({ act, body: { change } }) => {
    await changeInstallationLimits(installation, change, act);
    return limits();
  });
}

/** The companies of the installation. */
function companyListRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const { companies, storageFolders } = ports;
  serve(app, localApi.companies, async () => (await companies.list()).map(companyBody));
  serve(app, localApi.createCompany, async ({ act, body: { name, storageFolder } }) => {
    if ((await companies.findByName(name)) !== undefined)
      throw new CodedError(problem('COMPANY_EXISTS', { company: name }));
    if (storageFolder !== undefined) {
      const { problem: fault } = await storageFolders.check(storageFolder);
      if (fault !== null)
        throw new CodedError(
          problem('COMPANY_FOLDER_UNUSABLE', { folder: storageFolder, reason: sentenceOf(fault) }),
        );
    }
    const made = { name, storageFolder, settings: companySettings.parse({}) };
    return companyBody(await companies.create(made, act));
  });
}

function companyBody({ id, name, storageFolder, settings }: Company): z.infer<typeof localCompany> {
  const { registrationEnabled, blacklistsEnabled, secondOperator, signatureSpecimens, osia } = settings;
  const features = { registrationEnabled, blacklistsEnabled, secondOperator, signatureSpecimens, osia };
  return { id, name, storageFolder, ...features };
}

/** The audit log of the whole installation, with its proofs. */
function auditRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const { auditService, companies, rowTotals } = ports;
  // Of the installation without a company: unlike the log of the dashboard, which adds its entries to those of a sole company.
  serve(app, localApi.audit, async ({ query: { company, ...query } }) => {
    const of = company === undefined ? null : (await companyNamed(companies, company)).id;
    return readAuditPage(ports, of, query);
  });
  serve(app, localApi.verifyAudit, ({ act, body: { anchors } }) => auditService.verify(null, act, anchors));
  serve(app, localApi.anchorAudit, async ({ act }) => ({ anchor: await auditService.anchor(null, act) }));
  serve(app, localApi.acceptAudit, ({ act }) => auditService.accept(act));
  const named = (changed: readonly ChangedRows[]) => ({ rows: changed.map(({ rows }) => rows) });
  serve(app, localApi.changedRows, async () => named(await rowTotals.changed()));
  serve(app, localApi.acceptRows, async ({ act }) => named(await rowTotals.accept(act)));
  serve(app, localApi.setAnchorFile, ({ act, body: { folder } }) =>
    auditService.useExternalFile(folder, act),
  );
}

/** Backups of an installation with any number of companies. */
function backupRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const { installationKeys, backupKeys } = ports;
  // The content key lets the terminal verify what it wrote.
  serve(app, localApi.backup, async ({ reply }) => {
    const { contentKey, content } = await ports.backUp();
    return reply
      .header(CONTENT_KEY_HEADER, Buffer.from(contentKey).toString('hex'))
      .type('application/octet-stream')
      .send(Readable.from(content, { objectMode: false }));
  });
  const state = async (): Promise<z.infer<typeof backupKeyState>> => {
    const key = await installationKeys.recovery();
    return {
      fingerprint: key === undefined ? null : backupKeys.fingerprintOf(key.publicKey),
      createdAt: key?.createdAt.toISOString() ?? null,
    };
  };
  serve(app, localApi.backupKey, state);
  serve(app, localApi.setBackupKey, async ({ act, body }) => {
    const { fingerprint } = await state();
    if (fingerprint !== null && !body.replace)
      throw new CodedError(problem('BACKUP_KEY_EXISTS', { fingerprint }));
    const publicKey = Buffer.from(body.publicKey, 'hex');
    await installationKeys.setRecovery(publicKey, act);
    return state();
  });
}

/** Name, certificate and metrics of the installation, folders of the desktop window, and the repetition of an erasure. */
function accessRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const { installation } = ports;
  serve(app, transferApi.renameInstallation, async ({ act, body: { name } }) => {
    await installation.update({ installationName: name }, act);
    return ports.exchange.certificate('local-admin');
  });
  serve(app, localApi.setNetworkWith, ({ act, body: { given, ...wanted } }) =>
    ports.network.open(wanted, given, act),
  );
  const state = async () => ({ enabled: await metricsEnabled(ports) });
  serve(app, localApi.metrics, state);
  serve(app, localApi.enableMetrics, async ({ act }) => ({
    token: await enableMetrics(ports, act),
  }));
  serve(app, localApi.disableMetrics, async ({ act }) => {
    await disableMetrics(ports, act);
    return state();
  });
  serve(app, localApi.offerFolder, async ({ body: { session, path } }) => ({
    grantId: await ports.folderGrants.offer(session, path),
  }));
  serve(app, erasureApi.replay, async ({ act, body: signed }) => {
    const { company } = signed.receipt;
    if (!(await ports.erasures.isOurs(signed))) throw new CodedError(problem('RECEIPT_FOREIGN'));
    if ((await ports.companies.find(company)) === undefined)
      throw new CodedError(problem('COMPANY_ID_UNKNOWN', { company }));
    return { id: await ports.erasureService.again(signed.receipt, act) };
  });
}

/** The pipelines that are installed, and those of every company. */
function pipelineRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const { companies, pipelineService } = ports;
  serve(app, pipelineApi.installed, async () => {
    const { pipelines, refused } = await pipelineService.selectable();
    return {
      pipelines: pipelines.map(({ calibration: _calibration, strict: _strict, ...facts }) => facts),
      refused: refused.map(({ name, reason }) => ({ name, reason: sentenceOf(reason) })),
    };
  });
  serve(app, pipelineApi.ofCompanies, async ({ query: { company } }) => {
    const chosen = company === undefined ? await companies.list() : [await companyNamed(companies, company)];
    return Promise.all(chosen.map(async ({ id, name }) => pipelineBody(name, await pipelineService.of(id))));
  });
}

function pipelineBody(
  company: string,
  { serving, servingName, migration, stored, measured }: Awaited<ReturnType<PipelineService['of']>>,
): z.infer<typeof companyPipeline> {
  return {
    company,
    serving,
    name: servingName,
    changingTo: migration?.migration.target ?? null,
    stage: migration?.stage ?? null,
    faces: migration?.total ?? null,
    extracted: migration?.extracted ?? null,
    refused: migration?.refused ?? null,
    facesPerSecond: migration?.rate ?? null,
    secondsLeft: migration?.secondsLeft ?? null,
    stored,
    measured,
  };
}
