import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { ComparisonAnswer } from '../../../core/contracts/dashboard/signatures.ts';
import { Action, Page, ErrorState } from '../../components/Page.tsx';
import { ApiError } from '../../api/client.ts';
import { compareSignatures, comparisonReport } from '../../api/comparisons.ts';
import { useWords } from '../../i18n/words.tsx';
import {
  CompareRow,
  References,
  Sides,
  type References as Names,
  useSides,
  newReference,
  type Side,
} from './Sides.tsx';
import { dataUriOf } from '../../components/readableImage.ts';
import { ExamineSignaturesButton } from '../../components/ExamineButton.tsx';
import { ReportButton } from '../../components/ExportButton.tsx';
import { SimilarityScale } from '../../components/ScoreScale.tsx';
import { ErrorRates } from './ErrorRates.tsx';
import { PairViews } from './PairViews.tsx';
import { UnusableImage } from './KnownFindings.tsx';
import './signatures.css';

/** Two images side by side, and how similar they are. */
export function Component() {
  const { t, time } = useWords();
  const [names, setNames] = useState<Names>(() => ({ template: 'manual', verification: newReference() }));
  const work = useMutation({
    mutationFn: async ([first, second]: readonly [Side, Side]) =>
      compareSignatures({
        image1: await dataUriOf(first),
        image2: await dataUriOf(second),
        template_id: names.template.trim(),
        verification_id: names.verification.trim(),
      }),
  });
  const sides = useSides(work.reset);
  const again = () => {
    sides.clear();
    setNames({ ...names, verification: newReference() });
  };
  const [first, second] = sides.pair;
  const ready =
    first !== null && second !== null && names.template.trim() !== '' && names.verification.trim() !== '';
  const { data, error } = work;
  // Messages for an image stand beside it; every other error is shown for the comparison.
  const said = error instanceof ApiError && error.status === 422 ? error.fields : {};
  const named = said.image1 !== undefined || said.image2 !== undefined;
  const state =
    data === undefined
      ? t('signatures.stateIdle')
      : t('signatures.stateDone', { time: time(data.at), id: data.id });
  return (
    <Page
      title={t('nav.signatures')}
      state={state}
      action={data === undefined ? undefined : <Action label={t('common.another')} onClick={again} />}
    >
      {data !== undefined && first !== null && second !== null ? (
        <SignatureResult answer={data} sides={[first, second]} />
      ) : error !== null && !named ? (
        <ErrorState error={error} retry={work.reset} />
      ) : (
        <div className="page-scroll column">
          <Sides sides={sides} errors={[said.image1?.join(' '), said.image2?.join(' ')]} />
          <References names={names} change={setNames} />
          <CompareRow
            ready={ready}
            pending={work.isPending}
            compare={() => {
              if (first !== null && second !== null) work.mutate([first, second]);
            }}
          />
        </div>
      )}
    </Page>
  );
}

/** The similarity, its meaning and its error rates; the images, the extracted ink, and both overlaid. */
function SignatureResult({ answer, sides }: { answer: ComparisonAnswer; sides: readonly [Side, Side] }) {
  const { t, language } = useWords();
  const { similarity, verdict, thresholds, reasons } = answer;
  return (
    <div className="signature-result paired">
      <aside className="signature-side paired-side column">
        <h2 className="sr-only">{t('facts.result')}</h2>
        <SimilarityScale similarity={similarity} verdict={verdict} thresholds={thresholds} />
        <p>{t(`signatures.means_${verdict}`)}</p>
        {(['image1', 'image2'] as const).map((key) => {
          const reason = reasons[key];
          return reason === undefined ? null : (
            <UnusableImage
              key={key}
              image={t(key === 'image1' ? 'signatures.first' : 'signatures.second')}
              reason={reason}
            />
          );
        })}
        <div className="row wrap">
          <ExamineSignaturesButton comparison={answer.id} pair={sides} />
          <ReportButton
            fileName={`signature-comparison-${answer.id}.pdf`}
            make={async () =>
              comparisonReport(answer.id, {
                language,
                image1: await dataUriOf(sides[0]),
                image2: await dataUriOf(sides[1]),
              })
            }
          />
        </div>
        <ErrorRates />
      </aside>
      <div className="signature-main page-scroll column">
        <PairViews
          pair={{
            captions: [t('signatures.first'), t('signatures.second')],
            sides,
            ink: [answer.pictures.image1 ?? null, answer.pictures.image2 ?? null],
            alignment: answer.alignment,
            sha256: [answer.sha256.image1, answer.sha256.image2],
            modelVersion: answer.modelVersion,
            object: `signatureComparison:${answer.id}`,
          }}
        />
      </div>
    </div>
  );
}
