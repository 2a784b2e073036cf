/** The order of an examination, and who may see and do what in it. */
import {
  aspectsOf,
  EXAMINED,
  type Examination,
  type ExaminedKind,
  type ExaminationContent,
  type ExaminationRow,
  type ExaminationState,
  type ExaminationStep,
  type ExaminerWork,
  type Evaluation,
} from '../../contracts/dashboard/examinations.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import { isoTime } from '../values/time.ts';

const UNBEGUN: ExaminerWork = { analyses: [], findings: [], evaluation: null };

/** Equal conclusions need no settlement. */
export function stateOf({ works: [first, second], settlement }: ExaminationContent): ExaminationState {
  if (first?.evaluation == null) return 'examination';
  if (second?.evaluation == null) return 'verification';
  const agreed = first.evaluation.conclusion === second.evaluation.conclusion;
  return agreed || settlement !== null ? 'done' : 'settlement';
}

/**
 * The work that an account can do now. An examiner who was replaced takes no part any more. A third operator settles a difference
 * once both examiners have left. Whether somebody is another person than the examiners, the store finds out.
 * @param account `operator:3` @param left accounts that may examine no longer
 */
export function turnOf(
  content: ExaminationContent,
  account: string,
  left: ReadonlySet<string>,
): ExaminationRow['turn'] {
  if (content.replaced.some(({ by }) => by === account)) return null;
  const [first, second] = content.works;
  switch (stateOf(content)) {
    case 'examination':
      return first === undefined || first.by === account ? 'examine' : null;
    case 'verification':
      return first?.by !== account && (second === undefined || second.by === account) ? 'verify' : null;
    case 'settlement':
      return isExaminer(content, account) || content.works.every(({ by }) => left.has(by)) ? 'settle' : null;
    case 'done':
      return null;
  }
}

/** The step that an account saves next; null: it has nothing to save. */
export function nextStep(content: ExaminationContent, account: string): Examination['next'] {
  const turn = turnOf(content, account, new Set());
  if (turn !== 'examine' && turn !== 'verify') return null;
  const { analyses, findings } = workOf(content, account) ?? UNBEGUN;
  if (analyses.length < 2) return { step: 'analysis', position: analyses.length };
  if (findings.length < EXAMINED[content.kind].components.length)
    return { step: 'comparison', position: findings.length };
  return { step: 'evaluation', position: 0 };
}

/**
 * The content with one more step of the acting operator, who becomes the first or the second examiner with the first step.
 * @throws {CodedError} EXAMINATION_STEP: another step comes next, or the step is of another kind of pair
 */
export function withStep(
  content: ExaminationContent,
  step: ExaminationStep,
  act: AuditContext,
): ExaminationContent {
  const next = nextStep(content, act.by);
  if (next?.step !== step.step || next.position !== positionOf(step, content.kind))
    throw new CodedError('EXAMINATION_STEP');
  const work = workOf(content, act.by) ?? { ...UNBEGUN, by: act.by };
  const others = content.works.filter(({ by }) => by !== act.by);
  return { ...content, works: [...others, { ...work, ...added(work, step, act) }] };
}

/**
 * The content with the common conclusion of both examiners, or with that of a third operator.
 * @param left accounts that may examine no longer
 * @throws {CodedError} EXAMINATION_STEP: the acting operator has nothing to settle
 */
export function withSettlement(
  content: ExaminationContent,
  { conclusion, reasons }: Evaluation,
  act: AuditContext,
  left: ReadonlySet<string>,
): ExaminationContent {
  if (turnOf(content, act.by, left) !== 'settle') throw new CodedError('EXAMINATION_STEP');
  return { ...content, settlement: { conclusion, reasons, by: act.by, at: isoTime(act.at.getTime()) } };
}

/** Whether another account has begun and not concluded. */
export const isUnfinishedFor = ({ works }: ExaminationContent, account: string): boolean =>
  works.some(({ by, evaluation }) => by !== account && evaluation === null);

/**
 * The content without the unfinished work of an examiner, which is kept apart: another one begins with the first step.
 * @throws {CodedError} EXAMINATION_STEP: the account has no unfinished work, or is the acting one
 */
export function withoutExaminer(
  content: ExaminationContent,
  examiner: string,
  { at, by }: AuditContext,
): ExaminationContent {
  const work = workOf(content, examiner);
  if (work === undefined || work.evaluation !== null || examiner === by)
    throw new CodedError('EXAMINATION_STEP');
  return {
    ...content,
    works: content.works.filter((each) => each !== work),
    replaced: [...content.replaced, { ...work, replacedBy: by, at: isoTime(at.getTime()) }],
  };
}

/** Whether an account may see the results of both examiners. Before that each sees the own work alone. */
export const areResultsOpen = (content: ExaminationContent): boolean =>
  ['settlement', 'done'].includes(stateOf(content));

/** Whether an account may see the names and the score: it has concluded, or both examiners have. */
export function isSystemOpen(content: ExaminationContent, account: string): boolean {
  return areResultsOpen(content) || workOf(content, account)?.evaluation != null;
}

/** Whether an account has done one of the examinations. */
export const isExaminer = (content: ExaminationContent, account: string): boolean =>
  workOf(content, account) !== undefined;

function workOf({ works }: ExaminationContent, account: string) {
  return works.find(({ by }) => by === account);
}

/** Undefined: a pair of the kind has no such step. */
function positionOf(step: ExaminationStep, kind: ExaminedKind): number | undefined {
  const { aspects, components } = EXAMINED[kind];
  switch (step.step) {
    case 'analysis': {
      const given = Object.keys(step.limits).length;
      const isWhole = aspectsOf(kind).every((aspect) => {
        const answer = step.limits[aspect];
        return answer !== undefined && aspects[aspect]?.includes(answer);
      });
      return isWhole && given === aspectsOf(kind).length ? step.picture : undefined;
    }
    case 'comparison':
      return components.indexOf(step.component);
    case 'evaluation':
      return 0;
  }
}

function added(work: ExaminerWork, step: ExaminationStep, { at }: AuditContext): Partial<ExaminerWork> {
  switch (step.step) {
    case 'analysis': {
      const { limits, age, supports } = step;
      return { analyses: [...work.analyses, { limits, age, supports }] };
    }
    case 'comparison': {
      const { component, finding, marks, note } = step;
      return { findings: [...work.findings, { component, finding, marks, note }] };
    }
    case 'evaluation': {
      const { conclusion, reasons } = step;
      return { evaluation: { conclusion, reasons, at: isoTime(at.getTime()) } };
    }
  }
}
