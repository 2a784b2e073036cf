import { DASHBOARD } from '../../contracts/dashboard/operation.ts';
import type { FastifyInstance } from 'fastify';
import type { DashboardRoutePorts } from '../ports.ts';
import { Readable } from 'node:stream';
import { ApiError } from '../http/errors.ts';
import type { ChangeFeed } from '../../storage/engine/changes.ts';
import { errorOf } from '../../contracts/errors/problem.ts';

type AddRoutes = (app: FastifyInstance, ports: DashboardRoutePorts) => void | Promise<void>;

/** The routes by the first words of their paths: a command without a running service loads those of its own path alone. */
const ROUTES: readonly (readonly [words: string, load: () => Promise<AddRoutes>])[] = [
  ['audit', async () => (await import('./access/audit.ts')).auditRoutes],
  ['audit', async () => (await import('./useReport.ts')).useReportRoutes],
  ['exports', async () => (await import('./access/export.ts')).exportRoutes],
  ['operators', async () => (await import('./access/operator.ts')).operatorRoutes],
  ['credentials', async () => (await import('./access/credential.ts')).credentialRoutes],
  ['clients', async () => (await import('./access/index.ts')).clientRoutes],
  ['faces pictures', async () => (await import('./images.ts')).imageRoutes],
  ['faces pictures', async () => (await import('./portrait.ts')).portraitRoutes],
  ['find', async () => (await import('./palette.ts')).findRoutes],
  ['validations', async () => (await import('./validations.ts')).validationRoutes],
  ['validations blacklists', async () => (await import('./listExports.ts')).listExportRoutes],
  ['blacklists', async () => (await import('./blacklists.ts')).blacklistRoutes],
  ['flows', async () => (await import('./flows.ts')).flowRoutes],
  ['overview hits', async () => (await import('./overview.ts')).overviewRoutes],
  ['demo', async () => (await import('./work.ts')).demoRoutes],
  ['events', async () => (await import('./events.ts')).eventRoutes],
  ['system', async () => (await import('./system.ts')).systemRoutes],
  ['settings company', async () => (await import('./settings.ts')).settingsRoutes],
  ['system', async () => (await import('./system.ts')).networkRoutes],
  ['backup', async () => (await import('./system.ts')).backupRoutes],
  ['pipelines', async () => (await import('./pipelines.ts')).pipelineRoutes],
  ['duplicates', async () => (await import('./duplicateRuns.ts')).duplicateRunRoutes],
  ['duplicates', async () => (await import('./duplicateGroups.ts')).duplicateGroupRoutes],
  ['duplicates', async () => (await import('./duplicateGroups.ts')).duplicateGroupReportRoutes],
  ['duplicates', async () => (await import('./duplicateRuns.ts')).duplicateSampleRoutes],
  ['persons', async () => (await import('./persons.ts')).personRoutes],
  ['persons', async () => (await import('./persons.ts')).personSpecimenRoutes],
  ['erasures retention', async () => (await import('./erasure.ts')).erasureRoutes],
  ['folders watched-folders', async () => (await import('./folders.ts')).folderRoutes],
  ['calibration', async () => (await import('./calibration.ts')).calibrationRoutes],
  ['blacklists installations', async () => (await import('./blacklistTransfer.ts')).blacklistTransferRoutes],
  ['queue uploads blacklists', async () => (await import('./work.ts')).workRoutes],
  ['runs failures', async () => (await import('./enrolmentRuns.ts')).enrolmentRunRoutes],
  ['search', async () => (await import('./search.ts')).searchRoutes],
  ['search', async () => (await import('./searchAdditions.ts')).additionRoutes],
  ['signatures', async () => (await import('./signatures.ts')).signatureRoutes],
  ['signatures', async () => (await import('./signatures.ts')).knownSignatureRoutes],
  ['signature-calibration', async () => (await import('./calibration.ts')).signatureCalibrationRoutes],
  ['face-comparisons', async () => (await import('./faceComparisons.ts')).faceComparisonRoutes],
  ['examinations', async () => (await import('./examinations.ts')).examinationRoutes],
  ['case-folders', async () => (await import('./caseFolders.ts')).caseFolderRoutes],
  ['case-folders', async () => (await import('./sealedCaseFolders.ts')).sealedCaseFolderRoutes],
  ['verifications', async () => (await import('./verifications.ts')).verificationRoutes],
  ['camera', async () => (await import('./verifications.ts')).cameraRoutes],
];

/** The parts of the routes: a first word of their paths each. `local`: those of the local administrator alone; null: all. */
const PARTS = new Set(['local', ...ROUTES.flatMap(([words]) => words.split(' '))]);

/** @returns the part that has the routes of a path; null: no part, or no part alone, has them */
export function partOf(path: string): string | null {
  const [, word = '', rest] = path.slice(DASHBOARD.length).split(/[/?]/);
  return PARTS.has(word) && !(word === 'local' && rest === 'operations') ? word : null;
}

/**
 * The routes that the pages of the dashboard ask. What sets the operator of a request is registered before.
 * @param part as {@link partOf} has it
 */
export async function dashboardRoutes(
  app: FastifyInstance,
  ports: DashboardRoutePorts,
  part: string | null = null,
): Promise<void> {
  endWithdrawnDownloads(app, ports.changes);
  const chosen = ROUTES.filter(([words]) => part === null || words.split(' ').includes(part));
  for (const add of await Promise.all(chosen.map(([, load]) => load()))) await add(app, ports);
}

/**
 * Cuts off a download when the session of its operator is ended, or the operator loses the permission. A file that took time to make
 * is refused before its first byte. A session that only expires in the meantime keeps its download.
 */
function endWithdrawnDownloads(app: FastifyInstance, changes: ChangeFeed): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.routeOptions.url?.startsWith(`${DASHBOARD}/`) !== true) return payload;
    const { operator, isWithdrawn } = request;
    const isStream = payload instanceof Readable;
    const isExport = isStream || request.routeOptions.config.operator?.needs === 'exports:create';
    if (operator === null || isWithdrawn === null || !isExport || reply.statusCode >= 400) return payload;
    const check = async () => {
      if (await isWithdrawn()) throw new ApiError('UNAUTHENTICATED');
    };
    if (isStream) {
      const unsubscribe = changes.subscribe(operator.companyId, (topics) => {
        if (topics.has('access')) check().catch((cause: unknown) => payload.destroy(errorOf(cause)));
      });
      payload.once('close', unsubscribe);
    }
    try {
      await check();
    } catch (cause) {
      if (isStream) payload.destroy();
      throw cause;
    }
    return payload;
  });
}
