import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type {
  GroupDecisionRequest,
  GroupDetail,
  PersonDecision,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { decideGroup, groupQueryById, undoDecision } from '../../api/duplicates.ts';
import { ApiError } from '../../api/client.ts';
import { undoStore } from '../../state/undo.ts';

interface GroupDecision {
  detail: GroupDetail;
  about: GroupDecisionRequest['about'];
  decision: PersonDecision;
  /** Empty: without a reason. */
  reason: string;
}

/**
 * Decides about a group, a pair, a split or a join, and offers for ten seconds to undo it.
 * @param undone runs after the decision was undone, e.g. to open the group
 */
export function useGroupDecision(undone: (group: number) => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const refresh = async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ['duplicates'] }),
      client.invalidateQueries({ queryKey: ['persons'] }),
    ]);
  };
  return useMutation({
    mutationFn: ({ detail, about, decision, reason }: GroupDecision) =>
      decideGroup(detail.id, {
        version: detail.version,
        about,
        decision,
        reason: reason.trim() === '' ? null : reason.trim(),
      }),
    onSuccess: ({ decisionId, group }, { detail: { id }, decision }) => {
      const waits = group?.state === 'awaitingConfirmation';
      const text = t(waits ? 'duplicates.done_confirmation' : `duplicates.done_${decision}`, { id });
      if (decisionId === null) undoStore.getState().notify(text);
      else
        undoStore.getState().offer(text, async () => {
          await undoDecision(decisionId);
          await refresh();
          undone(id);
        });
      void refresh();
    },
    onError: (error, { detail }) => {
      // Another operator has changed the group in the meantime: show its present state.
      if (error instanceof ApiError && error.status === 409)
        void client.invalidateQueries({ queryKey: groupQueryById(detail.id).queryKey });
    },
  });
}
