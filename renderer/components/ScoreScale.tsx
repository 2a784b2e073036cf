import { IconCircle, IconCircleDotted, IconCircleFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { BAND_OF_VERDICT, pairSentences, scoreMeaning } from '../../core/contracts/certainty.ts';
import type { ScoreInterpretation } from '../../core/contracts/dashboard/faceImages.ts';
import { useCertainty, useFormats } from '../i18n/format.ts';
import './score.css';
import type { FaceComparisonRow } from '../../core/contracts/faceComparisons.ts';

/** The part of the scale that is drawn begins here: below it nothing was ever a candidate. */
const SCALE_FROM = 40;
const place = (score: number) =>
  `${Math.max(0, Math.min(100, ((score - SCALE_FROM) / (100 - SCALE_FROM)) * 100))}%`;
const ICONS = { strong: IconCircleFilled, possible: IconCircleDotted, none: IconCircle };

/** A similarity as a mark on a scale that shows both thresholds, with the band in words. Never a bare percentage. */
export function ScoreScale({
  reading,
  children,
}: {
  reading: Pick<ScoreInterpretation, 'score' | 'band' | 'possibleFrom' | 'strongFrom'>;
  /** Under the scale with its legend; absent: neither. */
  children?: ReactNode;
}) {
  const { count, decimal } = useFormats();
  const { bands, similarity, thresholds } = useCertainty();
  const { score, band, possibleFrom, strongFrom } = reading;
  const Icon = ICONS[band];
  const label = `${similarity(decimal(score), bands[band])}. ${thresholds(count(possibleFrom), count(strongFrom))}`;
  return (
    <div className={`score score-${band}`}>
      <div className="score-head">
        <span className="score-band">
          <Icon size={12} aria-hidden /> {bands[band]}
        </span>
        <span className="score-number">{decimal(score)}</span>
      </div>
      <div className="score-track" role="img" aria-label={label} title={label}>
        <span className="score-zone score-zone-possible" style={{ insetInlineStart: place(possibleFrom) }} />
        <span className="score-zone score-zone-strong" style={{ insetInlineStart: place(strongFrom) }} />
        <span className="score-tick" style={{ insetInlineStart: place(possibleFrom) }} />
        <span className="score-tick" style={{ insetInlineStart: place(strongFrom) }} />
        <span className="score-mark" style={{ insetInlineStart: place(score) }} />
      </div>
      {children == null ? null : (
        <>
          <div className="score-legend" aria-hidden>
            <span style={{ insetInlineStart: place(possibleFrom) }}>{count(possibleFrom)}</span>
            <span style={{ insetInlineStart: place(strongFrom) }}>{count(strongFrom)}</span>
          </div>
          {children}
        </>
      )}
    </div>
  );
}

/** The meaning of a score: how many other people would reach it among how many faces. */
export function ScoreMeaning({ reading }: { reading: ScoreInterpretation }) {
  const { count } = useFormats();
  return <p className="score-meaning">{scoreMeaning(useCertainty(), reading, count)}</p>;
}

/** The support of a comparison of two photos for one person or two, with the scale of its similarity. */
export function PairCertainty({ of }: { of: FaceComparisonRow }) {
  const { count } = useFormats();
  const words = useCertainty();
  const { certainty, similarity, thresholds, verdict } = of;
  if (similarity === null || verdict === 'INCONCLUSIVE') return <p>{words.notCompared}</p>;
  const said = certainty && pairSentences(words, certainty, count);
  return (
    <>
      {said?.support ? <p className="support-words">{said.support}</p> : null}
      <ScoreScale
        reading={{
          score: similarity,
          band: BAND_OF_VERDICT[verdict],
          possibleFrom: thresholds.possibleMatch,
          strongFrom: thresholds.match,
        }}
      >
        {said?.sentences.map((sentence) => (
          <p key={sentence} className="support-sentence">
            {sentence}
          </p>
        ))}
      </ScoreScale>
    </>
  );
}
