import { IconHandStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { SeverityBadge, severityOfMatch } from '../../components/Severity.tsx';
import { matchesOf } from './matches.ts';
import { LISTING_TEXT_NAMES } from '../../../core/contracts/faceListing.ts';

/**
 * The most urgent match on a blacklist, before everything else: whom it names, the list, the severity, and the reason with what
 * to do. Nothing after the decision that these are different persons.
 */
export function BlacklistAlert({ detail }: { detail: ValidationDetail }) {
  const { t } = useTranslation();
  const match = matchesOf(detail).find(({ kind }) => kind === 'blacklist');
  const severity = severityOfMatch(detail.status, match ?? null);
  if (match === undefined || severity === null) return null;
  return (
    <section
      className={`blacklist-alert blacklist-alert-${severity}`}
      aria-label={t('validations.blacklistAlert')}
    >
      <IconHandStop size={22} aria-hidden />
      <div className="column">
        <p className="row wrap">
          <SeverityBadge severity={severity} />
          <strong>
            <bdi>{match.name}</bdi>
          </strong>
          <span>
            {t('validations.onBlacklist')} <bdi>{match.list}</bdi>
          </span>
        </p>
        {LISTING_TEXT_NAMES.map((field) => (
          <p key={field}>{match[field] === null ? t(`listing.no_${field}`) : <bdi>{match[field]}</bdi>}</p>
        ))}
      </div>
    </section>
  );
}
