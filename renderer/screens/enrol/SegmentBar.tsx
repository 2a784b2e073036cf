import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import type { RunCounts } from './run.ts';

/** Enrolled, failed, sent and waiting in one bar; the words under it say the same without the colours. */
export function SegmentBar({ counts }: { counts: RunCounts }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { enrolled, failed, sent, waiting, answered, total } = counts;
  const segments = [
    { word: t('status.enrolled'), tone: 'good', number: enrolled },
    { word: t('status.failed'), tone: 'bad', number: failed },
    { word: t('enrol.inQueue'), tone: 'busy', number: sent },
    { word: t('enrol.waiting'), tone: 'calm', number: waiting },
  ];
  return (
    <div>
      <div
        className="segments"
        role="progressbar"
        aria-label={t('enrol.progress')}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={answered}
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
