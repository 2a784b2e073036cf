import { useTranslation } from 'react-i18next';
import type { HistoryEntry, ValidationSource } from '../../../core/contracts/dashboard/validations.ts';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';

/**
 * The history of a validation: actor, action and time, the oldest first.
 * @param props.source what the validation came from: a photo of enrolment was enrolled, not verified
 */
export function History(props: { entries: readonly HistoryEntry[]; source?: ValidationSource }) {
  const { entries, source } = props;
  const { t } = useTranslation();
  return (
    <ol className="history">
      {entries.map((entry, index) => (
        <li key={`${index}${entry.at}`}>
          <div className="row">
            <strong>
              {source === 'enrolment' && entry.action === 'verified'
                ? t('status.enrolled')
                : t(`validations.action_${entry.action}`)}
            </strong>
            {entry.status === null ? null : (
              <StatusBadge of="validation" code={entry.status} source={source} />
            )}
          </div>
          <p className="row soft">
            <span>{t('common.by', { name: entry.operator ?? t('common.service') })}</span>
            <span className="push">
              <Time at={entry.at} />
            </span>
          </p>
          {entry.failureCode === null ? null : (
            <p className="history-note">{t(`failures.${entry.failureCode}.sentence`)}</p>
          )}
          {entry.note === null ? null : (
            <p className="history-note" dir="auto">
              {entry.note}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
