import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { Kbd, TextInput } from '@mantine/core';
import { IconNote } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { TRUST_VALIDATION_STATUS } from '../../../core/contracts/codes.ts';
import type { Decision, ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { undoStore } from '../../state/undo.ts';
import { DecisionButtons } from '../validations/DecisionButtons.tsx';
import { History } from '../validations/History.tsx';
import { matchesOf } from '../validations/matches.ts';
import { MatchCompare, MatchList } from '../validations/MatchView.tsx';
import { Summary } from '../validations/Summary.tsx';
import { useClearance } from '../validations/useClearance.tsx';
import { decisionLabels, useDecision } from '../validations/useDecision.ts';
import '../validations/validations.css';
import { validationName } from '../validations/validationName.ts';
import type { TypedAhead } from './useTypedAhead.ts';
import { BlacklistAlert } from '../validations/BlacklistAlert.tsx';

interface Props {
  detail: ValidationDetail;
  go: (to: number | 'next' | 'previous') => void;
  keys: TypedAhead;
}

/** One case: its matches, the two photos side by side, and the decision. */
export function Case({ detail, go, keys }: Props) {
  const { t } = useTranslation();
  const matches = matchesOf(detail);
  const [chosenKey, setChosen] = useState(matches[0]?.key ?? '');
  const chosen = matches.find(({ key }) => key === chosenKey);
  const [note, setNote] = useState('');
  const noteField = useRef<HTMLInputElement>(null);
  const [drawn, setDrawn] = useState<string | null>(null);
  const draw = useCallback(() => setDrawn(chosenKey), [chosenKey]);
  const work = useDecision(go);
  const labels = decisionLabels(detail);
  const open = detail.status === TRUST_VALIDATION_STATUS.ReviewNeeded;
  const clearance = useClearance(detail, (decision) => {
    keys.show({ id: detail.id, drawn: true, act: null });
    work.mutate({ detail, decision, note }, { onSuccess: () => go('next'), onError: keys.discard });
  });
  const decide = (decision: Decision) => {
    // Keys that were typed ahead decide neither a case that another reviewer has decided, nor the question of a dialog.
    if (!open || work.isPending || clearance.ask(decision)) keys.discard();
  };
  const act = (key: string) => {
    if (key === 'v') decide('verify');
    else if (key === 'r') decide('reject');
    else if (key === 'j') go('next');
    else if (key === 'k') go('previous');
    else if (key === 'z') keys.hold(undoStore.getState().undoLast());
    else if (key !== 'n') setChosen(matches[Number(key) - 1]?.key ?? chosenKey);
    else {
      keys.discard();
      noteField.current?.focus();
    }
  };
  useLayoutEffect(() => {
    keys.show({ id: detail.id, drawn: drawn === chosenKey, act: work.isPending ? null : act });
  });
  return (
    <div className="case">
      <div className="case-main page-scroll">
        <CaseHead detail={detail} />
        <BlacklistAlert detail={detail} />
        {chosen === undefined ? (
          <Summary detail={detail} drawn={draw} />
        ) : (
          <MatchCompare key={chosen.key} detail={detail} match={chosen} drawn={draw} />
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
          <NoteField ref={noteField} value={note} change={setNote} />
          <ErrorLine error={work.error} />
          <DecisionButtons
            size="md"
            labels={labels}
            disabled={!open}
            keyOf={(decision) => <Kbd size="xs">{decision === 'verify' ? 'V' : 'R'}</Kbd>}
            decide={decide}
          />
          {clearance.dialog}
          <p className="soft case-meaning" role="status">
            {keys.waiting > 0
              ? t('review.waiting', { count: keys.waiting })
              : matches.length === 0
                ? null
                : t('review.meaning')}
          </p>
        </div>
        <h2>{t('validations.history')}</h2>
        <History entries={detail.history} source={detail.source} />
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

function CaseHead({ detail }: { detail: ValidationDetail }) {
  const { t } = useTranslation();
  return (
    <div className="row case-head">
      <FaceThumbnail url={detail.thumbnailUrl} name={detail.name} size={40} />
      <div className="cut">
        <h2 dir="auto" className="cut">
          {validationName(t, detail)}
        </h2>
        <span className="soft case-line">
          {t('palette.validation', { id: detail.id })} · <bdi>{detail.trustFlowName}</bdi> ·{' '}
          <bdi>
            <Time at={detail.createdAt} />
          </bdi>
        </span>
      </div>
      <span className="push">
        <StatusBadge of="validation" code={detail.status} source={detail.source} />
      </span>
    </div>
  );
}
