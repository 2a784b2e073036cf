/** The examination of two faces or of two signatures by a person: the pictures first, then the features, then a conclusion; the score comes last. */
import { z } from 'zod';
import { faceComparisonRow } from '../faceComparisons.ts';
import { pathId } from '../ids.ts';
import { displayLine } from '../displayLine.ts';
import { IMAGE_LIMITS } from '../limits/limits.ts';
import { namesOf } from '../namesOf.ts';
import { get, post } from './operation.ts';
import { REPORT_LANGUAGES } from './search.ts';
import { box, point } from './faceImages.ts';

const LIMITS = ['none', 'some', 'severe'] as const;
/** The document that a picture shows. */
const SOURCES = ['unknown', 'original', 'copy', 'fax'] as const;

/**
 * The questions about a picture alone, and the features that are compared, by the kind of the pair and in the order of an
 * examination. Of faces: the order of FISWG's feature list (version 2.0, 2018); ASTM E3149 also goes from the top of the face
 * to the bottom. Of signatures: groups of features that document examiners compare, from the whole to the parts; selection and
 * order are those of this program.
 */
const PARTS = {
  faces: {
    aspects: { sharpness: LIMITS, pose: LIMITS, light: LIMITS, occlusion: LIMITS },
    components: [
      ...(['skin', 'outline', 'composition', 'hairline', 'forehead', 'eyebrows', 'eyes', 'cheeks'] as const),
      ...(['nose', 'ears', 'mouth', 'chin', 'neck', 'facialHair', 'lines', 'scars', 'marks'] as const),
      'alterations',
    ],
  },
  signatures: {
    aspects: { resolution: LIMITS, source: SOURCES, ink: LIMITS, completeness: LIMITS },
    components: [
      ...(['style', 'fluency', 'lineQuality', 'pressure', 'proportions', 'slant', 'baseline'] as const),
      ...(['spacing', 'beginnings', 'endings', 'connections', 'penLifts', 'strokeOrder', 'forms'] as const),
      ...(['flourishes', 'dots'] as const),
    ],
  },
} as const;
export type ExaminedKind = keyof typeof PARTS;
type PartsOf<K extends ExaminedKind> = (typeof PARTS)[K];
type Aspect = { [K in ExaminedKind]: keyof PartsOf<K>['aspects'] }[ExaminedKind];
type Component = PartsOf<ExaminedKind>['components'][number];
interface Examined {
  /** Each with its answers; the first one stands until the examiner chooses. */
  aspects: Partial<Record<Aspect, readonly (typeof ANSWERS)[number][]>>;
  components: readonly Component[];
}
const ANSWERS = [...LIMITS, ...SOURCES] as const;
export const EXAMINED: Record<ExaminedKind, Examined> = PARTS;
const MAX_COMPONENTS = Math.max(PARTS.faces.components.length, PARTS.signatures.components.length);
const ASPECTS = [...namesOf(PARTS.faces.aspects), ...namesOf(PARTS.signatures.aspects)] as const;
export const aspectsOf = (kind: ExaminedKind) =>
  ASPECTS.filter((aspect) => EXAMINED[kind].aspects[aspect] !== undefined);

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
/** One picture, examined alone. */
export const analysis = z.object({
  /** Every aspect of the kind of the pair. */
  limits: z.partialRecord(z.enum(ASPECTS), z.enum(ANSWERS)),
  /** Known facts about the age of the picture. */
  age: displayLine(200),
  /** Features that the picture supports, and those that it does not. */
  supports: note.min(1),
});
/** A component in both pictures. A mark is in pixels of its picture; null: the component has no mark there. */
export const componentFinding = z.object({
  component: z.enum([...PARTS.faces.components, ...PARTS.signatures.components]),
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
  findings: z.array(componentFinding).max(MAX_COMPONENTS),
  evaluation: evaluation.extend({ at: z.iso.datetime() }).nullable(),
});
export type ExaminerWork = z.infer<typeof examinerWork>;

/** Both examiners reached different conclusions. One of them, or a third operator once both left, stated one with the reason. */
const settlement = evaluation.extend({ at: z.iso.datetime() });
const by = z.string();

/** The content of the record, as the store keeps it. */
export const examinationContent = z.object({
  kind: z.enum(namesOf(PARTS)),
  /** Of the files of two signatures, as they were given; of faces none. */
  names: z.array(z.string()).max(2),
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
  kind: z.enum(namesOf(PARTS)),
  beganAt: z.iso.datetime(),
  state: z.enum(EXAMINATION_STATES),
  /** The work that the operator who asks can do now; null: nothing. */
  turn: z.enum(['examine', 'verify', 'settle']).nullable(),
});
export type ExaminationRow = z.infer<typeof row>;

const byName = z.string();
/** The view of the operator who asks. Results, names and the score are absent until that operator has concluded. */
export const examination = row.extend({
  /** In the drawn order. Pixels of the upright picture; `eyes`: the one further left in the picture first. Null: a signature. */
  pictures: z.array(
    z.object({
      ...{ width: z.number(), height: z.number() },
      ...{ box: box.nullable(), eyes: z.tuple([point, point]).nullable() },
    }),
  ),
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
  settlement: settlement.extend({ byName, isThird: z.boolean() }).nullable(),
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
      /** Null: the pipeline of the company has no template of one of the faces. Of signatures: as it was compared. */
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

/** A file of a comparison of two signatures, as a data URI. Pixels of the upright picture. */
const side = z.number().int().min(1).max(IMAGE_LIMITS.side);
const examinedSignature = z.object({
  ...{ image: z.string(), name: displayLine(255), width: side, height: side },
});
const examinedSignatures = z.object({
  comparison: z.number().int().min(1),
  signatures: z.tuple([examinedSignature, examinedSignature]),
});
export type ExaminedSignatures = z.input<typeof examinedSignatures>;

const byId = z.object({ id: pathId.examination });
export const examinationList = z.object({ items: z.array(row) });

/** The dashboard's operations. */
export const examinationApi = {
  list: get('/examinations', 'faces:examine', { answer: examinationList }),
  /**
   * Nobody has examined the pair yet. A given photo or signature is stored with the examination. Signatures are those of a
   * recorded comparison, in its order.
   */
  begin: post('/examinations', 'faces:examine', {
    body: z.union([z.object({ faces: z.tuple([examinedFace, examinedFace]) }), examinedSignatures]),
    answer: z.object({ id: z.number().int() }),
  }),
  read: get('/examinations/:id', 'faces:examine', { params: byId, answer: examination }),
  /** The whole picture, without its name. */
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
