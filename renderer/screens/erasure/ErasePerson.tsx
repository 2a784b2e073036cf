import { Button } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../api/session.ts';
import { erasing, type Erasing } from '../../state/undo.ts';

/** Opens the erasure of the person who is shown. Several validations or faces are listed and erased together. */
export function ErasePerson({ start, gone }: Erasing) {
  const { t } = useTranslation();
  const may = useMay();
  if (!may('persons:erase')) return null;
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="red"
      leftSection={<IconEraser size={15} aria-hidden />}
      onClick={() => erasing.setState({ open: { start, gone } })}
    >
      {t((start.validations ?? []).length > 1 ? 'erasure.actionSelected' : 'erasure.action')}
    </Button>
  );
}
