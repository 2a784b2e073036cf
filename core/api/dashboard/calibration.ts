import { calibrationApi } from '../../contracts/calibration.ts';
import type { FastifyInstance } from 'fastify';
import { imageBodyOf, imageOf } from '../http/sentImage.ts';
import { serve } from './access/guard.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { beginReport, sendPdf } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { signatureCalibrationApi } from '../../contracts/signatureCalibration.ts';
import { SIGNATURE_LIMITS } from '../../contracts/signatures.ts';
import { siteRates } from '../../domain/duplicates/siteRates.ts';
import { appliedSignatureCalibration } from '../../domain/signatures/calibrationRuns.ts';

/** The largest image size that a company may set, bytes. */
const MAX_BYTES = 50 * 1024 * 1024;

/** The thresholds of the operator's company, and their measurement on labelled photos. */
export function calibrationRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { companies, pipelineService, calibrationRuns: runs } = ports;
  serve(app, calibrationApi.read, ({ companyId }) => pipelineService.calibrationOf(companyId));
  serve(app, calibrationApi.siteRates, ({ companyId }) => siteRates(ports, companyId));
  serve(app, calibrationApi.siteReport, async ({ operator, companyId, query: { language }, reply }) => {
    const rates = await siteRates(ports, companyId);
    const exported = { kind: 'siteRatesReport', object: null, rows: rates.rows.length } as const;
    const groups = (await pipelineService.calibrationOf(companyId)).measured?.groups ?? null;
    const read = () => Promise.resolve({ exported, shown: rates });
    const { frame, shown } = await beginReport(ports, operator, language, read);
    return sendPdf(reply, await ports.reports.siteRates({ ...frame, rates: shown, groups }));
  });
  serve(app, calibrationApi.chooseThresholds, ({ companyId, act, body: { thresholds } }) =>
    pipelineService.chooseThresholds(companyId, thresholds, act),
  );
  serve(app, calibrationApi.reset, ({ companyId, act }) => pipelineService.uncalibrate(companyId, act));
  // A measurement: begun, given one photo at a time, read, and applied. It lives in memory; no photo is kept.
  serve(app, calibrationApi.begin, ({ companyId, body: { groups } }) => ({
    run: runs.begin(companyId, groups),
  }));
  serve(app, calibrationApi.report, async ({ companyId, params: { run } }) => ({
    run,
    ...(await runs.report(companyId, run)),
  }));
  serve(app, calibrationApi.apply, async ({ companyId, act, params: { run } }) => {
    await runs.apply(companyId, run, act);
    return pipelineService.calibrationOf(companyId);
  });
  serve(
    app,
    { ...calibrationApi.addPhoto, image: MAX_BYTES },
    async ({ operator, params: { run }, query, request }) => {
      const company = await callingCompany(companies, operator);
      const image = imageOf(imageBodyOf(request), company.settings.maxImageBytes);
      return runs.add(company, run, { ...query, image });
    },
  );
}

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
