import { useState, useId } from 'react';
import { Checkbox } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { KNOWN_SIGNATURE_LIMITS, KNOWN_SET_RATES } from '../../../core/contracts/knownSignatures.ts';
import type { KnownSetAnswer } from '../../../core/contracts/dashboard/signatures.ts';
import { Action, Page, ErrorState } from '../../components/Page.tsx';
import { ApiError } from '../../api/client.ts';
import { compareKnownSignatures, knownSetReport, signatureCalibrationQuery } from '../../api/comparisons.ts';
import { useWords } from '../../i18n/words.tsx';
import { CompareRow, References, type References as Names, newReference, type Side } from './Sides.tsx';
import { dataUriOf } from '../../components/readableImage.ts';
import { Specimens, useSpecimens, type SpecimensState } from './Specimens.tsx';
import { ReportButton } from '../../components/ExportButton.tsx';
import { SimilarityScale } from '../../components/ScoreScale.tsx';
import { KnownFindings } from './KnownFindings.tsx';
import { PairViews } from './PairViews.tsx';
import { MediaRates, OwnKnownRates } from './ErrorRates.tsx';
import './signatures.css';

interface Given {
  questioned: Side;
  known: readonly Side[];
}

/** One questioned signature and several known ones: what the likeness says about the writer. */
export function Component() {
  const { t, time } = useWords();
  const [names, setNames] = useState<Names>(() => ({ template: 'manual', verification: newReference() }));
  const [acrossMedia, setAcrossMedia] = useState(false);
  const work = useMutation({
    mutationFn: async ({ questioned, known }: Given) =>
      compareKnownSignatures({
        questioned: await dataUriOf(questioned),
        known: await Promise.all(known.map(dataUriOf)),
        template_id: names.template.trim(),
        verification_id: names.verification.trim(),
        across_media: acrossMedia,
      }),
  });
  const specimens = useSpecimens(work.reset);
  const startNew = () => {
    specimens.clear();
    setNames({ ...names, verification: newReference() });
  };
  const { data, error, isPending } = work;
  const named = error instanceof ApiError && error.status === 422 ? error.fields : {};
  const given = givenOf(specimens);
  const ready = given !== null && names.template.trim() !== '' && names.verification.trim() !== '';
  return (
    <Page
      title={t('nav.knownSignatures')}
      state={
        data === undefined
          ? t('knownSignatures.stateIdle')
          : t('signatures.stateDone', { time: time(data.at), id: data.id })
      }
      action={data === undefined ? undefined : <Action label={t('common.another')} onClick={startNew} />}
    >
      {data !== undefined && given !== null ? (
        <KnownResult answer={data} {...given} />
      ) : error !== null && Object.keys(named).length === 0 ? (
        <ErrorState error={error} retry={work.reset} />
      ) : (
        <div className="page-scroll column">
          <Specimens specimens={specimens} errors={named} />
          <Checkbox
            label={t('knownSignatures.acrossMedia')}
            checked={acrossMedia}
            onChange={(event) => setAcrossMedia(event.currentTarget.checked)}
          />
          <References names={names} change={setNames} />
          <CompareRow
            ready={ready}
            pending={isPending}
            compare={() => {
              if (given !== null) work.mutate(given);
            }}
          />
        </div>
      )}
    </Page>
  );
}

/** Null: there are too few images yet. */
function givenOf({ questioned, known }: SpecimensState): Given | null {
  return questioned === null || known.length < KNOWN_SIGNATURE_LIMITS.least ? null : { questioned, known };
}

/** The findings and their error rates; beside them the questioned signature with each known one. */
function KnownResult(props: { answer: KnownSetAnswer; questioned: Side; known: readonly Side[] }) {
  const { t, language, count } = useWords();
  const { answer, questioned, known } = props;
  const { similarity, verdict, thresholds, pictures } = answer;
  const [chosen, setChosen] = useState(answer.known.findings?.nearest ?? 0);
  const specimen = known[chosen];
  return (
    <div className="signature-result paired">
      <aside className="signature-side paired-side column">
        <KnownFindings of={answer.known} />
        <div>
          <ReportButton
            fileName={`signature-comparison-${answer.id}.pdf`}
            make={async () =>
              knownSetReport(answer.id, {
                language,
                questioned: await dataUriOf(questioned),
                known: await Promise.all(known.map(dataUriOf)),
              })
            }
          />
        </div>
        <SimilarityScale similarity={similarity} verdict={verdict} thresholds={thresholds} />
        <KnownRates modelVersion={answer.modelVersion} />
      </aside>
      <div className="signature-main page-scroll column">
        <ChosenSpecimen answer={answer} known={known} chosen={chosen} choose={setChosen} />
        {specimen === undefined ? null : (
          <PairViews
            pair={{
              captions: [
                t('knownSignatures.specimen', { number: count(chosen + 1) }),
                t('knownSignatures.questioned'),
              ],
              sides: [specimen, questioned],
              ink: [pictures.known[chosen] ?? null, pictures.questioned],
              alignment: answer.alignments?.[chosen] ?? null,
              sha256: [answer.known.sha256.known[chosen] ?? '', answer.known.sha256.questioned],
              modelVersion: answer.modelVersion,
              object: `signatureComparison:${answer.id}`,
            }}
          />
        )}
      </div>
    </div>
  );
}

/** The strip of known signatures as radio buttons: the chosen one is shown beside the questioned one. */
function ChosenSpecimen(props: {
  answer: KnownSetAnswer;
  known: readonly Side[];
  chosen: number;
  choose: (index: number) => void;
}) {
  const { t, count, decimal } = useWords();
  const { answer, known, chosen, choose } = props;
  const name = useId();
  const { findings } = answer.known;
  const badges = (index: number) =>
    findings === null
      ? []
      : (
          [
            ['nearest', findings.nearest],
            ['farthest', findings.farthest],
            ['differs', findings.agreement.differing?.index],
          ] as const
        ).flatMap(([word, at]) => (at === index ? [t(`knownSignatures.badge_${word}`)] : []));
  return (
    <div role="radiogroup" aria-label={t('knownSignatures.choose')} className="strip strip-choice">
      {known.map(({ url }, index) => {
        const similarity = findings?.known[index]?.similarity;
        return (
          <label key={url} className="specimen">
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={index === chosen}
              onChange={() => choose(index)}
            />
            <img src={url} alt={t('knownSignatures.specimen', { number: count(index + 1) })} />
            <span className="specimen-caption row">
              <strong>{count(index + 1)}</strong>
              <span dir="auto" className="soft">
                {badges(index).join(' · ')}
              </span>
              {similarity === undefined ? null : <span className="push">{decimal(similarity)}</span>}
            </span>
          </label>
        );
      })}
    </div>
  );
}

/**
 * The error rates of the comparison with several known signatures, and the writers that they rest on: those of the company's
 * own signatures too, where they were measured with the same version.
 */
function KnownRates({ modelVersion }: { modelVersion: string }) {
  const { t } = useWords();
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
  const { t, count } = useWords();
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
