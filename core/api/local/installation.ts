/** Routes of the local administrator for the whole installation. The dashboard has none of them: it belongs to a company. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
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
import { DASHBOARD, requirePermission } from '../dashboard/access/guard.ts';

const LOCAL = `${DASHBOARD}/local`;
const config = requirePermission('session');

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
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const { installation, clock, process } = ports;
  routes.get(`${LOCAL}/status`, { config, schema: { response: { 200: installationStatus } } }, async () => {
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
  routes.get(`${LOCAL}/health`, { config, schema: { response: { 200: healthReport } } }, () =>
    ports.doctor.report({ fresh: true }),
  );
  routes.get(`${LOCAL}/cluster`, { config, schema: { response: { 200: clusterStatus } } }, async () => ({
    own: ports.nodes?.name ?? null,
    nodes: (await ports.nodes?.list()) ?? [],
  }));
  const response = { 200: limitState.shape.installation };
  const limits = async () => installationLimits(await installation.settings());
  routes.get(`${LOCAL}/settings`, { config, schema: { response } }, limits);
  routes.patch(`${LOCAL}/settings`, { config, schema: { body: limitPatch, response } }, async (request) => {
    await changeInstallationLimits(installation, request.body.change, asLocalAdmin(clock));
    return limits();
  });
}

/** The companies of the installation. */
function companyListRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const { companies, storageFolders } = ports;
  const path = `${LOCAL}/companies`;
  routes.get(path, { config, schema: { response: { 200: localCompanies } } }, async () =>
    (await companies.list()).map(companyBody),
  );
  routes.post(
    path,
    { config, schema: { body: newCompany, response: { 200: localCompany } } },
    async (request) => {
      const { name, storageFolder } = request.body;
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
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const { auditService, companies } = ports;
  const path = `${LOCAL}/audit`;
  const act = () => asLocalAdmin(ports.clock);
  // Of the installation without a company: unlike the log of the dashboard, which adds its entries to those of a sole company.
  const querystring = auditQuery.extend({ company: newCompany.shape.name.optional() });
  routes.get(path, { config, schema: { querystring, response: { 200: auditPage } } }, async (request) => {
    const { company, ...query } = request.query;
    const of = company === undefined ? null : (await companyNamed(companies, company)).id;
    return readAuditPage(ports, of, query);
  });
  routes.post(
    `${path}/verify`,
    { config, schema: { body: auditVerification, response: { 200: auditVerdict } } },
    (request) => auditService.verify(null, act(), request.body.anchors),
  );
  routes.post(`${path}/anchor`, { config, schema: { response: { 200: anchored } } }, async () => ({
    anchor: await auditService.anchor(null, act()),
  }));
  routes.post(`${path}/accept`, { config, schema: { response: { 200: acceptedLog } } }, () =>
    auditService.accept(act()),
  );
  routes.put(
    `${path}/anchor-file`,
    { config, schema: { body: anchorFileChange, response: { 200: externalAnchorFile } } },
    (request) => auditService.useExternalFile(request.body.folder, act()),
  );
}

/** Backups of an installation with any number of companies. */
function backupRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const { installationKeys, backupKeys } = ports;
  // The content key lets the terminal verify what it wrote.
  routes.post(`${LOCAL}/backup`, { config }, async (_request, reply) => {
    const { contentKey, content } = await ports.backUp();
    return reply
      .header(CONTENT_KEY_HEADER, Buffer.from(contentKey).toString('hex'))
      .type('application/octet-stream')
      .send(Readable.from(content, { objectMode: false }));
  });
  const path = `${LOCAL}/backup-key`;
  const response = { 200: backupKeyState };
  const state = async (): Promise<z.infer<typeof backupKeyState>> => {
    const key = await installationKeys.recovery();
    return {
      fingerprint: key === undefined ? null : backupKeys.fingerprintOf(key.publicKey),
      createdAt: key?.createdAt.toISOString() ?? null,
    };
  };
  routes.get(path, { config, schema: { response } }, state);
  routes.put(path, { config, schema: { body: newBackupKey, response } }, async (request) => {
    const { fingerprint } = await state();
    if (fingerprint !== null && !request.body.replace)
      throw new CodedError(problem('BACKUP_KEY_EXISTS', { fingerprint }));
    const publicKey = Buffer.from(request.body.publicKey, 'hex');
    await installationKeys.setRecovery(publicKey, asLocalAdmin(ports.clock));
    return state();
  });
}

/** Name, certificate and metrics of the installation, folders of the desktop window, and the repetition of an erasure. */
function accessRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const { clock, installation } = ports;
  routes.put(
    `${LOCAL}/installation-name`,
    { config, schema: { body: z.object({ name: installationName }), response: { 200: installationView } } },
    async (request) => {
      await installation.update({ installationName: request.body.name }, asLocalAdmin(clock));
      return ports.exchange.certificate('local-admin');
    },
  );
  routes.put(
    `${LOCAL}/network`,
    { config, schema: { body: networkWithCertificate, response: { 200: networkAccessState } } },
    (request) => {
      const { given, ...wanted } = request.body;
      return ports.network.open(wanted, given, asLocalAdmin(clock));
    },
  );
  const metrics = `${LOCAL}/metrics`;
  const response = { 200: metricsState };
  const state = async () => ({ enabled: await metricsEnabled(ports) });
  routes.get(metrics, { config, schema: { response } }, state);
  routes.post(metrics, { config, schema: { response: { 200: metricsToken } } }, async () => ({
    token: await enableMetrics(ports, asLocalAdmin(clock)),
  }));
  routes.delete(metrics, { config, schema: { response } }, async () => {
    await disableMetrics(ports, asLocalAdmin(clock));
    return state();
  });
  routes.post(
    `${LOCAL}/folders`,
    { config, schema: { body: folderOffer, response: { 200: offeredFolder } } },
    async (request) => ({
      grantId: await ports.folderGrants.offer(request.body.session, request.body.path),
    }),
  );
  routes.post(
    `${LOCAL}/erasures/replay`,
    { config, schema: { body: signedReceipt, response: { 200: replayed } } },
    async (request) => {
      const signed = request.body;
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
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const { companies, pipelineService } = ports;
  routes.get(`${LOCAL}/pipelines`, { config, schema: { response: { 200: pipelineList } } }, async () => {
    const { pipelines, refused } = await pipelineService.selectable();
    return {
      pipelines: pipelines.map(({ calibration: _calibration, strict: _strict, ...facts }) => facts),
      refused: refused.map(({ name, reason }) => ({ name, reason: sentenceOf(reason) })),
    };
  });
  const querystring = z.object({ company: newCompany.shape.name.optional() });
  routes.get(
    `${LOCAL}/pipelines/companies`,
    { config, schema: { querystring, response: { 200: z.array(companyPipeline) } } },
    async (request) => {
      const { company } = request.query;
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
