import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ValidationFileColumn } from '../../../../core/contracts/dashboard/lists.ts';
import type { ValidationQuery } from '../../../../core/contracts/dashboard/validations.ts';
import { exportValidations } from '../../../api/lists.ts';
import { downloadFile } from '../../../components/downloadFile.ts';
import { ExportButton } from '../../../components/ExportButton.tsx';
import type { OptionalColumn } from '../useColumns.tsx';
import { useListChoice } from '../useListChoice.ts';

/** The column of the file for each column of the screen. */
const FILE_COLUMNS: Readonly<Record<OptionalColumn, readonly ValidationFileColumn[]>> = {
  id: [],
  score: ['bestScore', 'bestBand'],
  match: ['bestMatch', 'bestMatchPerson', 'bestMatchIn', 'bestMatchSeverity'],
  hits: ['duplicateDetected', 'blacklistDetected'],
  flow: ['trustFlow'],
  created: ['created'],
  finalized: ['finalised'],
};

/** Saves the validations of a filter as a file with the columns of the screen. @param ids these alone */
export function ExportValidations({ filter, ids }: { filter: ValidationQuery; ids?: readonly number[] }) {
  const { t } = useTranslation();
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
  const { t } = useTranslation();
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
