/** The signature calibration of the mock API server: the result of forty invented writers. */
import {
  addedSignature,
  appliedSignatureCalibration,
  signatureCalibrationProgress,
  signatureCalibrationRun,
  type EstimatedShare,
  type MeasuredSignatures,
} from '../../core/contracts/signatureCalibration.ts';
import { at } from './fixtures.ts';

const share = (value: number): EstimatedShare => ({
  share: value,
  low: value / 2,
  high: value * 1.7,
});
const point = (score: 40 | 70, similarity: number) => ({
  score,
  similarity,
  low: similarity - 4.2,
  high: similarity + 3.9,
  statement: 'measured' as const,
});

const measured: MeasuredSignatures = {
  writers: 40,
  signatures: 460,
  forgeries: 200,
  pairs: { genuine: 1_800, forgery: 1_640, differentWriters: 3_000 },
  rates: [
    { score: 40, of: 'genuine', shipped: share(0.011), own: share(0.019) },
    { score: 40, of: 'forgery', shipped: share(0.58), own: share(0.44) },
    { score: 40, of: 'differentWriters', shipped: share(0.031), own: share(0.012) },
    { score: 70, of: 'genuine', shipped: share(0.28), own: share(0.31) },
    { score: 70, of: 'forgery', shipped: share(0.14), own: share(0.1) },
    { score: 70, of: 'differentWriters', shipped: share(0.0007), own: share(0.0005) },
  ],
  fixedPoints: [point(40, 48.3), point(70, 73.1)],
  knownSets: {
    modelVersion: 'signature-1',
    rates: ([3, 5] as const).flatMap((known) => [
      { of: 'imitation', known, writers: 31, genuine: share(0.09), other: share(0.4 / known) },
      { of: 'stranger', known, writers: 38, genuine: share(0.02), other: share(0.05 / known) },
    ]),
  },
};

interface Site {
  behaviour: { signaturesCalibrated: boolean };
}

export function answerSignatureCalibration(
  { behaviour }: Site,
  route: string,
): [status: number, body: unknown] | undefined {
  const run = '/signature-calibration/runs/made-up';
  if (route === 'POST /signature-calibration/runs')
    return [200, signatureCalibrationRun.parse({ run: 'made-up' })];
  if (route === `POST ${run}/signatures`) return [200, addedSignature.parse({ sameAs: null })];
  if (route === `GET ${run}`) {
    const unusable = [{ writer: 'anna', file: 'anna/3.png', code: 'BLANK' }];
    const report = { ...measured, unusable, tooFew: null };
    const progress = { run: 'made-up', compared: 6_440, total: 6_440, secondsLeft: 0, report };
    return [200, signatureCalibrationProgress.parse(progress)];
  }
  if (route === `POST ${run}/apply`) behaviour.signaturesCalibrated = true;
  else if (route === 'DELETE /signature-calibration') behaviour.signaturesCalibrated = false;
  else if (route !== 'GET /signature-calibration') return undefined;
  const own = behaviour.signaturesCalibrated;
  return [
    200,
    appliedSignatureCalibration.parse({
      modelVersion: 'signatures-19',
      appliedAt: own ? at(-9_000) : null,
      measured: own ? measured : null,
      elsewhere: [],
    }),
  ];
}
