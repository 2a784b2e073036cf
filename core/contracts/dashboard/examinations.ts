/** The examination of two faces by a person: the pictures first, then the features, then a conclusion; the score comes last. */
import { z } from 'zod';
import { faceComparisonRow } from '../faceComparisons.ts';
import { pathId } from '../ids.ts';
import { displayLine } from '../displayLine.ts';
import { get, post } from './operation.ts';
import { REPORT_LANGUAGES } from './search.ts';
import { box, point } from './faceImages.ts';

/** The limits of a picture, each judged by one of {@link LIMITS}. */
export const ASPECTS = ['sharpness', 'pose', 'light', 'occlusion'] as const;
export const LIMITS = ['none', 'some', 'severe'] as const;

/**
 * The components of a face in the order of FISWG's feature list (version 2.0, 2018); ASTM E3149 also goes from the top of the
 * face to the bottom. An examination follows this order.
 */
export const COMPONENTS = [
  'skin',
  'outline',
  'composition',
  'hairline',
  'forehead',
  'eyebrows',
  'eyes',
  'cheeks',
  'nose',
  'ears',
  'mouth',
  'chin',
  'neck',
  'facialHair',
  'lines',
  'scars',
  'marks',
  'alterations',
] as const;
export const FINDINGS = ['similar', 'different', 'notComparable'] as const;

/** From one person, over neither, to two people. */
export const CONCLUSIONS = [
  'strongSame',
  'moderateSame',
  'weakSame',
  'neither',
  'weakDifferent',
  'moderateDifferent',
  'strongDifferent',
] as const;
export type Conclusion = (typeof CONCLUSIONS)[number];

/** Notes of an examiner. */
const note = displayLine(1000);
const limit = z.enum(LIMITS);
/** One picture, examined alone. */
export const analysis = z.object({
  limits: z.object({ sharpness: limit, pose: limit, light: limit, occlusion: limit }),
  /** Known facts about the age of the picture. */
  age: displayLine(200),
  /** Features that the picture supports, and those that it does not. */
  supports: note.min(1),
});
/** A component in both pictures. A mark is in pixels of its picture; null: the component has no mark there. */
export const componentFinding = z.object({
  component: z.enum(COMPONENTS),
  finding: z.enum(FINDINGS),
  marks: z.tuple([point.nullable(), point.nullable()]),
  note,
});
export const evaluation = z.object({ conclusion: z.enum(CONCLUSIONS), reasons: note.min(1) });
export type Evaluation = z.infer<typeof evaluation>;

/** The part that an examiner saves: always the step that comes next. */
export const examinationStep = z.discriminatedUnion('step', [
  analysis.extend({ step: z.literal('analysis'), picture: z.union([z.literal(0), z.literal(1)]) }),
  componentFinding.extend({ step: z.literal('comparison') }),
  evaluation.extend({ step: z.literal('evaluation') }),
]);
export type ExaminationStep = z.infer<typeof examinationStep>;

/** The work of one examiner. A saved step does not change. */
const examinerWork = z.object({
  analyses: z.array(analysis).max(2),
  findings: z.array(componentFinding).max(COMPONENTS.length),
  evaluation: evaluation.extend({ at: z.iso.datetime() }).nullable(),
});
export type ExaminerWork = z.infer<typeof examinerWork>;

/** Both examiners reached different conclusions, and one of them stated the common one with the reason. */
const settlement = evaluation.extend({ at: z.iso.datetime() });
const by = z.string();

/** The content of the record, as the store keeps it. */
export const examinationContent = z.object({
  /** Whether the pictures are shown in the reverse order; it was drawn. */
  swapped: z.boolean(),
  /** The first examiner, then the second. */
  works: z.array(examinerWork.extend({ by })).max(2),
  /** The unfinished work of examiners who were replaced, oldest first. */
  replaced: z.array(examinerWork.extend({ by, replacedBy: by, at: z.iso.datetime() })),
  settlement: settlement.extend({ by }).nullable(),
});
export type ExaminationContent = z.infer<typeof examinationContent>;

export const EXAMINATION_STATES = ['examination', 'verification', 'settlement', 'done'] as const;
export type ExaminationState = (typeof EXAMINATION_STATES)[number];

const row = z.object({
  id: z.number().int(),
  beganAt: z.iso.datetime(),
  state: z.enum(EXAMINATION_STATES),
  /** The work that the operator who asks can do now; null: nothing. */
  turn: z.enum(['examine', 'verify', 'settle']).nullable(),
});
export type ExaminationRow = z.infer<typeof row>;

const byName = z.string();
/** The view of the operator who asks. Results, names and the score are absent until that operator has concluded. */
export const examination = row.extend({
  /** In the drawn order. Pixels of the upright picture; `eyes`: the one further left in the picture first. */
  pictures: z.array(z.object({ width: z.number(), height: z.number(), box, eyes: z.tuple([point, point]) })),
  /** The step that the operator saves next; null: none. */
  next: z
    .object({
      step: z.enum(['analysis', 'comparison', 'evaluation']),
      /** Of the picture or the component, from 0. */
      position: z.number().int(),
    })
    .nullable(),
  /** Of the operator, and of both examiners once both have concluded. */
  works: z.array(examinerWork.extend({ byName, own: z.boolean() })),
  settlement: settlement.extend({ byName }).nullable(),
  /** Another examiner has begun and not concluded. */
  isUnfinished: z.boolean(),
  /** Examiners who left before they concluded; empty until both have. */
  replaced: z.array(
    z.object({ byName, replacedByName: z.string(), at: z.iso.datetime(), steps: z.number().int() }),
  ),
  /** Null: the operator has not concluded. */
  system: z
    .object({
      names: z.tuple([z.string(), z.string()]),
      /** Null: the pipeline of the company has no template of one of the faces. */
      score: faceComparisonRow
        .pick({ similarity: true, verdict: true, thresholds: true, certainty: true })
        .extend({ pipelineId: z.string() })
        .nullable(),
    })
    .nullable(),
});
export type Examination = z.infer<typeof examination>;

/** An enrolled face, or a photo as a data URI with the position of the face among all of the photo, the largest first. */
const examinedFace = z.union([
  z.object({ photo: z.string(), face: z.number().int().min(0), name: displayLine(255) }),
  pathId.face,
]);
export type ExaminedFace = z.input<typeof examinedFace>;

const byId = z.object({ id: pathId.examination });
export const examinationList = z.object({ items: z.array(row) });

/** The dashboard's operations. */
export const examinationApi = {
  list: get('/examinations', 'faces:examine', { answer: examinationList }),
  /** Nobody has examined the pair yet. A given photo is stored with the examination. */
  begin: post('/examinations', 'faces:examine', {
    body: z.object({ faces: z.tuple([examinedFace, examinedFace]) }),
    answer: z.object({ id: z.number().int() }),
  }),
  read: get('/examinations/:id', 'faces:examine', { params: byId, answer: examination }),
  /** The whole photo, without its name. */
  picture: get('/examinations/:id/picture', 'faces:examine', {
    params: byId,
    query: z.object({ picture: z.enum(['0', '1']).default('0') }),
  }),
  save: post('/examinations/:id/steps', 'faces:examine', {
    params: byId,
    body: examinationStep,
    answer: examination,
  }),
  /** A PDF. @throws EXAMINATION_STEP: the examination is not done */
  report: post('/examinations/:id/report', 'exports:create', {
    params: byId,
    body: z.object({ language: z.enum(REPORT_LANGUAGES).default('en') }),
  }),
  /** Ends the unfinished work of an examiner who left, so that another one can begin. */
  replace: post('/examinations/:id/replacement', 'operators:write', {
    params: byId,
    body: z.object({ examiner: pathId.operator }),
    answer: examination,
  }),
  settle: post('/examinations/:id/settlement', 'faces:examine', {
    params: byId,
    body: evaluation,
    answer: examination,
  }),
};
