import { useState } from 'react';
import { Button, Kbd } from '@mantine/core';
import { IconArrowLeft, IconPlayerPlay, IconArrowBackUp, IconChecks, IconCircleX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  SAMPLE_SIZES,
  type Sample,
  PERSON_DECISIONS,
  type GroupFilter,
  type PersonDecision,
  type SampleResult,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { Action, Page, ErrorLine, EmptyState } from '../../components/Page.tsx';
import { drawSample, groupCountQuery, acceptSample, answerSample, undoSample } from '../../api/persons.ts';
import { Form } from '../../components/Form.tsx';
import { Select } from '../../components/Select.tsx';
import { useWords } from '../../i18n/words.tsx';
import { CERTAINTIES, useGroupAddress, PartlyDecided } from './Filters.tsx';
import { AskedPair } from '../../compare/AskedPair.tsx';
import { useKeys } from '../../state/keys.ts';
import './duplicates.css';

/** Accepting many groups at once, after a random sample of them was checked without an error. */
export function Component() {
  const { t } = useWords();
  const address = useGroupAddress();
  const [sample, setSample] = useState<Sample>();
  return (
    <Page
      title={t('duplicates.sample')}
      state={t('duplicates.sampleState')}
      action={
        <Action
          Icon={IconArrowLeft}
          mirrored
          label={t('duplicates.back')}
          to={{ pathname: '/duplicates', search: address.search }}
        />
      }
    >
      <div className="page-scroll">
        {sample === undefined ? (
          <SampleForm filter={address.filter} drawn={setSample} />
        ) : (
          <SamplePairs
            key={sample.id}
            sample={sample}
            filter={address.filter}
            again={() => setSample(undefined)}
          />
        )}
      </div>
    </Page>
  );
}

function SampleForm(props: {
  filter: ReturnType<typeof useGroupAddress>['filter'];
  drawn: (sample: Sample) => void;
}) {
  const { t, count, percent } = useWords();
  const { state: _state, order: _order, cursor: _cursor, limit: _limit, ...filter } = props.filter;
  const [certainty, setCertainty] = useState<number>(filter.certainty ?? CERTAINTIES[0]);
  const [size, setSize] = useState<(typeof SAMPLE_SIZES)[number]>(SAMPLE_SIZES[0]);
  // Only groups without any decision are accepted in bulk.
  const groups = useQuery(groupCountQuery({ ...filter, state: 'proposed', certainty }));
  const total = groups.data?.total;
  const complete = SAMPLE_SIZES.find((each) => total !== undefined && each >= total);
  const sizes = complete === undefined ? SAMPLE_SIZES : SAMPLE_SIZES.filter((each) => each <= complete);
  const draw = useMutation({
    mutationFn: () =>
      drawSample({ filter, certainty, size: sizes.find((each) => each === size) ?? complete ?? size }),
    onSuccess: (drawn) => (drawn.groups === 0 ? groups.refetch() : props.drawn(drawn)),
  });
  return (
    <Form className="card column sample-form" send={() => draw.mutate()}>
      <p>{t('duplicates.sampleWhat')}</p>
      <Select
        w={260}
        label={t('duplicates.sampleCertainty')}
        value={String(certainty)}
        onChange={(value) => setCertainty(Number(value))}
        data={[...new Set([...CERTAINTIES, certainty])].map((share) => ({
          value: String(share),
          label: percent(share),
        }))}
      />
      <Select
        w={260}
        label={t('duplicates.sampleSize')}
        description={t('duplicates.sampleBound')}
        value={String(Math.min(size, sizes.at(-1) ?? size))}
        onChange={(value) => setSize(SAMPLE_SIZES.find((each) => String(each) === value) ?? size)}
        data={sizes.map((each) => ({
          value: String(each),
          label:
            each === complete
              ? t('duplicates.sampleAll', { size: count(total ?? each) })
              : t('duplicates.sampleSizeChoice', { size: count(each), bound: percent(3 / each) }),
        }))}
      />
      <p role="status">
        {total === undefined
          ? null
          : total === 0
            ? t('duplicates.sampleNone')
            : t('duplicates.state', { count: total, total: count(total) })}
      </p>
      <PartlyDecided filter={filter} />
      <ErrorLine error={draw.error ?? groups.error} />
      <Action
        may="duplicates:review"
        primary
        type="submit"
        className="push"
        Icon={IconPlayerPlay}
        label={t('duplicates.sampleStart')}
        disabled={(total ?? 0) === 0}
        loading={draw.isPending}
      />
    </Form>
  );
}

/**
 * The pairs of a sample, one after the other. It ends with the first error, or offers the bulk accept. The last answer is
 * sent with the next one, so that a wrong key can be taken back before it ends the sample.
 */
function SamplePairs(props: {
  sample: Sample;
  /** Of the groups that the sample was drawn from. */
  filter: Omit<GroupFilter, 'state'>;
  again: () => void;
}) {
  const { sample, filter, again } = props;
  const { t } = useWords();
  const [answers, setAnswers] = useState<readonly PersonDecision[]>([]);
  /** Answers that the service has: they cannot be changed. */
  const [sent, setSent] = useState(0);
  const [result, setResult] = useState<SampleResult>();
  const work = useMutation({
    mutationFn: (given: readonly PersonDecision[]) => answerSample(sample.id, given),
    onSuccess: (outcome, answered) => {
      setResult(outcome);
      setSent(answered.length);
    },
  });
  const canGoBack = answers.length > sent && !work.isPending;
  const back = () => {
    if (canGoBack) setAnswers(answers.slice(0, -1));
  };
  useKeys([{ keys: ['z', 'k'], label: t('common.back'), run: back }]);
  const pair = sample.pairs[answers.length];
  const backButton = (
    <Button
      variant="subtle"
      disabled={!canGoBack}
      leftSection={<IconArrowBackUp size={16} className="mirrored" aria-hidden />}
      rightSection={<Kbd size="xs">Z</Kbd>}
      onClick={back}
    >
      {t('common.back')}
    </Button>
  );
  if (result?.state === 'failed') return <Failed again={again} />;
  if (result?.state === 'clean')
    return <Clean sample={sample} filter={filter} result={result} again={again} />;
  if (pair === undefined)
    return (
      <EmptyState
        Icon={IconChecks}
        title={t('duplicates.sampleAnswered')}
        action={
          <span className="row wrap">
            {backButton}
            <Action
              primary
              label={t('duplicates.sampleFinish')}
              loading={work.isPending}
              onClick={() => work.mutate(answers)}
            />
          </span>
        }
        help={<ErrorLine error={work.error} />}
      />
    );
  return (
    <AskedPair
      key={pair.index}
      images={pair.thumbnails.map((url, side) => {
        const alt = t('duplicates.sampleFace', { side: side + 1 });
        return { key: url ?? '', url, alt, width: 320, height: 320, eyes: null };
      })}
      choices={PERSON_DECISIONS}
      done={answers.length}
      total={sample.pairs.length}
      busy={work.isPending}
      after={
        <>
          <ErrorLine error={work.error} />
          {backButton}
        </>
      }
      answer={(decision) => {
        if (answers.length > 0) work.mutate(answers);
        setAnswers([...answers, decision]);
      }}
    />
  );
}

function Failed({ again }: { again: () => void }) {
  const { t } = useWords();
  return (
    <EmptyState
      Icon={IconCircleX}
      title={t('duplicates.sampleFailed')}
      action={<Action label={t('duplicates.sampleAgain')} onClick={again} />}
      help={t('duplicates.sampleFailedHelp')}
    />
  );
}

function Clean(props: {
  sample: Sample;
  filter: Omit<GroupFilter, 'state'>;
  result: SampleResult;
  again: () => void;
}) {
  const { sample, filter, result, again } = props;
  const { t, count, percent } = useWords();
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
          <Action
            primary
            label={t('duplicates.sampleAccept', { count: sample.groups, groups: count(sample.groups) })}
            work={accept}
          />
        }
        help={
          <>
            {result.bound === null ? null : t('duplicates.sampleCleanHelp', { bound: percent(result.bound) })}
            <ErrorLine error={accept.error} />
          </>
        }
      />
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
            <Action Icon={IconArrowBackUp} label={t('duplicates.sampleUndo')} work={undo} />
          ) : null}
          <Action label={t('duplicates.sampleAgain')} disabled={undo.isPending} onClick={again} />
        </span>
      }
      help={
        <>
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
        </>
      }
    />
  );
}
