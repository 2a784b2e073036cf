/** The calibration of the mock API server: the result of sixty drawn people. */
import {
  addedPhoto,
  appliedCalibration,
  calibrationReport,
  calibrationRun,
  siteRates,
  thresholdChoice,
  type MeasuredCalibration,
} from '../../core/contracts/calibration.ts';
import { shareOf } from '../../core/domain/values/share.ts';
import { at } from './fixtures.ts';

type Answer = [status: number, body: unknown];
/** The part of the mock API server that these answers depend on. */
interface Site {
  behaviour: { calibrated: boolean; thresholds: 'default' | 'strict' };
}

/** Among 2,700 faces: rates of 400 persons, 180 of them with further photos. */
const SITE_RATES = {
  pipeline: 'standard-1',
  enrolled: 2_700,
  searches: 400,
  mated: 180,
  byLikeness: 12,
  defaultFmr: 1e-4,
  rows: [1e-3, 1e-4, 1e-5, 1e-6].map((fmr, i) => ({
    fmr,
    flows: i === 1 ? ['Border desk', 'Ferry terminal'] : [],
    fpir: shareOf([372, 94, 11, 1][i]!, 400),
    decidedDifferent: [31, 20, 4, 0][i]!,
    fnir: shareOf([4, 7, 11, 19][i]!, 180),
    fnirByPhotos: [shareOf([4, 6, 9, 15][i]!, 105), shareOf([0, 1, 2, 3][i]!, 50), shareOf(0, 25)],
  })),
};

const FMRS = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
const shippedDistance = (fmr: number) => 0.7 + 0.042 * Math.log10(fmr);
const strictDistance = (fmr: number) => shippedDistance(fmr) - 0.061;
const ownDistance = (fmr: number) => shippedDistance(fmr) - 0.052;
/** The share of mated pairs beyond a threshold, on a curve that falls as such curves do. */
const missed = (fmr: number) => 0.0009 * fmr ** -0.3;

const measured: MeasuredCalibration = {
  matedPairs: 600,
  failureToAcquire: 0.013,
  points: FMRS.map((fmr) => ({
    fmr,
    statement: fmr >= 1e-3 ? 'measured' : fmr >= 1e-4 ? 'estimated' : 'extrapolated',
    distance: ownDistance(fmr),
    interval: { low: ownDistance(fmr) - 0.021, high: ownDistance(fmr) + 0.026 },
    fnmr: missed(fmr),
    fnmrInterval: { low: missed(fmr) * 0.5, high: missed(fmr) * 1.8 },
    shipped: {
      distance: shippedDistance(fmr),
      falseMatches: Math.round(44_250 * fmr * 14),
      fmrAtMost: Math.min(1, fmr * 16 + 3 / 44_250),
      fnmr: missed(fmr) * 0.4,
    },
  })),
  det: Array.from({ length: 40 }, (_, n) => 10 ** (-1 - n / 12))
    .filter((fmr) => fmr * 44_250 >= 3)
    .map((fmr) => ({ fmr, distance: ownDistance(fmr), fnmr: missed(fmr) })),
  groups: {
    rates: [1e-3, 1e-4].map((fmr, i) => ({
      fmr,
      groups: [
        { group: 'Office', people: 28, fmr: shareOf([9, 0][i]!, 9_450), fnmr: shareOf([1, 3][i]!, 280) },
        {
          group: 'Yard, night shift',
          people: 21,
          fmr: shareOf([22, 3][i]!, 5_250),
          fnmr: shareOf([6, 13][i]!, 210),
        },
      ],
      worstFmr: { group: 'Yard, night shift', isClear: true },
      worstFnmr: { group: 'Yard, night shift', isClear: i === 1 },
    })),
    tooSmall: [{ group: 'Visitors', people: 7, matedPairs: 70 }],
    ungrouped: 4,
  },
};

/** A measurement of photos; one of them is not usable. */
function answerMeasurement(route: string): Answer | undefined {
  if (route === 'GET /calibration/site/report') return [200, {}];
  if (route === 'GET /calibration/site') return [200, siteRates.parse(SITE_RATES)];
  if (route === 'POST /calibration/runs') return [200, calibrationRun.parse({ run: 'made-up' })];
  if (route === 'POST /calibration/runs/made-up/photos')
    return [200, addedPhoto.parse({ refused: null, sameAs: null })];
  if (route !== 'GET /calibration/runs/made-up') return undefined;
  const report = {
    run: 'made-up',
    pipeline: `vouch-face/1/${'a'.repeat(12)}`,
    people: 84,
    photos: 420,
    ...measured,
    matedPairs: 840,
    nonMatedPairs: 87_150,
    tooFew: null,
    refused: [{ person: 'anna', file: 'anna/3.jpg', code: 'LOW_SHARPNESS' }],
    unmatched: ['Bertha'],
  };
  return [200, calibrationReport.parse(report)];
}

export function answerCalibration({ behaviour }: Site, route: string, body: Buffer): Answer | undefined {
  const measurement = answerMeasurement(route);
  if (measurement !== undefined) return measurement;
  if (route === 'POST /calibration/runs/made-up/apply') behaviour.calibrated = true;
  else if (route === 'DELETE /calibration') behaviour.calibrated = false;
  else if (route === 'POST /calibration/thresholds')
    behaviour.thresholds = thresholdChoice.parse(JSON.parse(body.toString())).thresholds;
  else if (route !== 'GET /calibration') return undefined;
  const own = behaviour.calibrated;
  return [
    200,
    appliedCalibration.parse({
      pipeline: `vouch-face/1/${'a'.repeat(12)}`,
      thresholds: behaviour.thresholds,
      appliedAt: own ? at(-9_000) : null,
      people: own ? 60 : null,
      photos: own ? 300 : null,
      nonMatedPairs: own ? 44_250 : null,
      points: FMRS.map((fmr) => ({
        fmr,
        distance: own
          ? ownDistance(fmr)
          : behaviour.thresholds === 'strict'
            ? strictDistance(fmr)
            : shippedDistance(fmr),
        shippedDistance: shippedDistance(fmr),
        strictDistance: strictDistance(fmr),
      })),
      defaultFmr: 1e-4,
      measured: own ? measured : null,
      elsewhere: [],
    }),
  ];
}
