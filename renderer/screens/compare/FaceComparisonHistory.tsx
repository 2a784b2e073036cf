import { IconUsersGroup } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { faceComparisons } from '../../api/faceComparisons.ts';
import { ComparisonHistory } from '../../components/comparisons/ComparisonHistory.tsx';
import { CompareTabs } from './CompareTabs.tsx';
import { FaceComparisonPanel } from './FaceComparisonPanel.tsx';
import './compareFaces.css';

/** Every comparison of two faces, made here or by a program, without its photos. */
export function Component() {
  const { t } = useTranslation();
  return (
    <ComparisonHistory
      title={t('nav.compare')}
      label={t('signatures.historyTab')}
      tabs={<CompareTabs />}
      place="/compare/history"
      source={faceComparisons}
      panel={(id, close) => <FaceComparisonPanel key={id} id={id} close={close} />}
      none={{ Icon: IconUsersGroup, help: t('faceCompare.noneHelp') }}
    />
  );
}
