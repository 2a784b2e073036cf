import { useMemo } from 'react';
import { IconSignature } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { SignatureRow } from '../../../core/contracts/dashboard/signatures.ts';
import type { Verdict } from '../../../core/contracts/signatures.ts';
import { signatureComparisons } from '../../api/signatures.ts';
import { ComparisonHistory } from '../../components/comparisons/ComparisonHistory.tsx';
import type { Column } from '../../components/list/columns.ts';
import { useFormats } from '../../i18n/format.ts';
import { ComparisonPanel } from './ComparisonPanel.tsx';
import { SignatureTabs } from './SignatureTabs.tsx';
import './signatures.css';

/** Every comparison of signatures, of two or of a known set, made here or by a program. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const verdicts = useMemo(
    () => ({
      label: t('signatures.column_verdict'),
      any: t('signatures.anyVerdict'),
      of: (verdict: Verdict) => t(`signatures.verdict_${verdict}`),
    }),
    [t],
  );
  const columns = useMemo(
    (): Column<SignatureRow>[] => [
      {
        key: 'known',
        label: t('signatures.column_known'),
        minWidth: 90,
        cell: (row) => ('known' in row ? count(row.known.sha256.known.length) : '–'),
      },
    ],
    [t, count],
  );
  return (
    <ComparisonHistory
      title={t('nav.signatures')}
      label={t('signatures.historyTab')}
      tabs={<SignatureTabs />}
      place="/signatures/history"
      source={signatureComparisons}
      verdicts={verdicts}
      columns={columns}
      panel={(id, close) => <ComparisonPanel key={id} id={id} close={close} />}
      none={{ Icon: IconSignature, help: t('signatures.noneHelp') }}
    />
  );
}
