import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Decision, ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { ApiError } from '../../api/client.ts';
import { decide, validationQueryById } from '../../api/validations.ts';
import { undoStore } from '../../state/undo.ts';

const MEANING = {
  verify: 'review.noteVerify',
  reject: 'review.noteReject',
  review: 'decision.noteReview',
} as const satisfies Record<Decision, string>;

/**
 * Decides a validation, and offers for ten seconds to put it back into review.
 * `undone` runs after it was put back, e.g. to return to it.
 */
export function useDecision(undone?: (id: number) => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const settle = (detail: ValidationDetail) => {
    client.setQueryData(validationQueryById(detail.id).queryKey, detail);
    void client.invalidateQueries({ queryKey: ['validations', 'list'] });
  };
  const offerUndo = (detail: ValidationDetail, decision: Decision) => {
    // A verification that was sent without a name is called after its Trust Flow, as many others are.
    const { id, name, trustFlowName } = detail;
    const text = t(`decision.done_${decision}`, {
      name: name === trustFlowName ? t('palette.validation', { id }) : name,
    });
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
        // Without words of the reviewer's own, the record says what the decision means.
        note: note.trim() === '' ? t(MEANING[decision]) : note.trim(),
        seenStatus: detail.status,
      }),
    onSuccess: (detail, { decision }) => {
      settle(detail);
      if (decision !== 'review') offerUndo(detail, decision);
    },
    onError: (error, { detail }) => {
      // Somebody decided in the meantime: show what they decided instead of ours.
      if (error instanceof ApiError && error.status === 409)
        void client.invalidateQueries({ queryKey: validationQueryById(detail.id).queryKey });
    },
  });
}
