/** Routes of the local administrator for the whole installation. The dashboard has none of them: it belongs to a company. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { auditPage, auditQuery, auditVerdict, externalAnchorFile } from '../../contracts/audit.ts';
import { installationName, installationView } from '../../contracts/blacklistTransfer.ts';
import { healthReport } from '../../contracts/diagnostics.ts';
import { signedReceipt } from '../../contracts/erasure.ts';
import { CodedError, problem, sentenceOf } from '../../contracts/errors/problem.ts';
import { limitPatch, limitState } from '../../contracts/limits/limitShapes.ts';
import {
  acceptedLog,
  anchored,
  auditVerification,
  backupKeyState,
  clusterStatus,
  CONTENT_KEY_HEADER,
  folderOffer,
  installationStatus,
  localCompanies,
  localCompany,
  metricsState,
  metricsToken,
  networkWithCertificate,
  newBackupKey,
  newCompany,
  offeredFolder,
  replayed,
  anchorFileChange,
} from '../../contracts/local.ts';
import { networkAccessState } from '../../contracts/network.ts';
import { companyPipeline, pipelineList } from '../../contracts/pipelines.ts';
import { companySettings } from '../../contracts/settings.ts';
import { readAuditPage } from '../../domain/audit/service.ts';
import { companyNamed } from '../http/callingCompany.ts';
import { changeInstallationLimits, installationLimits } from '../../domain/settings/changeSettings.ts';
import { disableMetrics, enableMetrics, metricsEnabled } from '../../domain/diagnostics/metricsAccess.ts';
import type { CompanyPipelines } from '../../domain/pipelines/service.ts';
import { asLocalAdmin, type Company } from '../../domain/ports/auditContext.ts';
import type { LocalPorts } from '../ports.ts';
import { routesOf } from '../dashboard/access/guard.ts';

const LOCAL = '/local';

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
  const routes = routesOf(app);
  const { installation, clock, process } = ports;
  routes.get(`${LOCAL}/status`, { needs: 'session', answer: installationStatus }, async () => {
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
  routes.get(`${LOCAL}/health`, { needs: 'session', answer: healthReport }, () =>
    ports.doctor.report({ fresh: true }),
  );
  routes.get(`${LOCAL}/cluster`, { needs: 'session', answer: clusterStatus }, async () => ({
    own: ports.nodes?.name ?? null,
    nodes: (await ports.nodes?.list()) ?? [],
  }));
  const limits = async () => installationLimits(await installation.settings());
  routes.get(`${LOCAL}/settings`, { needs: 'session', answer: limitState.shape.installation }, limits);
  routes.patch(
    `${LOCAL}/settings`,
    { needs: 'session', body: limitPatch, answer: limitState.shape.installation },
    async ({ body: { change } }) => {
      await changeInstallationLimits(installation, change, asLocalAdmin(clock));
      return limits();
    },
  );
}

/** The companies of the installation. */
function companyListRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const routes = routesOf(app);
  const { companies, storageFolders } = ports;
  const path = `${LOCAL}/companies`;
  routes.get(path, { needs: 'session', answer: localCompanies }, async () =>
    (await companies.list()).map(companyBody),
  );
  routes.post(
    path,
    { needs: 'session', body: newCompany, answer: localCompany },
    async ({ body: { name, storageFolder } }) => {
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
      return companyBody(await companies.create(made, asLocalAdmin(ports.clock)));
    },
  );
}

function companyBody({ id, name, storageFolder, settings }: Company): z.infer<typeof localCompany> {
  const { registrationEnabled, blacklistsEnabled, secondOperator, signatureSpecimens } = settings;
  const features = { registrationEnabled, blacklistsEnabled, secondOperator, signatureSpecimens };
  return { id, name, storageFolder, ...features };
}

/** The audit log of the whole installation, with its proofs. */
function auditRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const routes = routesOf(app);
  const { auditService, companies } = ports;
  const path = `${LOCAL}/audit`;
  const act = () => asLocalAdmin(ports.clock);
  // Of the installation without a company: unlike the log of the dashboard, which adds its entries to those of a sole company.
  const querystring = auditQuery.extend({ company: newCompany.shape.name.optional() });
  routes.get(
    path,
    { needs: 'session', query: querystring, answer: auditPage },
    async ({ query: { company, ...query } }) => {
      const of = company === undefined ? null : (await companyNamed(companies, company)).id;
      return readAuditPage(ports, of, query);
    },
  );
  routes.post(
    `${path}/verify`,
    { needs: 'session', body: auditVerification, answer: auditVerdict },
    ({ body: { anchors } }) => auditService.verify(null, act(), anchors),
  );
  routes.post(`${path}/anchor`, { needs: 'session', answer: anchored }, async () => ({
    anchor: await auditService.anchor(null, act()),
  }));
  routes.post(`${path}/accept`, { needs: 'session', answer: acceptedLog }, () => auditService.accept(act()));
  routes.put(
    `${path}/anchor-file`,
    { needs: 'session', body: anchorFileChange, answer: externalAnchorFile },
    ({ body: { folder } }) => auditService.useExternalFile(folder, act()),
  );
}

/** Backups of an installation with any number of companies. */
function backupRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const routes = routesOf(app);
  const { installationKeys, backupKeys } = ports;
  // The content key lets the terminal verify what it wrote.
  routes.post(`${LOCAL}/backup`, { needs: 'session' }, async ({ reply }) => {
    const { contentKey, content } = await ports.backUp();
    return reply
      .header(CONTENT_KEY_HEADER, Buffer.from(contentKey).toString('hex'))
      .type('application/octet-stream')
      .send(Readable.from(content, { objectMode: false }));
  });
  const path = `${LOCAL}/backup-key`;
  const state = async (): Promise<z.infer<typeof backupKeyState>> => {
    const key = await installationKeys.recovery();
    return {
      fingerprint: key === undefined ? null : backupKeys.fingerprintOf(key.publicKey),
      createdAt: key?.createdAt.toISOString() ?? null,
    };
  };
  routes.get(path, { needs: 'session', answer: backupKeyState }, state);
  routes.put(path, { needs: 'session', body: newBackupKey, answer: backupKeyState }, async ({ body }) => {
    const { fingerprint } = await state();
    if (fingerprint !== null && !body.replace)
      throw new CodedError(problem('BACKUP_KEY_EXISTS', { fingerprint }));
    const publicKey = Buffer.from(body.publicKey, 'hex');
    await installationKeys.setRecovery(publicKey, asLocalAdmin(ports.clock));
    return state();
  });
}

/** Name, certificate and metrics of the installation, folders of the desktop window, and the repetition of an erasure. */
function accessRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const routes = routesOf(app);
  const { clock, installation } = ports;
  routes.put(
    `${LOCAL}/installation-name`,
    { needs: 'session', body: z.object({ name: installationName }), answer: installationView },
    async ({ body: { name } }) => {
      await installation.update({ installationName: name }, asLocalAdmin(clock));
      return ports.exchange.certificate('local-admin');
    },
  );
  routes.put(
    `${LOCAL}/network`,
    { needs: 'session', body: networkWithCertificate, answer: networkAccessState },
    ({ body: { given, ...wanted } }) => ports.network.open(wanted, given, asLocalAdmin(clock)),
  );
  const metrics = `${LOCAL}/metrics`;
  const state = async () => ({ enabled: await metricsEnabled(ports) });
  routes.get(metrics, { needs: 'session', answer: metricsState }, state);
  routes.post(metrics, { needs: 'session', answer: metricsToken }, async () => ({
    token: await enableMetrics(ports, asLocalAdmin(clock)),
  }));
  routes.delete(metrics, { needs: 'session', answer: metricsState }, async () => {
    await disableMetrics(ports, asLocalAdmin(clock));
    return state();
  });
  routes.post(
    `${LOCAL}/folders`,
    { needs: 'session', body: folderOffer, answer: offeredFolder },
    async ({ body: { session, path } }) => ({
      grantId: await ports.folderGrants.offer(session, path),
    }),
  );
  routes.post(
    `${LOCAL}/erasures/replay`,
    { needs: 'session', body: signedReceipt, answer: replayed },
    async ({ body: signed }) => {
      const { company } = signed.receipt;
      if (!(await ports.erasureService.isOurs(signed))) throw new CodedError(problem('RECEIPT_FOREIGN'));
      if ((await ports.companies.find(company)) === undefined)
        throw new CodedError(problem('COMPANY_ID_UNKNOWN', { company }));
      return { id: await ports.erasureService.again(signed.receipt, asLocalAdmin(clock)) };
    },
  );
}

/** The pipelines that are installed, and those of every company. */
function pipelineRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const routes = routesOf(app);
  const { companies, pipelineService } = ports;
  routes.get(`${LOCAL}/pipelines`, { needs: 'session', answer: pipelineList }, async () => {
    const { pipelines, refused } = await pipelineService.selectable();
    return {
      pipelines: pipelines.map(({ calibration: _calibration, strict: _strict, ...facts }) => facts),
      refused: refused.map(({ name, reason }) => ({ name, reason: sentenceOf(reason) })),
    };
  });
  const querystring = z.object({ company: newCompany.shape.name.optional() });
  routes.get(
    `${LOCAL}/pipelines/companies`,
    { needs: 'session', query: querystring, answer: z.array(companyPipeline) },
    async ({ query: { company } }) => {
      const chosen =
        company === undefined ? await companies.list() : [await companyNamed(companies, company)];
      return Promise.all(
        chosen.map(async ({ id, name }) => pipelineBody(name, await pipelineService.of(id))),
      );
    },
  );
}

function pipelineBody(
  company: string,
  { serving, servingName, migration, stored, measured }: CompanyPipelines,
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
