import { useQuery } from '@tanstack/react-query';
import { expectationSentences } from '../../core/contracts/expectation.ts';
import { useMay } from '../api/session.ts';
import { expectationQuery } from '../api/validations.ts';
import { useCertainty, useWords } from '../i18n/words.tsx';

/**
 * The meaning of a threshold at the use of the last weeks: false alarms a week, and who is found.
 * @param flow the verifications of a Trust Flow; absent: searches @param alarms false alarms to expect for one unknown person
 * @param rate false match rate of one comparison, of the strictest threshold
 */
export function Expected({ flow, alarms, rate }: { flow?: number; alarms: number; rate: number }) {
  const { count } = useWords();
  const { expected } = useCertainty();
  const may = useMay();
  const { data } = useQuery({ ...expectationQuery, enabled: may('search:run') });
  if (data === undefined) return null;
  const uses =
    flow === undefined ? data.searches : (data.verifications.find((each) => each.flow === flow)?.number ?? 0);
  const kind = flow === undefined ? 'searches' : 'verifications';
  return (
    <p className="soft">
      {expectationSentences(expected, data, { uses, kind, alarms, rate }, count).join(' ')}
    </p>
  );
}
