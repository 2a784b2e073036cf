import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PersonsAnswer } from '../../../core/contracts/dashboard/persons.ts';
import { undoDecision } from '../../api/duplicates.ts';
import { undoStore } from '../../state/undo.ts';

/** Reads again all that shows persons: their lists, and the groups and validations that name them. */
export async function refreshPersons(client: QueryClient): Promise<void> {
  await Promise.all(
    ['persons', 'duplicates', 'validations'].map((topic) => client.invalidateQueries({ queryKey: [topic] })),
  );
}

/**
 * A merge, a split or a move, with ten seconds to undo it. The history of the person undoes it later.
 * @param done runs after the change. @returns its sentence
 */
export function usePersonChange<T>(
  change: (input: T) => Promise<PersonsAnswer>,
  done: (answer: PersonsAnswer, input: T) => string,
) {
  const client = useQueryClient();
  const { t } = useTranslation();
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer, input) => {
      undoStore.getState().offer(done(answer, input), async () => {
        await undoDecision(answer.decisionId);
        await refreshPersons(client);
        undoStore.getState().notify(t('persons.undone'));
      });
      await refreshPersons(client);
    },
    // A version that is no longer the current one: show the present data.
    onError: () => refreshPersons(client),
  });
}
