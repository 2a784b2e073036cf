import { lazy, Suspense, useState } from 'react';
import { IconClipboardCheck, IconUserPlus, IconDownload } from '@tabler/icons-react';
import type { ValidationRow, ValidationQuery } from '../../../../core/contracts/dashboard/validations.ts';
import type { ValidationFileColumn } from '../../../../core/contracts/dashboard/lists.ts';
import type { Permission } from '../../../../core/contracts/dashboard/permissions.ts';
import { Action } from '../../../components/Page.tsx';
import { useMay, useSession } from '../../../api/session.ts';
import type { RowSelection } from '../../../components/list/columns.ts';
import { ErasePerson } from '../../erasure/ErasePerson.tsx';
import { exportValidations } from '../../../api/validations.ts';
import { downloadFile, ExportButton } from '../../../components/ExportButton.tsx';
import type { OptionalColumn } from '../useColumns.tsx';
import { useListChoice } from '../matches.ts';
import { useWords } from '../../../i18n/words.tsx';

const DecideDialog = lazy(async () => ({ default: (await import('./DecideDialog.tsx')).DecideDialog }));
const AddDialog = lazy(async () => ({ default: (await import('./AddDialog.tsx')).AddDialog }));

/** Each allows an action for several validations: a role without any of them marks none. */
export const BULK_ACTIONS: readonly Permission[] = [
  'validations:decide',
  'blacklists:add',
  'exports:create',
  'persons:erase',
];

/** The actions for the selected validations. */
export function BulkBar({ selection }: { selection: RowSelection<ValidationRow> }) {
  const { t } = useWords();
  const may = useMay();
  const { company } = useSession();
  const [dialog, setDialog] = useState<'decide' | 'add'>();
  const rows = [...selection.rows.values()];
  if (rows.length === 0) return null;
  const props = { rows, close: () => setDialog(undefined), done: selection.clear };
  return (
    <div className="bulk-bar" role="region" aria-label={t('validations.selection')}>
      <strong>{t('common.selected', { count: rows.length })}</strong>
      <Action
        may="validations:decide"
        size="compact-sm"
        Icon={IconClipboardCheck}
        label={t('validations.decideAll')}
        onClick={() => setDialog('decide')}
      />
      {may('blacklists:add') && company.features.blacklists ? (
        <Action
          size="compact-sm"
          Icon={IconUserPlus}
          label={t('search.add')}
          onClick={() => setDialog('add')}
        />
      ) : null}
      <ExportValidations filter={{}} ids={rows.map(({ id }) => id)} />
      <ErasePerson
        start={{ validations: rows.map(({ id }) => id) }}
        gone={selection.clear}
        selected={rows.length}
      />
      <Action
        variant="subtle"
        size="compact-sm"
        className="push"
        label={t('keys.unselect')}
        onClick={selection.clear}
      />
      <Suspense fallback={null}>
        {dialog === 'decide' ? <DecideDialog {...props} /> : null}
        {dialog === 'add' ? <AddDialog {...props} /> : null}
      </Suspense>
    </div>
  );
}

/** The column of the file for each column of the screen. */
const FILE_COLUMNS: Readonly<Record<OptionalColumn, readonly ValidationFileColumn[]>> = {
  id: [],
  reference: ['reference'],
  score: ['bestScore', 'bestBand'],
  match: ['bestMatch', 'bestMatchPerson', 'bestMatchIn', 'bestMatchSeverity'],
  hits: ['duplicateDetected', 'blacklistDetected'],
  flow: ['trustFlow'],
  created: ['created'],
  finalized: ['finalised'],
};

/** Saves the validations of a filter as a file with the columns of the screen. @param ids these alone */
export function ExportValidations({ filter, ids }: { filter: ValidationQuery; ids?: readonly number[] }) {
  const { t } = useWords();
  const { hiddenColumns: hidden } = useListChoice();
  const shown = Object.entries(FILE_COLUMNS).flatMap(([column, inFile]) =>
    hidden.some((each) => each === column) ? [] : inFile,
  );
  const columns: ValidationFileColumn[] = [
    'number',
    'name',
    'person',
    'status',
    'incompleteReason',
    ...shown,
  ];
  return (
    <ExportButton
      size="xs"
      label={t('validations.exportCsv')}
      icon={<IconDownload size={15} aria-hidden />}
      run={() => exportValidations({ rows: 'validations', filter, columns, ids: ids && [...ids] })}
      done={(file) => downloadFile('vouch-validations.csv', file)}
    />
  );
}

/** Saves each match of the validations of a filter as a line of a file. */
export function ExportMatches({ filter }: { filter: ValidationQuery }) {
  const { t } = useWords();
  return (
    <ExportButton
      size="xs"
      label={t('validations.exportMatches')}
      icon={<IconDownload size={15} aria-hidden />}
      run={() => exportValidations({ rows: 'matches', filter })}
      done={(file) => downloadFile('vouch-matches.csv', file)}
    />
  );
}
