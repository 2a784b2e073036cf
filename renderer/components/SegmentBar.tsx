import { useFormats } from '../i18n/format.ts';
import './segments.css';

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
  const { count } = useFormats();
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
