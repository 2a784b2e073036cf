import { useMemo } from 'react';
import { IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { BAND_OF_VERDICT } from '../../../core/contracts/certainty.ts';
import type { Verdict } from '../../../core/contracts/signatures.ts';
import { useWords, useCertainty } from '../../i18n/words.tsx';
import { faceComparisons, faceComparisonQueryById } from '../../api/comparisons.ts';
import {
  ComparisonHistory,
  PairHashes,
  RecordFacts,
} from '../../components/comparisons/ComparisonHistory.tsx';
import { Loaded, Panel } from '../../components/Page.tsx';
import { PairCertainty } from '../../components/ScoreScale.tsx';
import './compareFaces.css';

/** Every comparison of two faces, made here or by a program, without its photos. */
export function Component() {
  const { t } = useWords();
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
      label={t('nav.compare')}
      place="/compare/history"
      source={faceComparisons}
      verdicts={verdicts}
      panel={(id, close) => <FaceComparisonPanel key={id} id={id} close={close} />}
      none={{ Icon: IconUsersGroup, help: t('faceCompare.noneHelp') }}
    />
  );
}

/** One record of the history. Its photos are stored nowhere, so there is neither a picture nor a report here. */
function FaceComparisonPanel({ id, close }: { id: number; close: () => void }) {
  const { t } = useWords();
  const query = useQuery(faceComparisonQueryById(id));
  return (
    <Panel title={t('signatures.record', { id })} close={close} parts>
      <Loaded query={query} rows={8}>
        {(row) => (
          <div className="panel-body column">
            <PairCertainty of={row} />
            <RecordFacts row={row} place="/compare/history" version={t('facts.pipeline')}>
              <PairHashes
                of={row}
                labels={[t('faceCompare.first'), t('faceCompare.second')]}
                inWords={(reason) => t(`failures.${reason}.sentence`)}
              />
            </RecordFacts>
            <p className="soft">{t('faceCompare.reportHelp')}</p>
          </div>
        )}
      </Loaded>
    </Panel>
  );
}
