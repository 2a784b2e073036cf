import { signatureCalibrationApi } from '../../contracts/signatureCalibration.ts';
import type { FastifyInstance } from 'fastify';
import { SIGNATURE_LIMITS } from '../../contracts/signatures.ts';
import { appliedSignatureCalibration } from '../../domain/signatures/calibrationRuns.ts';
import { imageBodyOf, imageOf } from '../http/sentImage.ts';
import { serve } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** The signature scale of the operator's company, and its measurement on labelled signatures. */
export function signatureCalibrationRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { signatureCalibrationRuns: runs } = ports;
  serve(app, signatureCalibrationApi.read, ({ companyId }) => appliedSignatureCalibration(ports, companyId));
  serve(app, signatureCalibrationApi.reset, async ({ companyId, act }) => {
    await ports.signatureCalibrations.reset(companyId, act);
    return appliedSignatureCalibration(ports, companyId);
  });
  serve(app, signatureCalibrationApi.begin, ({ companyId }) => ({ run: runs.begin(companyId) }));
  serve(app, signatureCalibrationApi.report, ({ companyId, params: { run } }) =>
    runs.progress(companyId, run),
  );
  serve(app, signatureCalibrationApi.apply, async ({ companyId, act, params: { run } }) => {
    await runs.apply(companyId, run, act);
    return appliedSignatureCalibration(ports, companyId);
  });
  serve(
    app,
    { ...signatureCalibrationApi.addSignature, image: SIGNATURE_LIMITS.bytes },
    ({ companyId, params: { run }, query, request }) => {
      const image = imageOf(imageBodyOf(request), SIGNATURE_LIMITS.bytes);
      return runs.add(companyId, run, { ...query, image });
    },
  );
}
