import { IconCircle, IconCircleDotted, IconCircleFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ScoreInterpretation } from '../../core/contracts/dashboard/faceImages.ts';
import { useFormats } from '../i18n/format.ts';
import './score.css';

/** The part of the scale that is drawn begins here: below it nothing was ever a candidate. */
const SCALE_FROM = 40;
const place = (score: number) =>
  `${Math.max(0, Math.min(100, ((score - SCALE_FROM) / (100 - SCALE_FROM)) * 100))}%`;
const ICONS = { strong: IconCircleFilled, possible: IconCircleDotted, none: IconCircle };

/** A similarity as a mark on a scale that shows both thresholds, with the band in words. Never a bare percentage. */
export function ScoreScale({ reading, detail = true }: { reading: ScoreInterpretation; detail?: boolean }) {
  const { t } = useTranslation();
  const { count, decimal } = useFormats();
  const { score, band, possibleFrom, strongFrom } = reading;
  const Icon = ICONS[band];
  const label = t('score.label', {
    score: decimal(score),
    band: t(`score.${band}`),
    possible: count(possibleFrom),
    strong: count(strongFrom),
  });
  return (
    <div className={`score score-${band}`}>
      <div className="score-head">
        <span className="score-band">
          <Icon size={12} aria-hidden /> {t(`score.${band}`)}
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
      {detail ? (
        <>
          <div className="score-legend" aria-hidden>
            <span style={{ insetInlineStart: place(possibleFrom) }}>{count(possibleFrom)}</span>
            <span style={{ insetInlineStart: place(strongFrom) }}>{count(strongFrom)}</span>
          </div>
          <ScoreMeaning reading={reading} />
        </>
      ) : null}
    </div>
  );
}

/** The meaning of a score: how many other people would reach it among how many faces. */
export function ScoreMeaning({ reading }: { reading: ScoreInterpretation }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  return <p className="score-meaning">{inWords()}</p>;

  function inWords(): string {
    const { oneIn, beyondMeasured, gallerySize } = reading;
    if (oneIn === null) return t('score.uncalibrated');
    const faces = count(gallerySize);
    if (oneIn < 2) return t('score.meaningOne', { faces });
    const people = count(roughly(oneIn));
    return t(beyondMeasured ? 'score.meaningLess' : 'score.meaning', { people, faces });
  }
}

/** Two digits: more would claim a precision that no calibration has. */
function roughly(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.round(value / step) * step;
}
