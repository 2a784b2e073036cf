/** Calibration on a company's own photos, in the terms of ISO/IEC 19795-1. */
import { z } from 'zod';
import { FAILURE_CODES } from './errors/failures.ts';
import { pipelineId } from './ids.ts';
import { THRESHOLD_PROFILES } from './settings.ts';
import { REPORT_LANGUAGES } from './dashboard/search.ts';
import { get, poll, post, remove } from './dashboard/operation.ts';

const interval = z.object({ low: z.number(), high: z.number() });

/** The measurements of the company's photos at one false-match rate. */
export const operatingPoint = z.object({
  fmr: z.number(),
  /** The certainty that this number of pairs gives to the rate. */
  statement: z.enum(['measured', 'estimated', 'extrapolated']),
  distance: z.number(),
  interval,
  fnmr: z.number(),
  fnmrInterval: interval,
  shipped: z.object({
    distance: z.number(),
    falseMatches: z.number().int(),
    fmrAtMost: z.number(),
    fnmr: z.number(),
  }),
});

/** A point of the detection error trade-off. */
export const detPoint = z.object({ fmr: z.number(), distance: z.number(), fnmr: z.number() });

/** How many of `of` searches or pairs went wrong, with the 95 % interval of the rate. */
const searchShare = z.object({
  errors: z.number().int(),
  of: z.number().int(),
  rate: z.number(),
  low: z.number(),
  high: z.number(),
});
export type SearchShare = z.infer<typeof searchShare>;

/** A group with fewer is listed without rates: their intervals would say nothing. */
export const LEAST_IN_GROUP = { people: 10, matedPairs: 30 } as const;

/** `isClear`: its interval is above the rates of all other groups. Null: no group is above the others. */
const worstGroup = z.object({ group: z.string(), isClear: z.boolean() }).nullable();

/** Error rates by groups of people, at the thresholds that were measured on all people (ISO/IEC 19795-10). */
export const groupRates = z.object({
  /** At the rarest rate that was measured, and at the default of Trust Flows. */
  rates: z.array(
    z.object({
      fmr: z.number(),
      groups: z.array(
        z.object({
          group: z.string(),
          people: z.number().int(),
          /** Of pairs of two people of the group; and of pairs of one person. */
          fmr: searchShare,
          fnmr: searchShare,
        }),
      ),
      worstFmr: worstGroup,
      worstFnmr: worstGroup,
    }),
  ),
  tooSmall: z.array(z.object({ group: z.string(), people: z.number().int(), matedPairs: z.number().int() })),
  /** People without a group. */
  ungrouped: z.number().int(),
});
export type GroupRates = z.infer<typeof groupRates>;

export const calibrationReport = z.object({
  run: z.string(),
  pipeline: z.string(),
  people: z.number().int(),
  photos: z.number().int(),
  matedPairs: z.number().int(),
  nonMatedPairs: z.number().int(),
  /** Share of photos without a usable face. */
  failureToAcquire: z.number(),
  refused: z.array(z.object({ person: z.string(), file: z.string(), code: z.enum(FAILURE_CODES) })),
  /** Why nothing can be recommended; null when something can. */
  tooFew: z.string().nullable(),
  points: z.array(operatingPoint),
  /** By falling FMR, from 0.1 down to where fewer than three pairs decide. */
  det: z.array(detPoint),
  /** Null: no groups were given, or nothing can be recommended. */
  groups: groupRates.nullable(),
  /** People with a group of whom no photo was sent: their names might be misspelt. */
  unmatched: z.array(z.string()),
});

export type CalibrationReport = z.infer<typeof calibrationReport>;

/** The part of a report that is stored when it is applied: rates, nothing of the photos. */
export const measuredCalibration = calibrationReport.pick({
  matedPairs: true,
  failureToAcquire: true,
  points: true,
  det: true,
  groups: true,
});
export type MeasuredCalibration = z.infer<typeof measuredCalibration>;

/** The thresholds and rates of a company; null: those that the pipeline ships with. */
export const appliedCalibration = z.object({
  pipeline: z.string(),
  /** Which of the pipeline's tables was chosen; it counts where no photos of the company's own do. */
  thresholds: z.enum(THRESHOLD_PROFILES),
  appliedAt: z.iso.datetime().nullable(),
  people: z.number().int().nullable(),
  photos: z.number().int().nullable(),
  nonMatedPairs: z.number().int().nullable(),
  points: z.array(
    z.object({
      fmr: z.number(),
      distance: z.number(),
      shippedDistance: z.number(),
      /** Null: the pipeline has no strict table. */
      strictDistance: z.number().nullable(),
    }),
  ),
  /** The false-match rate of one comparison that flows use unless they say another. */
  defaultFmr: z.number(),
  /** The measurements of the photos; null with the shipped values, and where they were not stored. */
  measured: measuredCalibration.nullable(),
  /** Other pipelines that the company's own photos were measured with: what was found does not count for this one. */
  elsewhere: z.array(z.string()),
});
export const thresholdChoice = z.object({ thresholds: z.enum(THRESHOLD_PROFILES) });
export type AppliedCalibration = z.infer<typeof appliedCalibration>;

/** Error rates of searches in the gallery as it stands, by its own persons and decisions. */
export const siteRates = z.object({
  pipeline: pipelineId,
  /** Enrolled faces that can be matched. */
  enrolled: z.number().int(),
  /** Searches for false positives, each with a photo of another person. */
  searches: z.number().int(),
  /** Searches for persons with further photos: random ones of these, whom the former may not contain. */
  mated: z.number().int(),
  /** Those of `mated` whose photo an operator put together with others because they look alike. FNIR is too low by these. */
  byLikeness: z.number().int(),
  defaultFmr: z.number(),
  rows: z.array(
    z.object({
      /** The false match rate of one comparison that the threshold is for. */
      fmr: z.number(),
      /** The published Trust Flows that compare enrolled faces at this rate. */
      flows: z.array(z.string()),
      /** Searches that found a person who is not the searched one. */
      fpir: searchShare,
      /** Those of them that a decision of two different persons confirms; others may be persons who are enrolled twice. */
      decidedDifferent: z.number().int(),
      /** Searches that missed the searched person. */
      fnir: searchShare,
      /** By the number of the person's other photos: 1, 2, 3 or more. */
      fnirByPhotos: z.array(searchShare),
    }),
  ),
});
export type SiteRates = z.infer<typeof siteRates>;

/** `POST /calibration/runs`: the group of each person, for rates by group. */
export const calibrationBegin = z.object({
  groups: z.record(z.string().max(200), z.string().trim().min(1).max(100)).default({}),
});

/** A measurement in progress, by its id. */
export const calibrationRun = z.object({ run: z.string().min(1).max(100) });

/** Whose photo it is, and the file that the report names. */
export const labelledPhotoQuery = z.object({
  person: z.string().trim().min(1).max(200),
  file: z.string().min(1).max(500),
});

/** The reason why a photo does not count; both null: it counts. */
export const addedPhoto = z.object({
  refused: z.enum(FAILURE_CODES).nullable(),
  /** An earlier photo with the same bytes; under another person one of the labels is wrong. */
  sameAs: z.object({ person: z.string(), file: z.string() }).nullable(),
});
export type AddedPhoto = z.infer<typeof addedPhoto>;

/** The dashboard's operations. */
export const calibrationApi = {
  read: poll('/calibration', 'system:read', { answer: appliedCalibration }),
  siteRates: get('/calibration/site', 'system:read', { answer: siteRates }),
  siteReport: get('/calibration/site/report', 'system:read', {
    query: z.object({ language: z.enum(REPORT_LANGUAGES).default('en') }),
  }),
  chooseThresholds: post('/calibration/thresholds', 'pipelines:write', {
    body: thresholdChoice,
    answer: appliedCalibration,
  }),
  reset: remove('/calibration', 'pipelines:write', { answer: appliedCalibration }),
  begin: post('/calibration/runs', 'pipelines:write', { body: calibrationBegin, answer: calibrationRun }),
  report: get('/calibration/runs/:run', 'pipelines:write', {
    params: calibrationRun,
    answer: calibrationReport,
  }),
  apply: post('/calibration/runs/:run/apply', 'pipelines:write', {
    params: calibrationRun,
    answer: appliedCalibration,
  }),
  addPhoto: post('/calibration/runs/:run/photos', 'pipelines:write', {
    params: calibrationRun,
    query: labelledPhotoQuery,
    answer: addedPhoto,
  }),
};
