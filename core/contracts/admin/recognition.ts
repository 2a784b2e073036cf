/** The administrator's commands for search, recognition pipelines and calibration. */
import { z } from 'zod';
import {
  addedPhoto,
  appliedCalibration,
  calibrationPhoto,
  calibrationReport,
  calibrationRun,
  thresholdChoice,
} from '../calibration.ts';
import { SCORE_BANDS } from '../codes.ts';
import { searchedWatchlist } from '../dashboard/search.ts';
import {
  addedSignature,
  appliedSignatureCalibration,
  labelledSignature,
  signatureCalibrationProgress,
  signatureCalibrationRun,
} from '../signatureCalibration.ts';
import { companyPipeline, pipelineList, pipelineName, refusedFace } from '../pipelines.ts';
import { companyName, none, type AdminCommandShapes } from './shapes.ts';

const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const candidate = z.object({
  faceId: z.number().int(),
  name: z.string(),
  watchlist: z.enum(['duplicate', 'blacklist']),
  /** null: of duplicate detection. */
  blacklistName: z.string().nullable(),
  trustValidationId: z.number().int().nullable(),
  distance: z.number(),
  similarityScore: z.number(),
  band: z.enum(SCORE_BANDS),
  enrolledAt: z.iso.datetime(),
});

export const RECOGNITION_COMMANDS = {
  'calibration.begin': { input: z.object({ company: companyName }), output: calibrationRun },
  'calibration.add': {
    input: calibrationPhoto.extend({ company: companyName, run: z.string() }),
    output: addedPhoto,
  },
  'calibration.report': {
    input: z.object({ company: companyName, run: z.string() }),
    output: calibrationReport,
  },
  'calibration.apply': {
    input: z.object({ company: companyName, run: z.string() }),
    output: appliedCalibration,
  },
  'calibration.show': { input: z.object({ company: companyName }), output: appliedCalibration },
  'calibration.profile': {
    input: thresholdChoice.extend({ company: companyName }),
    output: appliedCalibration,
  },
  'calibration.reset': { input: z.object({ company: companyName }), output: appliedCalibration },
  'signature-calibration.begin': {
    input: z.object({ company: companyName }),
    output: signatureCalibrationRun,
  },
  'signature-calibration.add': {
    input: labelledSignature.extend({
      company: companyName,
      run: z.string(),
      forgery: z.boolean(),
      image: z.base64().describe('JPEG or PNG'),
    }),
    output: addedSignature,
  },
  'signature-calibration.progress': {
    input: z.object({ company: companyName, run: z.string() }),
    output: signatureCalibrationProgress,
  },
  'signature-calibration.apply': {
    input: z.object({ company: companyName, run: z.string() }),
    output: appliedSignatureCalibration,
  },
  'signature-calibration.show': {
    input: z.object({ company: companyName }),
    output: appliedSignatureCalibration,
  },
  'signature-calibration.reset': {
    input: z.object({ company: companyName }),
    output: appliedSignatureCalibration,
  },
  'pipeline.list': { input: none, output: pipelineList },
  'pipeline.status': {
    input: z.object({ company: companyName.optional() }),
    output: z.array(companyPipeline),
  },
  'pipeline.use': {
    input: z.object({ name: pipelineName, company: companyName.optional().describe('default: all') }),
    output: z.array(companyPipeline),
  },
  'pipeline.pause': { input: z.object({ company: companyName }), output: companyPipeline },
  'pipeline.resume': { input: z.object({ company: companyName }), output: companyPipeline },
  'pipeline.retry': { input: z.object({ company: companyName }), output: companyPipeline },
  'pipeline.cancel': { input: z.object({ company: companyName }), output: companyPipeline },
  'pipeline.skip-failed': { input: z.object({ company: companyName }), output: companyPipeline },
  'pipeline.failures': {
    input: z.object({
      company: companyName,
      after: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(1000).default(1000),
    }),
    output: z.array(refusedFace),
  },
  'pipeline.purge': {
    input: z.object({ company: companyName, pipeline: z.string().min(1).max(200) }),
    output: z.object({ templates: z.number().int() }),
  },
  search: {
    input: z.object({
      company: companyName,
      image: z.base64().describe('JPEG or PNG'),
      limit: z.number().int().min(1).max(100).default(10),
    }),
    output: z.object({
      refused: z.string().nullable(),
      searchedFaces: z.number().int(),
      watchlists: z.array(searchedWatchlist),
      faces: z.array(z.object({ box, quality: z.number(), candidates: z.array(candidate) })),
    }),
  },
} as const satisfies AdminCommandShapes;
