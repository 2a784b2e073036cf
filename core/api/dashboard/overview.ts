import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { overview, overviewQuery, type Overview } from '../../contracts/dashboard/overview.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { DashboardQueries } from '../../domain/ports/dashboard.ts';
import type { Companies, Installation } from '../../domain/ports/companies.ts';
import type { ImageFiles } from '../../domain/ports/images.ts';
import type { VisionPort } from '../../domain/ports/recognition.ts';
import type { SignatureComparisons } from '../../domain/ports/signatures.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { whyBlocked } from './work.ts';

interface OverviewPorts {
  views: DashboardQueries;
  comparisons: SignatureComparisons;
  companies: Companies;
  images: ImageFiles;
  site: Installation;
  vision: Pick<VisionPort, 'workers'>;
  /** Images that are being looked at right now. */
  inProgress: () => number;
}

/** The first page. It is asked for by itself whenever something changes, so it keeps no session alive. */
export function overviewRoutes(app: FastifyInstance, ports: OverviewPorts): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    `${DASHBOARD}/overview`,
    {
      config: requirePermission('session', { background: true }),
      schema: { hide: true, querystring: overviewQuery, response: { 200: overview } },
    },
    async (request): Promise<Overview> => {
      const { companyId } = operatorOf(request);
      const since = new Date(request.query.since);
      const [counts, signatures, health] = await Promise.all([
        ports.views.overview(companyId, since),
        ports.comparisons.count(companyId, { from: since }),
        healthOf(ports, companyId),
      ]);
      const { review, runningUploads, waitingImages, failedUploads, failedImages, draftFlows, ...today } =
        counts;
      return {
        since: since.toISOString(),
        waiting: { review, runningUploads, waitingImages, failedUploads, failedImages, draftFlows },
        today: { ...today, signatures },
        health,
      };
    },
  );
}

async function healthOf(ports: OverviewPorts, id: CompanyId): Promise<Overview['health']> {
  const company = await ports.companies.find(id);
  if (company === undefined) throw new Error(`Company ${id} of an operator is gone.`);
  const { paused, minFreeBytes } = await ports.site.settings();
  return {
    paused,
    blocked: whyBlocked(company),
    inProgress: ports.inProgress(),
    workers: ports.vision.workers,
    freeBytes: company.storageFolder === null ? null : await ports.images.freeBytes(id),
    minFreeBytes,
  };
}
