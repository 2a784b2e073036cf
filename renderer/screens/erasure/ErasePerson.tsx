import { IconEraser } from '@tabler/icons-react';
import { Action } from '../../components/Page.tsx';
import { useMay } from '../../api/session.ts';
import { erasing, type Erasing } from '../../state/undo.ts';
import { useWords } from '../../i18n/words.tsx';

/**
 * Opens the erasure of the person who is shown.
 * @param props `selected`: how many records of a list the operator selected, which are listed and erased together
 */
export function ErasePerson({ start, gone, selected = 1 }: Erasing & { selected?: number }) {
  const { t } = useWords();
  const may = useMay();
  if (!may('persons:erase')) return null;
  return (
    <Action
      variant="subtle"
      size="compact-sm"
      color="red"
      Icon={IconEraser}
      label={t(selected > 1 ? 'erasure.actionSelected' : 'erasure.action')}
      onClick={() => erasing.setState({ open: { start, gone } })}
    />
  );
}
