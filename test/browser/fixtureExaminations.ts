/** Examinations on the mock API server: by the rules of the service, in memory. */
import {
  EXAMINED,
  evaluation,
  examination,
  examinationList,
  examinationStep,
  type ExaminationContent,
  type ExaminedKind,
  type ExaminerWork,
} from '../../core/contracts/dashboard/examinations.ts';
import {
  areResultsOpen,
  isExaminer,
  isUnfinishedFor,
  isSystemOpen,
  nextStep,
  stateOf,
  turnOf,
  withoutExaminer,
  withSettlement,
  withStep,
} from '../../core/domain/examinations/examination.ts';
import { comparisonOf } from '../../core/domain/search/faceComparison.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { drawPhoto } from './drawnFaces.ts';
import { INK_SIZE } from './drawnSignatures.ts';
import { at, personName } from './fixtures.ts';

type Answer = [status: number, body: unknown];
const OWN = 'operator:1';
const NAMES: Record<string, string> = {
  ...{ 'operator:1': 'Maren Holt', 'operator:2': 'Idris Vale' },
  ...{ 'operator:6': 'Viktor Kone', 'operator:7': 'Samira Lund' },
};
/** Examiners who left. */
const LEFT = new Set(['operator:6', 'operator:7']);
const FACES = [
  [21, 0],
  [21, 1],
] as const;

/** @param steps how many of the steps before the conclusion are saved */
function workOf(
  by: string,
  steps: number,
  conclusion: 'strongSame' | 'weakDifferent' | null = null,
  kind: ExaminedKind = 'faces',
) {
  const ofFaces = kind === 'faces';
  const limits = ofFaces
    ? ({ sharpness: 'none', pose: 'some', light: 'none', occlusion: 'severe' } as const)
    : ({ resolution: 'none', source: 'copy', ink: 'some', completeness: 'none' } as const);
  const analyses = [0, 1].map((picture) => ({
    limits,
    age: picture === 0 ? 'March 2019' : '',
    supports: ofFaces
      ? 'nose, mouth and chin are sharp; hair covers both ears'
      : 'forms, proportions and connections; a copy does not show the pressure',
  }));
  const top = ofFaces ? 240 : 80;
  // Two examiners seldom mark the very same place.
  const aside = by === OWN ? 60 : 0;
  const findings: ExaminerWork['findings'] = EXAMINED[kind].components.map((component, index) => ({
    component,
    finding: component === 'ears' ? 'notComparable' : by === OWN || index % 5 > 0 ? 'similar' : 'different',
    marks: [
      { x: 260 + 4 * index + aside, y: top + 8 * index },
      { x: 262 + 4 * index + aside, y: top + 4 + 8 * index },
    ],
    note: component === 'nose' ? 'same bend of the bridge, same tip' : '',
  }));
  const reasons = ofFaces
    ? 'nose, chin and one scar agree in detail; age explains what differs'
    : 'forms, connections and the underline agree in detail; the pen explains what differs';
  return {
    by,
    analyses: analyses.slice(0, steps),
    findings: findings.slice(0, Math.max(0, steps - 2)),
    evaluation: conclusion && { conclusion, reasons, at: at(0) },
  };
}

const ALL = EXAMINED.faces.components.length + 2;
export function newExaminationState(): Map<number, ExaminationContent> {
  const works: ReturnType<typeof workOf>[][] = [
    [],
    [workOf(OWN, 10)],
    [workOf('operator:2', ALL, 'strongSame')],
    [workOf('operator:2', ALL, 'weakDifferent'), workOf(OWN, ALL, 'strongSame')],
    [workOf('operator:6', 7)],
  ];
  works.push([workOf(OWN, 8, null, 'signatures')]);
  works.push([
    workOf('operator:2', 18, 'weakDifferent', 'signatures'),
    workOf(OWN, 18, 'strongSame', 'signatures'),
  ]);
  works.push([workOf('operator:6', ALL, 'weakDifferent'), workOf('operator:7', ALL, 'strongSame')]);
  const ofFaces = (index: number) => index < 5 || index === 7;
  return new Map(
    works.map((each, index) => [
      index + 1,
      {
        kind: ofFaces(index) ? 'faces' : 'signatures',
        names: ofFaces(index) ? [] : ['specimen.png', 'cheque.png'],
        ...{ swapped: false, works: each, replaced: [], settlement: null },
      },
    ]),
  );
}

/**
 * Examinations 1 to 5: new, half done, to be verified, to be settled, begun by another examiner; 6 and 7: of signatures;
 * 8: to be settled by a third operator, because both examiners left.
 */
export function answerExaminations(
  { examinations, behaviour }: { examinations: Map<number, ExaminationContent>; behaviour: { rows: number } },
  route: string,
  body: Buffer,
): Answer | undefined {
  const shown = (id: number, content: ExaminationContent) => {
    const row = {
      id,
      kind: content.kind,
      beganAt: at(-id * 90),
      state: stateOf(content),
      turn: turnOf(content, OWN, LEFT),
    };
    const named = <T extends { by: string }>({ by, ...rest }: T) => ({ ...rest, byName: NAMES[by] ?? by });
    return {
      ...row,
      pictures: FACES.map(([person, photo]) => {
        if (content.kind === 'signatures') return { ...INK_SIZE, box: null, eyes: null };
        const { width, height, box, eyes } = drawPhoto(person, photo);
        return { width, height, box, eyes };
      }),
      next: nextStep(content, OWN),
      works: content.works
        .filter(({ by }) => areResultsOpen(content) || by === OWN)
        .map((work) => ({ ...named(work), own: work.by === OWN })),
      settlement: content.settlement && {
        ...named(content.settlement),
        isThird: !isExaminer(content, content.settlement.by),
      },
      isUnfinished: isUnfinishedFor(content, OWN),
      replaced: areResultsOpen(content)
        ? content.replaced.map(({ by, replacedBy, at: when, analyses, findings }) => ({
            ...{ byName: NAMES[by] ?? by, replacedByName: NAMES[replacedBy] ?? replacedBy, at: when },
            steps: analyses.length + findings.length,
          }))
        : [],
      system: isSystemOpen(content, OWN)
        ? {
            names: content.kind === 'faces' ? FACES.map(([person]) => personName(person)) : content.names,
            score: { ...comparisonOf(CALIBRATIONS.full, 0.6), pipelineId: 'vouch-face-1' },
          }
        : null,
    };
  };
  if (route === 'GET /examinations') {
    const all = behaviour.rows === 0 ? [] : [...examinations];
    return [
      200,
      examinationList.parse({ items: all.map(([id, content]) => shown(id, content)).toReversed() }),
    ];
  }
  if (route === 'POST /examinations') return [200, { id: 1 }];
  const [, number, part] = /^\w+ \/examinations\/(\d+)(\/\w+)?$/.exec(route) ?? [];
  const id = Number(number);
  const content = examinations.get(id);
  if (number === undefined) return undefined;
  if (content === undefined) return [404, { success: false, message: 'Not found.', code: 'NOT_FOUND' }];
  const act = { by: OWN, at: new Date(at(0)) } as const;
  if (part === '/steps')
    examinations.set(id, withStep(content, examinationStep.parse(JSON.parse(body.toString())), act));
  if (part === '/replacement') {
    const { examiner } = JSON.parse(body.toString()) as { examiner: number };
    examinations.set(id, withoutExaminer(content, `operator:${examiner}`, act));
  }
  if (part === '/settlement')
    examinations.set(id, withSettlement(content, evaluation.parse(JSON.parse(body.toString())), act, LEFT));
  return [200, examination.parse(shown(id, examinations.get(id)!))];
}
