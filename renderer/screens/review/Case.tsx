import { useRef, useState, type RefObject } from 'react';
import { Button, Kbd, TextInput } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconNote } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { TRUST_VALIDATION_STATUS } from '../../../core/contracts/codes.ts';
import type { Decision, ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { ScoreMeaning } from '../../components/ScoreScale.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { useKeys } from '../../state/keys.ts';
import { History } from '../validations/History.tsx';
import { matchesOf } from '../validations/matches.ts';
import { MatchCompare, MatchList } from '../validations/MatchView.tsx';
import { Summary } from '../validations/Summary.tsx';
import { decisionLabels, useDecision } from '../validations/useDecision.ts';
import '../validations/validations.css';
import { validationName } from '../validations/validationName.ts';

interface Props {
  detail: ValidationDetail;
  go: (to: number | 'next' | 'previous') => void;
}

/** One case: its matches, the two photos side by side, and the decision. */
export function Case({ detail, go }: Props) {
  const { t } = useTranslation();
  const matches = matchesOf(detail);
  const [chosenKey, setChosen] = useState(matches[0]?.key ?? '');
  const chosen = matches.find(({ key }) => key === chosenKey);
  const [note, setNote] = useState('');
  const noteField = useRef<HTMLInputElement>(null);
  const work = useDecision(go);
  const labels = decisionLabels(detail);
  const open = detail.status === TRUST_VALIDATION_STATUS.ReviewNeeded;
  const decide = (decision: Decision) => {
    if (!open || work.isPending) return;
    work.mutate({ detail, decision, note }, { onSuccess: () => go('next') });
  };
  useKeys([
    { keys: ['v'], label: t(labels.verify), run: () => decide('verify') },
    { keys: ['r'], label: t(labels.reject), run: () => decide('reject') },
    { keys: ['n'], label: t('review.note'), run: () => noteField.current?.focus() },
    { keys: ['j', 'ArrowRight'], label: t('keys.next'), run: () => go('next') },
    { keys: ['k', 'ArrowLeft'], label: t('keys.previous'), run: () => go('previous') },
    {
      keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
      shown: ['1–9'],
      label: t('review.chooseMatch'),
      run: ({ key }) => setChosen(matches[Number(key) - 1]?.key ?? chosenKey),
    },
  ]);
  return (
    <div className="case">
      <div className="case-main page-scroll">
        <CaseHead detail={detail} />
        {chosen === undefined ? (
          <Summary detail={detail} />
        ) : (
          <MatchCompare key={chosen.key} detail={detail} match={chosen} />
        )}
      </div>
      <aside className="case-side" aria-label={t('review.decision')}>
        {matches.length === 0 ? (
          <p className="soft">{t('review.noMatches')}</p>
        ) : (
          <>
            <h2>{t('validations.matches')}</h2>
            <MatchList matches={matches} chosen={chosenKey} choose={setChosen} />
          </>
        )}
        <div className="case-decision column">
          {chosen === undefined ? null : <ScoreMeaning reading={chosen.reading} />}
          <NoteField ref={noteField} value={note} change={setNote} />
          <ErrorLine error={work.error} />
          <DecisionButtons labels={labels} disabled={!open} decide={decide} />
          {matches.length === 0 ? null : <p className="soft case-meaning">{t('review.meaning')}</p>}
        </div>
        <h2>{t('validations.history')}</h2>
        <History entries={detail.history} />
      </aside>
    </div>
  );
}

function NoteField(props: {
  ref: RefObject<HTMLInputElement | null>;
  value: string;
  change: (note: string) => void;
}) {
  const { ref, value, change } = props;
  const { t } = useTranslation();
  return (
    <TextInput
      ref={ref}
      label={t('review.note')}
      description={t('review.noteHelp')}
      leftSection={<IconNote size={16} aria-hidden />}
      rightSection={<Kbd size="xs">N</Kbd>}
      maxLength={1000}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}

function DecisionButtons(props: {
  labels: ReturnType<typeof decisionLabels>;
  disabled: boolean;
  decide: (decision: Decision) => void;
}) {
  const { labels, disabled, decide } = props;
  const { t } = useTranslation();
  return (
    <>
      <Button
        size="md"
        color="green"
        disabled={disabled}
        leftSection={<IconCircleCheck size={18} aria-hidden />}
        rightSection={<Kbd size="xs">V</Kbd>}
        onClick={() => decide('verify')}
      >
        {t(labels.verify)}
      </Button>
      <Button
        size="md"
        color="red"
        disabled={disabled}
        leftSection={<IconCircleX size={18} aria-hidden />}
        rightSection={<Kbd size="xs">R</Kbd>}
        onClick={() => decide('reject')}
      >
        {t(labels.reject)}
      </Button>
    </>
  );
}

function CaseHead({ detail }: { detail: ValidationDetail }) {
  const { t } = useTranslation();
  return (
    <div className="row case-head">
      <FaceThumbnail url={detail.chipUrl} name={detail.name} size={40} />
      <div className="cut">
        <h2 className="cut">{validationName(t, detail)}</h2>
        <span className="soft">
          {t('palette.validation', { id: detail.id })} · <bdi>{detail.trustFlowName}</bdi> ·{' '}
          <bdi>
            <Time at={detail.createdAt} />
          </bdi>
        </span>
      </div>
      <span className="push">
        <StatusBadge of="validation" code={detail.status} />
      </span>
    </div>
  );
}
