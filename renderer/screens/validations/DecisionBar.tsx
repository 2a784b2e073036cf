import { useState, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Decision, ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { TRUST_VALIDATION_STATUS } from '../../../core/contracts/codes.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import { Dialog } from '../../components/Form.tsx';
import { useWords } from '../../i18n/words.tsx';
import { matchName, personsOf, validationName } from './matches.ts';
import { ApiError } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { decide, validationQueryById } from '../../api/validations.ts';
import { undoStore } from '../../state/undo.ts';

const { Rejected, ReviewNeeded, Verified } = TRUST_VALIDATION_STATUS;

/** Note and decision, for roles that may decide. Without a note of the reviewer, a standard note states what the decision means. */
export function DecisionBar({ detail }: { detail: ValidationDetail }) {
  const { t } = useWords();
  const may = useMay();
  const [note, setNote] = useState('');
  const work = useDecision();
  const labels = decisionLabels(detail);
  const open = detail.status === ReviewNeeded;
  const run = (decision: Decision) => {
    work.mutate({ detail, decision, note }, { onSuccess: () => setNote('') });
  };
  const clearance = useClearance(detail, run);
  if (!may('validations:decide')) return null;
  if (!open && detail.status !== Rejected && detail.status !== Verified) return null;
  return (
    <div className="panel-foot column">
      <ErrorLine error={work.error} />
      {clearance.dialog}
      <div className="row wrap decision-bar">
        <TextInput
          className="decision-note"
          aria-label={t('decision.note')}
          placeholder={t('decision.notePlaceholder')}
          maxLength={1000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {open ? (
          <DecisionButtons size="sm" labels={labels} choose={clearance.ask} />
        ) : (
          <Action Icon={IconArrowBackUp} label={t('decision.review')} onClick={() => run('review')} />
        )}
      </div>
    </div>
  );
}

/**
 * The two decisions, named by the judgement about the person, with the resulting status beneath.
 * @param props `keyOf`: the key of a decision, where the screen has one
 */
export function DecisionButtons(props: {
  labels: ReturnType<typeof decisionLabels>;
  disabled?: boolean;
  size: 'sm' | 'md';
  keyOf?: (decision: Decision) => ReactNode;
  choose: (decision: Decision) => void;
}) {
  const { labels, disabled = false, size, keyOf, choose } = props;
  const { t } = useWords();
  const icon = size === 'md' ? 18 : 16;
  return (
    <>
      {(['verify', 'reject'] as const).map((decision) => {
        const Icon = decision === 'verify' ? IconCircleCheck : IconCircleX;
        return (
          <Button
            key={decision}
            className="decision-button"
            size={size}
            color={decision === 'verify' ? 'green' : 'red'}
            disabled={disabled}
            leftSection={<Icon size={icon} aria-hidden />}
            rightSection={keyOf?.(decision)}
            onClick={() => choose(decision)}
          >
            <span className="decision-words">
              {t(labels[decision])}
              {labels.list === null ? null : (
                <small>{t(`decision.outcome_${decision}_${labels.list}`)}</small>
              )}
            </span>
          </Button>
        );
      })}
    </>
  );
}

/** The strong blacklist hits that a decision would clear: those alone need a confirmation. */
export function clearedHits(detail: ValidationDetail, decision: Decision) {
  if (decision !== 'verify') return [];
  return personsOf(detail).filter(({ kind, reading }) => kind === 'blacklist' && reading.band === 'strong');
}

/**
 * Asks for a confirmation before a person is cleared who strongly resembles a face of a blacklist. All other decisions
 * run at once: they can be undone.
 * @returns `ask` runs the decision now or after the confirmation, and answers whether it asked first
 */
export function useClearance(
  detail: ValidationDetail,
  run: (decision: Decision) => void,
): { ask: (decision: Decision) => boolean; dialog: ReactNode } {
  const { t, decimal } = useWords();
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return {
    ask: (decision) => {
      const first = clearedHits(detail, decision).length > 0;
      if (first) setAsking(true);
      else run(decision);
      return first;
    },
    dialog: asking ? (
      <Dialog title={t('decision.clearTitle')} close={close}>
        <div className="column">
          {clearedHits(detail, 'verify').map((match) => (
            <p key={match.key}>
              {t('decision.clearHit', {
                name: validationName(t, detail),
                face: matchName(t, match),
                list: match.list ?? '',
                score: decimal(match.reading.score),
              })}
            </p>
          ))}
          <p className="soft">{t('decision.clearMeaning')}</p>
          <div className="row push">
            <Action label={t('common.cancel')} data-autofocus onClick={close} />
            <Action
              primary
              color="green"
              label={t('decision.differentPerson')}
              onClick={() => {
                close();
                run('verify');
              }}
            />
          </div>
        </div>
      </Dialog>
    ) : null,
  };
}

const MEANING = {
  verify: 'review.noteVerify',
  reject: 'review.noteReject',
  review: 'decision.noteReview',
} as const satisfies Record<Decision, string>;

/**
 * The labels of the two decisions. With a match they name the answer about the person, because “verify” could also be
 * read as confirming the match. The outcome names the list that the matches are in.
 */
export function decisionLabels({ duplicates, blacklists }: ValidationDetail) {
  if (duplicates.length + blacklists.length === 0)
    return { verify: 'decision.verify', reject: 'decision.reject', list: null } as const;
  const list = blacklists.length === 0 ? 'duplicate' : duplicates.length === 0 ? 'blacklist' : 'both';
  return { verify: 'decision.differentPerson', reject: 'decision.samePerson', list } as const;
}

/**
 * Decides a validation, and offers for ten seconds to return it to review.
 * @param undone runs after it was returned, e.g. to open it again
 */
export function useDecision(undone?: (id: number) => void) {
  const { t } = useWords();
  const client = useQueryClient();
  const settle = (detail: ValidationDetail) => {
    client.setQueryData(validationQueryById(detail.id).queryKey, detail);
    void client.invalidateQueries({ queryKey: ['validations', 'list'] });
  };
  const offerUndo = (detail: ValidationDetail, decision: Decision) => {
    const { id } = detail;
    const text = t(`decision.done_${decision}`, { name: validationName(t, detail) });
    undoStore.getState().offer(text, async () => {
      const { status } = detail;
      settle(await decide(id, { decision: 'review', note: t('decision.undoNote'), seenStatus: status }));
      undone?.(id);
    });
  };
  return useMutation({
    mutationFn: ({
      detail,
      decision,
      note,
    }: {
      detail: ValidationDetail;
      decision: Decision;
      note: string;
    }) =>
      decide(detail.id, {
        decision,
        // Without a note of the reviewer, a standard note states what the decision means.
        note: note.trim() === '' ? t(MEANING[decision]) : note.trim(),
        seenStatus: detail.status,
      }),
    onSuccess: (detail, { decision }) => {
      settle(detail);
      if (decision !== 'review') offerUndo(detail, decision);
    },
    onError: (error, { detail }) => {
      // Another reviewer has decided in the meantime: show that decision.
      if (error instanceof ApiError && error.status === 409)
        void client.invalidateQueries({ queryKey: validationQueryById(detail.id).queryKey });
    },
  });
}
