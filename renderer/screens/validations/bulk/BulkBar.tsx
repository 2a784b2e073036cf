import { lazy, Suspense, useState } from 'react';
import { Button } from '@mantine/core';
import { IconClipboardCheck, IconUserPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ValidationRow } from '../../../../core/contracts/dashboard/validations.ts';
import { useMay, useSession } from '../../../api/session.ts';
import type { RowSelection } from '../../../components/list/selection.ts';
import { ErasePerson } from '../../erasure/ErasePerson.tsx';
import { ExportValidations } from './ExportValidations.tsx';

const DecideDialog = lazy(async () => ({ default: (await import('./DecideDialog.tsx')).DecideDialog }));
const AddDialog = lazy(async () => ({ default: (await import('./AddDialog.tsx')).AddDialog }));

/** The actions for the selected validations. */
export function BulkBar({ selection }: { selection: RowSelection<ValidationRow> }) {
  const { t } = useTranslation();
  const may = useMay();
  const { company } = useSession();
  const [dialog, setDialog] = useState<'decide' | 'add'>();
  const rows = [...selection.rows.values()];
  if (rows.length === 0) return null;
  const props = { rows, close: () => setDialog(undefined), done: selection.clear };
  return (
    <div className="bulk-bar" role="region" aria-label={t('validations.selection')}>
      <strong>{t('common.selected', { count: rows.length })}</strong>
      {may('validations:decide') ? (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconClipboardCheck size={15} aria-hidden />}
          onClick={() => setDialog('decide')}
        >
          {t('validations.decideAll')}
        </Button>
      ) : null}
      {may('blacklists:add') && company.features.blacklists ? (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconUserPlus size={15} aria-hidden />}
          onClick={() => setDialog('add')}
        >
          {t('search.add')}
        </Button>
      ) : null}
      <ExportValidations filter={{}} ids={rows.map(({ id }) => id)} />
      <ErasePerson start={{ validations: rows.map(({ id }) => id) }} gone={selection.clear} />
      <Button className="push" size="compact-sm" variant="subtle" onClick={selection.clear}>
        {t('keys.unselect')}
      </Button>
      <Suspense fallback={null}>
        {dialog === 'decide' ? <DecideDialog {...props} /> : null}
        {dialog === 'add' ? <AddDialog {...props} /> : null}
      </Suspense>
    </div>
  );
}
