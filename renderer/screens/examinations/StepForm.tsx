import { useState } from 'react';
import { Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  aspectsOf,
  CONCLUSIONS,
  EXAMINED,
  FINDINGS,
  type Conclusion,
  type Examination,
  type ExaminedKind,
  type ExaminationStep,
} from '../../../core/contracts/dashboard/examinations.ts';
import type { Point } from '../../compare/geometry.ts';
import { examinationQuery, saveStep, settleExamination } from '../../api/comparisons.ts';
import { Form, Submit } from '../../components/Form.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { Select } from '../../components/Select.tsx';
import { Action } from '../../components/Page.tsx';
import { useKeys } from '../../state/keys.ts';
import { useWords } from '../../i18n/words.tsx';

/** The marks of one component, in pixels of each picture. */
export type Marks = readonly [Point | null, Point | null];
export const NO_MARKS: Marks = [null, null];

const LONGEST = 1000;
type Limits = Extract<ExaminationStep, { step: 'analysis' }>['limits'];

interface StepProps {
  kind: ExaminedKind;
  /** Saves the step. */
  save: (step: ExaminationStep) => void;
  work: ReturnType<typeof useSaving<ExaminationStep>>;
}

/** The form of the step that comes next. Its fields begin empty with each step. */
export function StepForm(props: {
  id: number;
  kind: ExaminedKind;
  next: NonNullable<Examination['next']>;
  marks: Marks;
  setMarks: (marks: Marks) => void;
  /** The operator has not saved a step. */
  unbegun: boolean;
}) {
  const { id, kind, next, marks, setMarks, unbegun } = props;
  const { t } = useWords();
  const work = useSaving(id, (step: ExaminationStep) => saveStep(id, step));
  const step = { kind, save: (saved: ExaminationStep) => work.mutate(saved), work };
  const component = EXAMINED[kind].components[next.position];
  return (
    <>
      {unbegun ? <p className="callout">{t('examinations.unseen')}</p> : null}
      {next.step === 'analysis' ? (
        <AnalysisForm {...step} picture={next.position === 0 ? 0 : 1} />
      ) : next.step === 'comparison' && component !== undefined ? (
        <FindingForm {...step} component={component} marks={marks} setMarks={setMarks} />
      ) : (
        <>
          <h2>{t('examinations.step_evaluation')}</h2>
          <ConclusionForm
            kind={kind}
            help={t('examinations.evaluationHelp')}
            label={t('examinations.save')}
            work={work}
            save={(conclusion, reasons) => step.save({ step: 'evaluation', conclusion, reasons })}
          />
        </>
      )}
      <p className="soft">{t('examinations.frozen')}</p>
    </>
  );
}

function AnalysisForm({ kind, picture, save, work }: StepProps & { picture: 0 | 1 }) {
  const { t } = useWords();
  const { aspects } = EXAMINED[kind];
  const [limits, setLimits] = useState<Limits>(() =>
    Object.fromEntries(aspectsOf(kind).map((aspect) => [aspect, aspects[aspect]?.[0]])),
  );
  const [age, setAge] = useState('');
  const [supports, setSupports] = useState('');
  return (
    <Form className="column" send={() => save({ step: 'analysis', picture, limits, age, supports })}>
      <h2>
        {t('examinations.step_analysis', {
          picture: t(picture === 0 ? 'examinations.first' : 'examinations.second'),
        })}
      </h2>
      <p className="soft">{t('examinations.analysisHelp')}</p>
      {aspectsOf(kind).map((aspect) => (
        <div key={aspect}>
          <p>{t(`examinations.aspect_${aspect}`)}</p>
          <SegmentedControl
            size="xs"
            aria-label={t(`examinations.aspect_${aspect}`)}
            data={(aspects[aspect] ?? []).map((value) => ({
              value,
              label: t(`examinations.limit_${value}`),
            }))}
            value={limits[aspect] ?? 'unknown'}
            onChange={(value) => setLimits((now) => ({ ...now, [aspect]: value }))}
          />
        </div>
      ))}
      <TextInput
        label={t(`examinations.age_${kind}`)}
        description={t(`examinations.ageHelp_${kind}`)}
        maxLength={200}
        dir="auto"
        value={age}
        onChange={(event) => setAge(event.currentTarget.value)}
      />
      <Note
        required
        label={t('examinations.supports')}
        description={t('examinations.supportsHelp')}
        value={supports}
        change={setSupports}
      />
      <Submit work={work} label={t('examinations.save')} disabled={supports.trim() === ''} />
    </Form>
  );
}

function FindingForm(
  props: StepProps & {
    component: NonNullable<(typeof EXAMINED)[ExaminedKind]['components'][number]>;
    marks: Marks;
    setMarks: (marks: Marks) => void;
  },
) {
  const { component, kind, marks, setMarks, save, work } = props;
  const { components } = EXAMINED[kind];
  const { t } = useWords();
  const [finding, setFinding] = useState<(typeof FINDINGS)[number] | ''>('');
  const [note, setNote] = useState('');
  useKeys(
    FINDINGS.map((each, index) => ({
      keys: [String(index + 1)],
      label: t(`examinations.finding_${each}`),
      run: () => setFinding(each),
    })),
  );
  return (
    <Form
      className="column"
      send={() => {
        if (finding !== '')
          save({ step: 'comparison', component, finding, marks: [marks[0], marks[1]], note });
      }}
    >
      <h2>
        {t('examinations.step_comparison', {
          number: components.indexOf(component) + 1,
          total: components.length,
          component: t(`examinations.component_${component}`),
        })}
      </h2>
      <SegmentedControl
        className="examination-findings"
        aria-label={t('examinations.finding')}
        data={FINDINGS.map((value) => ({ value, label: t(`examinations.finding_${value}`) }))}
        value={finding}
        onChange={setFinding}
      />
      <p className="soft">{t('examinations.marksHelp')}</p>
      <div>
        <Action
          label={t('examinations.clearMarks')}
          disabled={marks[0] === null && marks[1] === null}
          onClick={() => setMarks(NO_MARKS)}
        />
      </div>
      <Note label={t('examinations.note')} value={note} change={setNote} />
      <Submit work={work} label={t('examinations.save')} disabled={finding === ''} />
    </Form>
  );
}

/** The conclusion that settles a difference. @param isThird both examiners left: the operator is neither of them */
export function SettlementForm({ id, kind, isThird }: { id: number; kind: ExaminedKind; isThird: boolean }) {
  const { t } = useWords();
  const work = useSaving(id, (settled: { conclusion: Conclusion; reasons: string }) =>
    settleExamination(id, settled),
  );
  return (
    <>
      <h2>{t(isThird ? 'examinations.third' : 'examinations.common')}</h2>
      <ConclusionForm
        kind={kind}
        help={t(isThird ? 'examinations.thirdHelp' : 'examinations.settlementHelp')}
        label={t(isThird ? 'examinations.settleThird' : 'examinations.settle')}
        work={work}
        save={(conclusion, reasons) => work.mutate({ conclusion, reasons })}
      />
    </>
  );
}

function ConclusionForm(props: {
  kind: ExaminedKind;
  help: string;
  label: string;
  work: { isPending: boolean; error: Error | null };
  save: (conclusion: Conclusion, reasons: string) => void;
}) {
  const { kind, help, label, work, save } = props;
  const { t } = useWords();
  const [conclusion, setConclusion] = useState<Conclusion | null>(null);
  const [reasons, setReasons] = useState('');
  return (
    <Form
      className="column"
      send={() => {
        if (conclusion !== null) save(conclusion, reasons);
      }}
    >
      <p className="soft">{help}</p>
      <Select
        required
        label={t('examinations.conclusion')}
        none={t('examinations.choose')}
        data={CONCLUSIONS.map((value) => ({ value, label: t(`examinations.${kind}_${value}`) }))}
        value={conclusion}
        onChange={setConclusion}
      />
      <Note required label={t('examinations.reasons')} value={reasons} change={setReasons} />
      <Submit work={work} label={label} disabled={conclusion === null || reasons.trim() === ''} />
    </Form>
  );
}

function Note(props: {
  label: string;
  description?: string;
  required?: boolean;
  value: string;
  change: (value: string) => void;
}) {
  const { change, ...field } = props;
  return (
    <Textarea
      {...field}
      dir="auto"
      rows={3}
      maxLength={LONGEST}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

/** Saves a part of an examination, and shows what the operator may see after it. */
function useSaving<T>(id: number, run: (input: T) => Promise<Examination>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: (examination) => client.setQueryData(examinationQuery(id).queryKey, examination),
  });
}
