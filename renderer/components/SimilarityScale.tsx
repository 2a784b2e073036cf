import {
  IconCircle,
  IconCircleDotted,
  IconCircleFilled,
  IconHelpCircle,
  type Icon,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Verdict } from '../../core/contracts/signatures.ts';
import { useFormats } from '../i18n/format.ts';
import './score.css';

const ICONS: Record<Verdict, Icon> = {
  MATCH: IconCircleFilled,
  POSSIBLE_MATCH: IconCircleDotted,
  NO_MATCH: IconCircle,
  INCONCLUSIVE: IconHelpCircle,
};

/** The verdict of a comparison: icon and word. @param props.said the word; absent: that of signatures, which never says who wrote */
export function VerdictBadge({ verdict, said }: { verdict: Verdict; said?: string }) {
  const { t } = useTranslation();
  const Picture = ICONS[verdict];
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
  const { t } = useTranslation();
  const { count, decimal } = useFormats();
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
  const place = (value: number) => ({ insetInlineStart: `${value}%` });
  return (
    <div className="score likeness">
      <div className="score-head">
        <VerdictBadge verdict={verdict} />
        {similarity === null ? null : <span className="score-number">{decimal(similarity)}</span>}
      </div>
      <div className="score-track" role="img" aria-label={label} title={label}>
        <span className="score-zone score-zone-possible" style={place(possibleMatch)} />
        <span className="score-zone score-zone-strong" style={place(match)} />
        <span className="score-tick" style={place(possibleMatch)} />
        <span className="score-tick" style={place(match)} />
        {similarity === null ? null : <span className="score-mark" style={place(similarity)} />}
      </div>
      <div className="score-legend" aria-hidden>
        <span style={place(possibleMatch)}>{count(possibleMatch)}</span>
        <span style={place(match)}>{count(match)}</span>
      </div>
    </div>
  );
}
