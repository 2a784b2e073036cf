import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Decision, ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { ApiError } from '../../api/client.ts';
import { decide, validationQueryById } from '../../api/validations.ts';
import { undoStore } from '../../state/undo.ts';
import { validationName } from './validationName.ts';

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
  const { t } = useTranslation();
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
