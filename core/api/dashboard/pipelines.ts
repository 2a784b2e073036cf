import {
  pipelineApi,
  type PipelineChange,
  type PipelineState,
  type PipelineStep,
} from '../../contracts/pipelines.ts';
import type { FastifyInstance } from 'fastify';
import { trusted, type CompanyId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { PipelineService } from '../../domain/pipelines/pipelineService.ts';
import type { PipelineFacts } from '../../domain/ports/pipelines.ts';
import type { MigrationProgress } from '../../domain/pipelines/templateMigration.ts';
import { serve } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import { cursorAfter } from '../http/paging.ts';
import { pictureUrl } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';

const PAGE = 100;

/** The pipelines of the operator's own company, and the change from one to another. */
export function pipelineRoutes(app: FastifyInstance, { pipelineService }: DashboardRoutePorts): void {
  serve(app, pipelineApi.state, ({ companyId }) => stateOf(pipelineService, companyId));
  serve(app, pipelineApi.refused, async ({ operator, query: { cursor = trusted.face(0), limit = PAGE } }) => {
    const faces = await pipelineService.refused(operator.companyId, { after: cursor, limit });
    return {
      items: faces.map(({ faceId, name, watchlist, code }) => ({
        faceId,
        name,
        blacklistId: watchlist.kind === 'blacklist' ? watchlist.blacklistId : null,
        code,
        thumbnailUrl: pictureUrl(operator, faceId, 'thumbnail'),
      })),
      nextCursor: cursorAfter(faces, limit, (last) => String(last.faceId)),
    };
  });
  serve(app, pipelineApi.use, async ({ companyId, act, body: { name } }) => {
    await pipelineService.use(companyId, name, act);
    return stateOf(pipelineService, companyId);
  });
  serve(app, pipelineApi.change, async ({ companyId, act, body: { step } }) => {
    const done = await STEPS[step](pipelineService, companyId, act);
    if (!done) throw new ApiError('NO_PIPELINE_CHANGE');
    return stateOf(pipelineService, companyId);
  });
}

/** The call of each step; false when no change is in progress. */
const STEPS: Record<
  PipelineStep,
  (pipelineService: PipelineService, company: CompanyId, act: AuditContext) => Promise<boolean>
> = {
  pause: (pipelineService, company, act) => pipelineService.pause(company, act),
  resume: (pipelineService, company, act) => pipelineService.resume(company, act),
  retry: (pipelineService, company, act) => pipelineService.retry(company, act),
  leave: (pipelineService, company, act) => pipelineService.leaveRefused(company, act),
  cancel: (pipelineService, company, act) => pipelineService.cancel(company, act),
};

async function stateOf(pipelineService: PipelineService, company: CompanyId): Promise<PipelineState> {
  const [{ pipelines, refused }, { serving, servingName, migration, stored, measured }] = await Promise.all([
    pipelineService.installed(),
    pipelineService.of(company),
  ]);
  const templates = new Map(stored.map((each) => [each.pipeline, each.templates]));
  return {
    serving,
    servingName,
    pipelines: pipelines
      .filter(({ id, retired }) => !retired || id === serving || templates.has(id))
      .map(({ calibration: _calibration, strict: _strict, ...facts }) => ({
        ...facts,
        templates: templates.get(facts.id) ?? 0,
      })),
    refusedPacks: refused,
    measured,
    change: migration === null ? null : changeBody(migration, pipelines),
  };
}

function changeBody(progress: MigrationProgress, pipelines: readonly PipelineFacts[]): PipelineChange {
  const { migration, stage, total, extracted, refused, rate, secondsLeft } = progress;
  return {
    target: migration.target,
    targetName: pipelines.find(({ id }) => id === migration.target)?.name ?? null,
    startedAt: migration.startedAt.toISOString(),
    stage,
    faces: total,
    extracted,
    refused,
    facesPerSecond: rate,
    secondsLeft,
  };
}
