import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { KNOWN_SET_RATES } from '../../../core/contracts/knownSignatureRates.ts';
import { MEASURED_SIGNATURE_WRITERS } from '../../../core/contracts/signatures.ts';
import { signatureCalibrationQuery } from '../../api/signatureCalibration.ts';
import { WideTable } from '../../components/WideTable.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Measured } from './ErrorRates.tsx';
import { OwnKnownRates } from './OwnKnownRates.tsx';

/**
 * The error rates of the comparison with several known signatures, and the writers that they rest on: those of the company's
 * own signatures too, where they were measured with the same version.
 */
export function KnownRates({ modelVersion }: { modelVersion: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(signatureCalibrationQuery);
  const own = data?.measured?.knownSets;
  return (
    <details className="rates" open>
      <summary>{t('signatures.rates')}</summary>
      {own?.modelVersion === modelVersion ? (
        <>
          <OwnKnownRates of={own} />
          <h3 className="rates-heading">{t('knownSignatures.shippedRates')}</h3>
        </>
      ) : null}
      <ShippedKnownRates />
    </details>
  );
}

function ShippedKnownRates() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { paper, media } = MEASURED_SIGNATURE_WRITERS;
  return (
    <>
      <p className="soft">{t('knownSignatures.ratesHelp', { paper: count(paper), media: count(media) })}</p>
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
            {KNOWN_SET_RATES.map((row) => (
              <tr key={`${row.of}-${row.known}`}>
                <th scope="row">{t(`knownSignatures.rate_${row.of}`, { known: count(row.known) })}</th>
                <Measured of={row.paper} />
                {row.media === null ? <td>–</td> : <Measured of={row.media} />}
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </>
  );
}
