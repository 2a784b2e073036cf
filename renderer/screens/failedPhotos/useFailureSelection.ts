import { useCallback } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { FailureQuery, FailureRow } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { loadAllFailures } from '../../api/enrolmentRuns.ts';
import { useRowSelection, type RowSelection } from '../../components/list/selection.ts';
import { undoStore } from '../../state/undo.ts';

export const rowKey = ({ id }: FailureRow) => id;

/** The selection of failed photos. Ctrl A selects all photos of the filter. */
export function useFailureSelection(
  filter: FailureQuery,
  rows: readonly FailureRow[],
): RowSelection<FailureRow> {
  const { t } = useTranslation();
  const all = useMutation({
    mutationFn: () => loadAllFailures(filter),
    onSuccess: (found) => {
      selection.add(found);
    },
    onError: () => undoStore.getState().notify(t('failedPhotos.notSelected')),
  });
  const { mutate } = all;
  const selectAll = useCallback(() => mutate(), [mutate]);
  const selection = useRowSelection(rows, rowKey, selectAll);
  return selection;
}
