import type { FailureCode } from '../../core/contracts/errors/failures.ts';
import { useWords } from '../i18n/words.tsx';
import './parts.css';

/** Failures by reason, most first, each with what to do about it. */
export function Reasons(props: {
  images: readonly { failureCode: FailureCode | null }[];
  /** Images that were not even taken in. */
  refused?: number;
}) {
  const { images, refused = 0 } = props;
  const { t, count } = useWords();
  const byCode = new Map<FailureCode, number>();
  for (const { failureCode } of images)
    if (failureCode !== null) byCode.set(failureCode, (byCode.get(failureCode) ?? 0) + 1);
  const sorted = [...byCode].sort(([, one], [, other]) => other - one);
  return (
    <dl className="reasons">
      {sorted.map(([code, number]) => (
        <div key={code}>
          <dt>
            <strong>{count(number)}</strong> {t(`failures.${code}.sentence`)}
          </dt>
          <dd className="soft">{t(`failures.${code}.remedy`)}</dd>
        </div>
      ))}
      {refused === 0 ? null : (
        <div>
          <dt>
            <strong>{count(refused)}</strong> {t('enrol.refused')}
          </dt>
          <dd className="soft">{t('enrol.refusedHelp')}</dd>
        </div>
      )}
    </dl>
  );
}
