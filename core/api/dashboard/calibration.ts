import type { FastifyInstance } from 'fastify';
import {
  addedPhoto,
  appliedCalibration,
  calibrationReport,
  calibrationRun,
  labelledPhotoQuery,
  thresholdChoice,
} from '../../contracts/calibration.ts';
import { imageBodyOf, imageOf } from '../http/sentImage.ts';
import { routesOf } from './access/guard.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** The largest image size that a company may set, bytes. */
const MAX_BYTES = 50 * 1024 * 1024;
const PATH = '/calibration';

/** The thresholds of the operator's company, and their measurement on labelled photos. */
export function calibrationRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { pipelineService, clock } = ports;
  const routes = routesOf(app);
  routes.get(
    PATH,
    { needs: 'system:read', background: true, answer: appliedCalibration },
    ({ operator: { companyId } }) => pipelineService.calibrationOf(companyId),
  );
  routes.post(
    `${PATH}/thresholds`,
    { needs: 'pipelines:write', body: thresholdChoice, answer: appliedCalibration },
    async ({ operator: { companyId, actor }, body: { thresholds } }) => {
      const act = { by: actor, at: clock.now() };
      return pipelineService.chooseThresholds(companyId, thresholds, act);
    },
  );
  routes.delete(
    PATH,
    { needs: 'pipelines:write', answer: appliedCalibration },
    ({ operator: { companyId, actor } }) =>
      pipelineService.uncalibrate(companyId, { by: actor, at: clock.now() }),
  );
  measuringRoutes(app, ports);
}

/** A measurement: begun, given one photo at a time, read, and applied. It lives in memory; no photo is kept. */
function measuringRoutes(
  app: FastifyInstance,
  { companies, pipelineService, calibrationRuns: runs, clock }: DashboardRoutePorts,
): void {
  const routes = routesOf(app);
  routes.post(
    `${PATH}/runs`,
    { needs: 'pipelines:write', answer: calibrationRun },
    ({ operator: { companyId } }) => ({ run: runs.begin(companyId) }),
  );
  routes.get(
    `${PATH}/runs/:run`,
    { needs: 'pipelines:write', params: calibrationRun, answer: calibrationReport },
    async ({ operator: { companyId }, params: { run } }) => {
      return { run, ...(await runs.report(companyId, run)) };
    },
  );
  routes.post(
    `${PATH}/runs/:run/apply`,
    { needs: 'pipelines:write', params: calibrationRun, answer: appliedCalibration },
    async ({ operator: { companyId, actor }, params: { run } }) => {
      await runs.apply(companyId, run, { by: actor, at: clock.now() });
      return pipelineService.calibrationOf(companyId);
    },
  );
  routesOf(app).post(
    `${PATH}/runs/:run/photos`,
    {
      needs: 'pipelines:write',
      params: calibrationRun,
      query: labelledPhotoQuery,
      answer: addedPhoto,
      image: MAX_BYTES,
    },
    async ({ operator, params: { run }, query, request }) => {
      const company = await callingCompany(companies, operator);
      const image = imageOf(imageBodyOf(request), company.settings.maxImageBytes);
      return runs.add(company, run, { ...query, image });
    },
  );
}
