import type { FastifyInstance } from 'fastify';
import {
  addedSignature,
  appliedSignatureCalibration as appliedShape,
  labelledSignatureQuery,
  signatureCalibrationProgress,
  signatureCalibrationRun,
} from '../../contracts/signatureCalibration.ts';
import { SIGNATURE_LIMITS } from '../../contracts/signatures.ts';
import { appliedSignatureCalibration } from '../../domain/signatures/calibrationRuns.ts';
import { imageBodyOf, imageOf } from '../http/sentImage.ts';
import { routesOf } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

const PATH = '/signature-calibration';

/** The signature scale of the operator's company, and its measurement on labelled signatures. */
export function signatureCalibrationRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const routes = routesOf(app);
  const { signatureCalibrationRuns: runs, clock } = ports;
  routes.get(PATH, { needs: 'signatures:read', answer: appliedShape }, ({ operator: { companyId } }) =>
    appliedSignatureCalibration(ports, companyId),
  );
  routes.delete(
    PATH,
    { needs: 'settings:write', answer: appliedShape },
    async ({ operator: { companyId, actor } }) => {
      await ports.signatureCalibrations.reset(companyId, { by: actor, at: clock.now() });
      return appliedSignatureCalibration(ports, companyId);
    },
  );
  routes.post(
    `${PATH}/runs`,
    { needs: 'settings:write', answer: signatureCalibrationRun },
    ({ operator: { companyId } }) => ({ run: runs.begin(companyId) }),
  );
  const params = signatureCalibrationRun;
  routes.get(
    `${PATH}/runs/:run`,
    { needs: 'settings:write', params, answer: signatureCalibrationProgress },
    ({ operator: { companyId }, params: { run } }) => runs.progress(companyId, run),
  );
  routes.post(
    `${PATH}/runs/:run/apply`,
    { needs: 'settings:write', params, answer: appliedShape },
    async ({ operator: { companyId, actor }, params: { run } }) => {
      await runs.apply(companyId, run, { by: actor, at: clock.now() });
      return appliedSignatureCalibration(ports, companyId);
    },
  );
  routesOf(app).post(
    `${PATH}/runs/:run/signatures`,
    {
      needs: 'settings:write',
      params,
      query: labelledSignatureQuery,
      answer: addedSignature,
      image: SIGNATURE_LIMITS.bytes,
    },
    ({ operator: { companyId }, params: { run }, query, request }) => {
      const image = imageOf(imageBodyOf(request), SIGNATURE_LIMITS.bytes);
      return runs.add(companyId, run, { ...query, image });
    },
  );
}
