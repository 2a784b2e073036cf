import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  addedPhoto,
  appliedCalibration,
  calibrationReport,
  calibrationRun,
  labelledPhotoQuery,
  thresholdChoice,
} from '../../contracts/calibration.ts';
import { imageBodyOf, imageOfAtMost, takeImage, imageOf } from '../http/sentImage.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** The largest image size that a company may set, bytes. */
const MAX_BYTES = 50 * 1024 * 1024;
const PATH = `${DASHBOARD}/calibration`;

/** The thresholds of the operator's company, and their measurement on labelled photos. */
export async function calibrationRoutes(app: FastifyInstance, ports: DashboardRoutePorts): Promise<void> {
  const { pipelineService, clock } = ports;
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const changing = requirePermission('pipelines:write');
  const response = { 200: appliedCalibration };
  routes.get(
    PATH,
    { config: requirePermission('system:read', { background: true }), schema: { hide: true, response } },
    (request) => pipelineService.calibrationOf(operatorOf(request).companyId),
  );
  routes.post(
    `${PATH}/thresholds`,
    { config: changing, schema: { hide: true, body: thresholdChoice, response } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const act = { by: actor, at: clock.now() };
      return pipelineService.chooseThresholds(companyId, request.body.thresholds, act);
    },
  );
  routes.delete(PATH, { config: changing, schema: { hide: true, response } }, (request) => {
    const { companyId, actor } = operatorOf(request);
    return pipelineService.uncalibrate(companyId, { by: actor, at: clock.now() });
  });
  await measuringRoutes(app, ports);
}

/** A measurement: begun, given one photo at a time, read, and applied. It lives in memory; no photo is kept. */
async function measuringRoutes(
  app: FastifyInstance,
  { companies, pipelineService, calibrationRuns: runs, clock }: DashboardRoutePorts,
): Promise<void> {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const config = requirePermission('pipelines:write');
  routes.post(
    `${PATH}/runs`,
    { config, schema: { hide: true, response: { 200: calibrationRun } } },
    (request) => ({ run: runs.begin(operatorOf(request).companyId) }),
  );
  routes.get(
    `${PATH}/runs/:run`,
    { config, schema: { hide: true, params: calibrationRun, response: { 200: calibrationReport } } },
    async (request) => {
      const { run } = request.params;
      return { run, ...(await runs.report(operatorOf(request).companyId, run)) };
    },
  );
  routes.post(
    `${PATH}/runs/:run/apply`,
    { config, schema: { hide: true, params: calibrationRun, response: { 200: appliedCalibration } } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      await runs.apply(companyId, request.params.run, { by: actor, at: clock.now() });
      return pipelineService.calibrationOf(companyId);
    },
  );
  await app.register((scope, _options, done) => {
    takeImage(scope);
    scope.withTypeProvider<ZodTypeProvider>().post(
      `${PATH}/runs/:run/photos`,
      {
        config,
        schema: {
          hide: true,
          params: calibrationRun,
          querystring: labelledPhotoQuery,
          response: { 200: addedPhoto },
        },
        ...imageOfAtMost(MAX_BYTES),
      },
      async (request) => {
        const company = await callingCompany(companies, operatorOf(request));
        const image = imageOf(imageBodyOf(request), company.settings.maxImageBytes);
        return runs.add(company, request.params.run, { ...request.query, image });
      },
    );
    done();
  });
}
