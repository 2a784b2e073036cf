import { useQuery } from '@tanstack/react-query';
import {
  MEASURED_SIGNATURE_WRITERS,
  measuredSignatureRates,
  type MeasuredShare,
} from '../../../core/contracts/signatures.ts';
import type {
  EstimatedShare,
  MeasuredSignatures,
  MeasuredKnownSets,
} from '../../../core/contracts/signatureCalibration.ts';
import { signatureCalibrationQuery } from '../../api/comparisons.ts';
import { WideTable } from '../../components/Page.tsx';
import { useWords } from '../../i18n/words.tsx';

/** The error rates that apply to the company: those of its own signatures where it has calibrated. */
export function ErrorRates() {
  const { t } = useWords();
  const { data } = useQuery(signatureCalibrationQuery);
  return (
    <details className="rates" open>
      <summary>{t('signatures.rates')}</summary>
      {data?.measured == null ? <ShippedRates /> : <OwnRates of={data.measured} />}
    </details>
  );
}

/** The error rates of the matcher as shipped, and the writers that they rest on. */
export function ShippedRates() {
  const { t, count } = useWords();
  return (
    <MediaRates
      help="signatures.ratesHelp"
      rows={measuredSignatureRates().map(({ of, score, paper, media }) => ({
        key: `${of}-${score}`,
        label: t(`signatures.rate_${of}`, { score: count(score) }),
        paper,
        media,
      }))}
    />
  );
}

interface MediaRate {
  key: string;
  label: string;
  paper: MeasuredShare;
  /** Null: not measured. */
  media: MeasuredShare | null;
}

/** Rates on paper and across media, under the writers that they rest on. */
export function MediaRates(props: {
  help: 'signatures.ratesHelp' | 'knownSignatures.ratesHelp';
  rows: readonly MediaRate[];
}) {
  const { t, count } = useWords();
  const writers = MEASURED_SIGNATURE_WRITERS;
  return (
    <>
      <p className="soft">{t(props.help, { paper: count(writers.paper), media: count(writers.media) })}</p>
      <WideTable
        label={t('signatures.rates')}
        head={[t('signatures.rateCase'), t('signatures.ratePaper'), t('signatures.rateMedia')]}
      >
        {props.rows.map(({ key, label, paper, media }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            <Measured of={paper} />
            {media === null ? <td>–</td> : <Measured of={media} />}
          </tr>
        ))}
      </WideTable>
    </>
  );
}

/** The rate with its confidence interval, which is not empty when no pair erred. */
function Measured({ of: { share, from, to } }: { of: MeasuredShare }) {
  const { t, percent } = useWords();
  const limits = { from: percent(from), to: percent(to) };
  return (
    <td>
      {share === 0 ? t('signatures.rateNone') : percent(share)}{' '}
      <span className="measured-range soft">
        {t(share === 0 ? 'signatures.rateUnder' : 'signatures.rateRange', limits)}
      </span>
    </td>
  );
}

/** Measured error rates at both fixed points, on the shipped scale and on the company's own. */
export function OwnRates({ of }: { of: MeasuredSignatures }) {
  const { t, count, decimal } = useWords();
  return (
    <>
      <WideTable
        label={t('signatureCalibration.rates')}
        head={[t('signatures.rateCase'), t('signatureCalibration.shipped'), t('signatureCalibration.own')]}
      >
        {of.rates.map(({ of: pairs, score, shipped, own }) => (
          <tr key={`${pairs}-${score}`}>
            <th scope="row">{t(`signatureCalibration.rate_${pairs}`, { score: count(score) })}</th>
            <Share of={shipped} />
            {own === null ? <td>–</td> : <Share of={own} />}
          </tr>
        ))}
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
  const { t, percent } = useWords();
  return (
    <td>
      {percent(share)}{' '}
      <span className="measured-range soft">
        {t('signatures.rateRange', { from: percent(low), to: percent(high) })}
      </span>
    </td>
  );
}

/** How often findings with several known signatures supported the wrong proposition on the company's own signatures. */
export function OwnKnownRates({ of: { rates } }: { of: MeasuredKnownSets }) {
  const { t, count } = useWords();
  return (
    <>
      <WideTable
        label={t('knownSignatures.ownRates')}
        head={[
          t('knownSignatures.ownCase'),
          t('knownSignatures.ownGenuine'),
          t('knownSignatures.ownOther'),
          t('signatureCalibration.writers'),
        ]}
      >
        {rates.map(({ of, known, genuine, other, writers }) => (
          <tr key={`${of}-${known}`}>
            <th scope="row">{t(`knownSignatures.rate_${of}`, { known: count(known) })}</th>
            <Share of={genuine} />
            <Share of={other} />
            <td>{count(writers)}</td>
          </tr>
        ))}
      </WideTable>
      <p className="soft">{t('knownSignatures.ownRatesHelp')}</p>
    </>
  );
}
