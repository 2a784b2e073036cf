import { useTranslation } from 'react-i18next';
import { MEASURED_SIGNATURE_BANDS, MEASURED_SIGNATURE_RATES } from '../../../core/contracts/signatures.ts';
import { WideTable } from '../../components/WideTable.tsx';
import { useFormats } from '../../i18n/format.ts';

const BANDS = ['match', 'possibleMatch'] as const;
const CASES = ['strangers', 'imitations', 'genuine'] as const;

/** How often it errs, measured; so that nobody takes a number for a proof. */
export function ErrorRates() {
  const { t } = useTranslation();
  const { count, percent } = useFormats();
  const { media, paper } = MEASURED_SIGNATURE_RATES;
  return (
    <details className="rates" open>
      <summary>{t('signatures.rates')}</summary>
      <p className="soft">{t('signatures.ratesHelp')}</p>
      <WideTable label={t('signatures.rates')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('signatures.rateCase')}</th>
              <th scope="col">{t('signatures.ratePaper')}</th>
              <th scope="col">{t('signatures.rateMedia')}</th>
            </tr>
          </thead>
          <tbody>
            {BANDS.flatMap((band) =>
              CASES.map((each) => (
                <tr key={`${band}-${each}`}>
                  <th scope="row">
                    {t(`signatures.rate_${each}`, { score: count(MEASURED_SIGNATURE_BANDS[band]) })}
                  </th>
                  <td>{percent(paper[band][each])}</td>
                  <td>{percent(media[band][each])}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </WideTable>
    </details>
  );
}
