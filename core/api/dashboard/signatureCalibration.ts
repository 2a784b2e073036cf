import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  addedSignature,
  appliedSignatureCalibration as appliedShape,
  labelledSignatureQuery,
  signatureCalibrationProgress,
  signatureCalibrationRun,
} from '../../contracts/signatureCalibration.ts';
import { SIGNATURE_LIMITS } from '../../contracts/signatures.ts';
import { appliedSignatureCalibration } from '../../domain/signatures/calibrationRuns.ts';
import { imageBodyOf, imageOfAtMost, takeImage, imageOf } from '../http/sentImage.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

const PATH = `${DASHBOARD}/signature-calibration`;

/** The signature scale of the operator's company, and its measurement on labelled signatures. */
export async function signatureCalibrationRoutes(
  app: FastifyInstance,
  ports: DashboardRoutePorts,
): Promise<void> {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const config = requirePermission('settings:write');
  const response = { 200: appliedShape };
  const { signatureCalibrationRuns: runs, clock } = ports;
  routes.get(
    PATH,
    { config: requirePermission('signatures:read'), schema: { hide: true, response } },
    (request) => appliedSignatureCalibration(ports, operatorOf(request).companyId),
  );
  routes.delete(PATH, { config, schema: { hide: true, response } }, async (request) => {
    const { companyId, actor } = operatorOf(request);
    await ports.signatureCalibrations.reset(companyId, { by: actor, at: clock.now() });
    return appliedSignatureCalibration(ports, companyId);
  });
  routes.post(
    `${PATH}/runs`,
    { config, schema: { hide: true, response: { 200: signatureCalibrationRun } } },
    (request) => ({ run: runs.begin(operatorOf(request).companyId) }),
  );
  const params = signatureCalibrationRun;
  routes.get(
    `${PATH}/runs/:run`,
    { config, schema: { hide: true, params, response: { 200: signatureCalibrationProgress } } },
    (request) => runs.progress(operatorOf(request).companyId, request.params.run),
  );
  routes.post(
    `${PATH}/runs/:run/apply`,
    { config, schema: { hide: true, params, response } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      await runs.apply(companyId, request.params.run, { by: actor, at: clock.now() });
      return appliedSignatureCalibration(ports, companyId);
    },
  );
  await app.register((scope, _options, done) => {
    takeImage(scope);
    scope.withTypeProvider<ZodTypeProvider>().post(
      `${PATH}/runs/:run/signatures`,
      {
        config,
        schema: {
          hide: true,
          params,
          querystring: labelledSignatureQuery,
          response: { 200: addedSignature },
        },
        ...imageOfAtMost(SIGNATURE_LIMITS.bytes),
      },
      (request) => {
        const image = imageOf(imageBodyOf(request), SIGNATURE_LIMITS.bytes);
        return runs.add(operatorOf(request).companyId, request.params.run, { ...request.query, image });
      },
    );
    done();
  });
}
