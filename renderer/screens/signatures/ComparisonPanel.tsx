import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ComparisonRow } from '../../../core/contracts/dashboard/signatures.ts';
import { comparisonQueryById, comparisonReport } from '../../api/signatures.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Panel } from '../../components/Panel.tsx';
import { ReportButton } from '../../components/ReportButton.tsx';
import { SimilarityScale } from '../../components/SimilarityScale.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';

/** One record of the history. */
export function ComparisonPanel({ id, close }: { id: number; close: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(comparisonQueryById(id));
  return (
    <Panel title={t('signatures.record', { id })} close={close} parts>
      <Loaded query={query} rows={8}>
        {(row) => <Record row={row} />}
      </Loaded>
    </Panel>
  );
}

function Record({ row }: { row: ComparisonRow }) {
  const { t, i18n } = useTranslation();
  const { count } = useFormats();
  const { thresholds, sha256, reasons } = row;
  return (
    <div className="panel-body column">
      <SimilarityScale similarity={row.similarity} verdict={row.verdict} thresholds={thresholds} />
      <p>{t(`signatures.means_${row.verdict}`)}</p>
      <div>
        <ReportButton
          fileName={`signature-comparison-${row.id}.pdf`}
          make={() => comparisonReport(row.id, { language: i18n.language })}
        />
      </div>
      <dl className="facts">
        <dt>{t('signatures.column_at')}</dt>
        <dd>
          <Time at={row.at} />
        </dd>
        <dt>{t('signatures.column_by')}</dt>
        <dd>{row.operator ?? t('signatures.program', { credential: row.credential })}</dd>
        <dt>{t('signatures.template')}</dt>
        <dd>
          {row.templateId}{' '}
          <Link to={`/signatures/history?template_id=${encodeURIComponent(row.templateId)}`}>
            {t('signatures.sameTemplate')}
          </Link>
        </dd>
        <dt>{t('signatures.verification')}</dt>
        <dd>
          {row.verificationId}{' '}
          <Link to={`/signatures/history?verification_id=${encodeURIComponent(row.verificationId)}`}>
            {t('signatures.sameVerification')}
          </Link>
        </dd>
        <dt>{t('signatures.thresholds')}</dt>
        <dd>
          {t('signatures.thresholdsText', {
            possible: count(thresholds.possibleMatch),
            match: count(thresholds.match),
          })}
        </dd>
        <dt>{t('facts.pipeline')}</dt>
        <dd className="mono ltr">{row.modelVersion}</dd>
        {(['image1', 'image2'] as const).map((key) => {
          const label = t(key === 'image1' ? 'signatures.first' : 'signatures.second');
          const reason = reasons[key];
          return [
            <dt key={`${key}-hash`}>
              {label}, {t('facts.sha256')}
            </dt>,
            <dd key={`${key}-value`} className="mono ltr">
              {sha256[key]}
            </dd>,
            ...(reason === undefined
              ? []
              : [
                  <dt key={`${key}-reason`}>{label}</dt>,
                  <dd key={`${key}-why`}>
                    {t('signatures.unusable')}: {t(`signatures.reason.${reason}`)}
                  </dd>,
                ]),
          ];
        })}
      </dl>
    </div>
  );
}
