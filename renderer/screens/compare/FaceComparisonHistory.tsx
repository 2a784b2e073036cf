import { useMemo } from 'react';
import { IconUsersGroup } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { BAND_OF_VERDICT } from '../../../core/contracts/certainty.ts';
import type { Verdict } from '../../../core/contracts/signatures.ts';
import { useCertainty } from '../../i18n/format.ts';
import { faceComparisons } from '../../api/faceComparisons.ts';
import { ComparisonHistory } from '../../components/comparisons/ComparisonHistory.tsx';
import { CompareTabs } from './CompareTabs.tsx';
import { FaceComparisonPanel } from './FaceComparisonPanel.tsx';
import './compareFaces.css';

/** Every comparison of two faces, made here or by a program, without its photos. */
export function Component() {
  const { t } = useTranslation();
  const { bands } = useCertainty();
  const verdicts = useMemo(
    () => ({
      label: t('faceCompare.band'),
      any: t('faceCompare.anyBand'),
      of: (verdict: Verdict) =>
        verdict === 'INCONCLUSIVE' ? t('signatures.verdict_INCONCLUSIVE') : bands[BAND_OF_VERDICT[verdict]],
    }),
    [t, bands],
  );
  return (
    <ComparisonHistory
      title={t('nav.compare')}
      label={t('signatures.historyTab')}
      tabs={<CompareTabs />}
      place="/compare/history"
      source={faceComparisons}
      verdicts={verdicts}
      panel={(id, close) => <FaceComparisonPanel key={id} id={id} close={close} />}
      none={{ Icon: IconUsersGroup, help: t('faceCompare.noneHelp') }}
    />
  );
}
