import { useCallback, useState } from 'react';
import { Button, Kbd } from '@mantine/core';
import {
  IconArrowBackUp,
  IconChecks,
  IconCircleCheck,
  IconCircleX,
  IconHelpCircle,
} from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  PERSON_DECISIONS,
  type GroupFilter,
  type PersonDecision,
  type Sample,
  type SampleResult,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { acceptSample, answerSample, undoSample } from '../../api/duplicates.ts';
import { EmptyState, ErrorLine } from '../../components/states.tsx';
import { useDrawn } from '../../components/useDrawn.ts';
import { useFormats } from '../../i18n/format.ts';
import { useKeys } from '../../state/keys.ts';
import { PartlyDecided } from './PartlyDecided.tsx';

const ICONS = { same: IconCircleCheck, different: IconCircleX, unsure: IconHelpCircle };
const LETTERS = { same: 's', different: 'd', unsure: 'u' } as const;

/** The pairs of a sample, one after the other. It ends with the first error, or offers the bulk accept. */
export function SamplePairs(props: {
  sample: Sample;
  /** Of the groups that the sample was drawn from. */
  filter: Omit<GroupFilter, 'state'>;
  again: () => void;
}) {
  const { sample, filter, again } = props;
  const [answers, setAnswers] = useState<readonly PersonDecision[]>([]);
  const [result, setResult] = useState<SampleResult>();
  const work = useMutation({
    mutationFn: (next: readonly PersonDecision[]) => answerSample(sample.id, next),
    onSuccess: (outcome, next) => {
      setAnswers(next);
      setResult(outcome);
    },
  });
  const pair = sample.pairs[answers.length];
  if (result?.state === 'failed') return <Failed again={again} />;
  if (result?.state === 'clean')
    return <Clean sample={sample} filter={filter} result={result} again={again} />;
  if (pair === undefined) return null;
  return (
    <AskedPair
      key={pair.index}
      thumbnails={pair.thumbnails}
      done={answers.length}
      total={sample.pairs.length}
      busy={work.isPending}
      error={work.error}
      answer={(decision) => work.mutate([...answers, decision])}
    />
  );
}

/** One pair without names and scores. It takes no answer before both photos are on screen. */
function AskedPair(props: {
  thumbnails: Sample['pairs'][number]['thumbnails'];
  done: number;
  total: number;
  busy: boolean;
  error: Error | null;
  answer: (decision: PersonDecision) => void;
}) {
  const { thumbnails, done, total, busy, error, answer } = props;
  const { t } = useTranslation();
  const { count } = useFormats();
  const [drawn, setDrawn] = useState(false);
  const ready = useDrawn(
    thumbnails.filter((url) => url !== null),
    useCallback(() => setDrawn(true), []),
  );
  const choose = (decision: PersonDecision) => {
    if (drawn && !busy) answer(decision);
  };
  useKeys(
    PERSON_DECISIONS.map((decision) => ({
      keys: [LETTERS[decision]],
      label: t(`duplicates.${decision}`),
      run: () => choose(decision),
    })),
  );
  return (
    <section className="sample" aria-label={t('duplicates.sampleAsk')}>
      <p role="status">{t('duplicates.sampleOf', { done: count(done + 1), total: count(total) })}</p>
      <h2>{t('duplicates.sampleAsk')}</h2>
      <div className="sample-faces">
        {thumbnails.map((url, side) =>
          url === null ? (
            <p key={side} className="soft">
              {t('face.noImage')}
            </p>
          ) : (
            <img
              key={side}
              className="face-thumbnail"
              src={url}
              width={320}
              height={320}
              alt={t('duplicates.sampleFace', { side: side + 1 })}
              onLoad={() => ready(url)}
              onError={() => ready(url)}
            />
          ),
        )}
      </div>
      <ErrorLine error={error} />
      <div className="row wrap">
        {PERSON_DECISIONS.map((decision) => {
          const Icon = ICONS[decision];
          return (
            <Button
              key={decision}
              variant="default"
              disabled={busy}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={<Kbd size="xs">{LETTERS[decision].toUpperCase()}</Kbd>}
              onClick={() => choose(decision)}
            >
              {t(`duplicates.${decision}`)}
            </Button>
          );
        })}
      </div>
    </section>
  );
}

function Failed({ again }: { again: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      Icon={IconCircleX}
      title={t('duplicates.sampleFailed')}
      action={
        <Button variant="default" onClick={again}>
          {t('duplicates.sampleAgain')}
        </Button>
      }
    >
      {t('duplicates.sampleFailedHelp')}
    </EmptyState>
  );
}

function Clean(props: {
  sample: Sample;
  filter: Omit<GroupFilter, 'state'>;
  result: SampleResult;
  again: () => void;
}) {
  const { sample, filter, result, again } = props;
  const { t } = useTranslation();
  const { count, percent } = useFormats();
  const client = useQueryClient();
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['duplicates'] }),
      client.invalidateQueries({ queryKey: ['persons'] }),
    ]);
  const accept = useMutation({ mutationFn: () => acceptSample(sample.id), onSuccess: refresh });
  const undo = useMutation({ mutationFn: () => undoSample(sample.id), onSuccess: refresh });
  const { data } = accept;
  if (data === undefined)
    return (
      <EmptyState
        Icon={IconChecks}
        title={t('duplicates.sampleClean', { count: result.confirmed })}
        action={
          <Button loading={accept.isPending} onClick={() => accept.mutate()}>
            {t('duplicates.sampleAccept', { count: sample.groups, groups: count(sample.groups) })}
          </Button>
        }
      >
        {result.bound === null ? null : t('duplicates.sampleCleanHelp', { bound: percent(result.bound) })}
        <ErrorLine error={accept.error} />
      </EmptyState>
    );
  const undone = undo.data;
  return (
    <EmptyState
      Icon={IconChecks}
      title={
        undone === undefined
          ? t('duplicates.sampleAccepted', { count: data.accepted, groups: count(data.accepted) })
          : t('duplicates.sampleUndone', { count: undone.undone, groups: count(undone.undone) })
      }
      action={
        <span className="row wrap">
          {undone === undefined && data.accepted > 0 ? (
            <Button
              variant="default"
              loading={undo.isPending}
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              onClick={() => undo.mutate()}
            >
              {t('duplicates.sampleUndo')}
            </Button>
          ) : null}
          <Button variant="default" disabled={undo.isPending} onClick={again}>
            {t('duplicates.sampleAgain')}
          </Button>
        </span>
      }
    >
      {undone === undefined ? (
        <>
          {data.changed > 0
            ? t('duplicates.sampleChanged', { count: data.changed, groups: count(data.changed) })
            : null}{' '}
          {t('duplicates.sampleUndoHelp')}
        </>
      ) : undone.kept > 0 ? (
        t('duplicates.sampleKept', { count: undone.kept, groups: count(undone.kept) })
      ) : null}
      <PartlyDecided filter={filter} />
      <ErrorLine error={undo.error} />
    </EmptyState>
  );
}
