import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { KNOWN_SET_RATES } from '../../../core/contracts/knownSignatureRates.ts';
import { signatureCalibrationQuery } from '../../api/signatureCalibration.ts';
import { useFormats } from '../../i18n/format.ts';
import { MediaRates } from './ErrorRates.tsx';
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
  return (
    <MediaRates
      help="knownSignatures.ratesHelp"
      rows={KNOWN_SET_RATES.map(({ of, known, paper, media }) => ({
        key: `${of}-${known}`,
        label: t(`knownSignatures.rate_${of}`, { known: count(known) }),
        paper,
        media,
      }))}
    />
  );
}
