import { useTranslation } from 'react-i18next';
import type { EstimatedShare, MeasuredSignatures } from '../../../core/contracts/signatureCalibration.ts';
import { WideTable } from '../../components/WideTable.tsx';
import { useFormats } from '../../i18n/format.ts';

/** Measured error rates at both fixed points, on the shipped scale and on the company's own. */
export function OwnRates({ of }: { of: MeasuredSignatures }) {
  const { t } = useTranslation();
  const { count, decimal } = useFormats();
  return (
    <>
      <WideTable label={t('signatureCalibration.rates')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('signatures.rateCase')}</th>
              <th scope="col">{t('signatureCalibration.shipped')}</th>
              <th scope="col">{t('signatureCalibration.own')}</th>
            </tr>
          </thead>
          <tbody>
            {of.rates.map(({ of: pairs, score, shipped, own }) => (
              <tr key={`${pairs}-${score}`}>
                <th scope="row">{t(`signatureCalibration.rate_${pairs}`, { score: count(score) })}</th>
                <Share of={shipped} />
                {own === null ? <td>–</td> : <Share of={own} />}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {of.fixedPoints.map(({ score, similarity, low, high, statement }) => (
        <p key={score}>
          {t('signatureCalibration.point', {
            score: count(score),
            similarity: decimal(similarity),
            low: decimal(low),
            high: decimal(high),
          })}{' '}
          <span className="soft">{t(`signatureCalibration.statement_${statement}`)}</span>
        </p>
      ))}
      <p className="soft">
        {t('signatureCalibration.ratesHelp', {
          signatures: count(of.signatures),
          writers: count(of.writers),
        })}
      </p>
    </>
  );
}

/** A rate with its interval. */
export function Share({ of: { share, low, high } }: { of: EstimatedShare }) {
  const { t } = useTranslation();
  const { percent } = useFormats();
  return (
    <td>
      {percent(share)}{' '}
      <span className="measured-range soft">
        {t('signatures.rateRange', { from: percent(low), to: percent(high) })}
      </span>
    </td>
  );
}
