import { useTranslation } from 'react-i18next';
import type { MeasuredKnownSets } from '../../../core/contracts/signatureCalibration.ts';
import { WideTable } from '../../components/WideTable.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Share } from './OwnRates.tsx';

/** How often findings with several known signatures supported the wrong proposition on the company's own signatures. */
export function OwnKnownRates({ of: { rates } }: { of: MeasuredKnownSets }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  return (
    <>
      <WideTable label={t('knownSignatures.ownRates')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('knownSignatures.ownCase')}</th>
              <th scope="col">{t('knownSignatures.ownGenuine')}</th>
              <th scope="col">{t('knownSignatures.ownOther')}</th>
              <th scope="col">{t('signatureCalibration.writers')}</th>
            </tr>
          </thead>
          <tbody>
            {rates.map(({ of, known, genuine, other, writers }) => (
              <tr key={`${of}-${known}`}>
                <th scope="row">{t(`knownSignatures.rate_${of}`, { known: count(known) })}</th>
                <Share of={genuine} />
                <Share of={other} />
                <td>{count(writers)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      <p className="soft">{t('knownSignatures.ownRatesHelp')}</p>
    </>
  );
}
