import { overviewApi, type Overview } from '../../contracts/dashboard/overview.ts';
import type { FastifyInstance } from 'fastify';
import type { CompanyId } from '../../contracts/ids.ts';
import { lastUnerased } from '../../domain/erasure/plausibility.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { serve } from './access/guard.ts';
import { pictureUrl } from './scoreInterpretation.ts';
import { whyBlocked } from './work.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** So many hits fill the place that a screen has for them. */
const HITS = 8;

/** The first page. It is asked for by itself whenever something changes, so it keeps no session alive. */
export function overviewRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { views } = ports;
  // Hits that are new to an open page. The page asks by itself after each change, so this keeps no session alive.
  serve(app, overviewApi.newHits, ({ companyId, query: { after } }) => views.newHits(companyId, after));
  serve(app, overviewApi.read, async ({ operator, query }): Promise<Overview> => {
    const { companyId } = operator;
    const since = new Date(query.since);
    const [counts, signatures, health, hits, backup, firstSteps] = await Promise.all([
      ports.views.overview(companyId, since),
      ports.comparisons.count(companyId, { from: since }),
      healthOf(ports, companyId),
      hitsFor(ports, operator),
      mayRole(operator.role, 'system:read') ? ports.backupService.summary() : null,
      ports.views.firstSteps(companyId),
    ]);
    const { review, runningUploads, waitingImages, failedUploads, failedImages, draftFlows, ...today } =
      counts;
    return {
      since: since.toISOString(),
      waiting: { review, runningUploads, waitingImages, failedUploads, failedImages, draftFlows },
      today: { ...today, signatures },
      health,
      hits,
      backup,
      firstSteps,
    };
  });
  serve(app, overviewApi.activity, async ({ companyId, query: { from, until } }) => {
    const days = await Promise.all(
      from.map(async (start, index) => ({
        from: start,
        ...(await ports.views.countDay(companyId, new Date(start), new Date(from[index + 1] ?? until))),
      })),
    );
    return { days };
  });
}

/** The newest hits, with the pictures that the operator may see. */
async function hitsFor({ views }: DashboardRoutePorts, operator: SignedIn): Promise<Overview['hits']> {
  if (!mayRole(operator.role, 'validations:read')) return [];
  const hits = await views.newestHits(operator.companyId, HITS);
  return hits.map(({ faceId, match, ...hit }) => ({
    ...hit,
    thumbnailUrl: pictureUrl(operator, faceId, 'thumbnail'),
    match: match && { ...match, thumbnailUrl: pictureUrl(operator, match.faceId, 'thumbnail') },
  }));
}

async function healthOf(ports: DashboardRoutePorts, id: CompanyId): Promise<Overview['health']> {
  const company = await callingCompany(ports.companies, { companyId: id });
  const { paused, minFreeBytes } = await ports.installation.settings();
  return {
    paused,
    blocked: whyBlocked(company),
    unerased: (await lastUnerased(ports.audit, id)).count,
    inProgress: ports.inProgress(),
    workers: ports.vision.workers,
    freeBytes: company.storageFolder === null ? null : await ports.images.freeBytes(id),
    minFreeBytes,
    perMinute: ports.process.perMinute(),
    queued: await ports.queue.waiting(),
  };
}
