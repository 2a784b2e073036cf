import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { faceComparisonQueryById } from '../../api/faceComparisons.ts';
import { RecordFacts, RecordHash } from '../../components/comparisons/RecordFacts.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Panel } from '../../components/Panel.tsx';
import { PairCertainty } from '../../components/ScoreScale.tsx';

/** One record of the history. Its photos are stored nowhere, so there is neither a picture nor a report here. */
export function FaceComparisonPanel({ id, close }: { id: number; close: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(faceComparisonQueryById(id));
  return (
    <Panel title={t('signatures.record', { id })} close={close} parts>
      <Loaded query={query} rows={8}>
        {(row) => (
          <div className="panel-body column">
            <PairCertainty of={row} />
            <RecordFacts row={row} place="/compare/history" version={t('facts.pipeline')}>
              {(['image1', 'image2'] as const).map((key) => {
                const label = t(key === 'image1' ? 'faceCompare.first' : 'faceCompare.second');
                const reason = row.reasons[key];
                return [
                  <RecordHash key={`${key}-hash`} image={label} sha256={row.sha256[key]} />,
                  ...(reason === undefined
                    ? []
                    : [
                        <dt key={`${key}-reason`}>{label}</dt>,
                        <dd key={`${key}-why`}>{t(`failures.${reason}.sentence`)}</dd>,
                      ]),
                ];
              })}
            </RecordFacts>
            <p className="soft">{t('faceCompare.reportHelp')}</p>
          </div>
        )}
      </Loaded>
    </Panel>
  );
}
