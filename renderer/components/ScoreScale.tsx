import type { ReactNode } from 'react';
import {
  IconCircle,
  IconCircleDotted,
  IconCircleFilled,
  IconHelpCircle,
  type Icon,
} from '@tabler/icons-react';
import { BAND_OF_VERDICT, pairSentences, scoreMeaning } from '../../core/contracts/certainty.ts';
import type { ScoreInterpretation } from '../../core/contracts/dashboard/faceImages.ts';
import type { FaceComparisonRow } from '../../core/contracts/faceComparisons.ts';
import type { Verdict } from '../../core/contracts/signatures.ts';
import { useWords, useCertainty } from '../i18n/words.tsx';
import './parts.css';

/** The part of the scale that is drawn begins here: below it nothing was ever a candidate. */
const SCALE_FROM = 40;
const place = (score: number) =>
  `${Math.max(0, Math.min(100, ((score - SCALE_FROM) / (100 - SCALE_FROM)) * 100))}%`;
const ICONS = { strong: IconCircleFilled, possible: IconCircleDotted, none: IconCircle };

/** A similarity as a mark on a scale that shows both thresholds, with the band in words. Never a bare percentage. */
export function ScoreScale(props: {
  reading: Pick<ScoreInterpretation, 'score' | 'band' | 'possibleFrom' | 'strongFrom'>;
  /** Under the scale with its legend; absent: neither. */
  children?: ReactNode;
}) {
  const { reading, children } = props;
  const { count, decimal } = useWords();
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
  const { count } = useWords();
  return <p className="score-meaning">{scoreMeaning(useCertainty(), reading, count)}</p>;
}

/** The support of a comparison of two photos for one person or two, with the scale of its similarity. */
export function PairCertainty(props: {
  of: Pick<FaceComparisonRow, 'certainty' | 'similarity' | 'thresholds' | 'verdict'>;
}) {
  const { of } = props;
  const { count } = useWords();
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

const SIMILARITY_SCALE_ICONS: Record<Verdict, Icon> = {
  MATCH: IconCircleFilled,
  POSSIBLE_MATCH: IconCircleDotted,
  NO_MATCH: IconCircle,
  INCONCLUSIVE: IconHelpCircle,
};

/** The verdict of a comparison: icon and word. @param props.said the word; absent: that of signatures, which never says who wrote */
export function VerdictBadge({ verdict, said }: { verdict: Verdict; said?: string }) {
  const { t } = useWords();
  const Picture = SIMILARITY_SCALE_ICONS[verdict];
  return (
    <span className="verdict">
      <Picture size={14} aria-hidden /> {said ?? t(`signatures.verdict_${verdict}`)}
    </span>
  );
}

/** A similarity as a mark on the scale from 0 to 100, with both bands. Nothing is marked where nothing was compared. */
export function SimilarityScale(props: {
  similarity: number | null;
  verdict: Verdict;
  thresholds: { match: number; possibleMatch: number };
}) {
  const { similarity, verdict, thresholds } = props;
  const { t, count, decimal } = useWords();
  const { match, possibleMatch } = thresholds;
  const said = t(`signatures.verdict_${verdict}`);
  const label =
    similarity === null
      ? said
      : t('signatures.scale', {
          score: decimal(similarity),
          verdict: said,
          possible: count(possibleMatch),
          match: count(match),
        });
  const placed = (value: number) => ({ insetInlineStart: `${value}%` });
  return (
    <div className="score likeness">
      <div className="score-head">
        <VerdictBadge verdict={verdict} />
        {similarity === null ? null : <span className="score-number">{decimal(similarity)}</span>}
      </div>
      <div className="score-track" role="img" aria-label={label} title={label}>
        <span className="score-zone score-zone-possible" style={placed(possibleMatch)} />
        <span className="score-zone score-zone-strong" style={placed(match)} />
        <span className="score-tick" style={placed(possibleMatch)} />
        <span className="score-tick" style={placed(match)} />
        {similarity === null ? null : <span className="score-mark" style={placed(similarity)} />}
      </div>
      <div className="score-legend" aria-hidden>
        <span style={placed(possibleMatch)}>{count(possibleMatch)}</span>
        <span style={placed(match)}>{count(match)}</span>
      </div>
    </div>
  );
}

interface Segment {
  word: string;
  tone: 'good' | 'bad' | 'busy' | 'calm';
  number: number;
}

/** Counts by state as one bar; the legend under it repeats them in words. */
export function SegmentBar(props: {
  label: string;
  segments: readonly Segment[];
  done: number;
  total: number;
}) {
  const { label, segments, done, total } = props;
  const { count } = useWords();
  return (
    <div>
      <div
        className="segments"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        {segments.map(({ tone, number }) => (
          <span key={tone} className={`segment segment-${tone}`} style={{ flexGrow: number }} />
        ))}
      </div>
      <ul className="segment-words">
        {segments.map(({ word, tone, number }) => (
          <li key={tone}>
            <span className={`segment-dot segment-${tone}`} aria-hidden />
            {word} <strong>{count(number)}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}
