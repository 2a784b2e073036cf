import { useEffect } from 'react';
import { Button, CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { bySeverity } from '../../core/contracts/faceListing.ts';
import { SeverityBadge } from '../components/Severity.tsx';
import { useFormats } from '../i18n/format.ts';
import { hitStore } from '../state/hits.ts';

/** Hits on blacklists that arrived while the operator works elsewhere, with a link to the case. */
export function HitBanner() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { pending, opened, dismiss } = hitStore();
  const { pathname } = useLocation();
  const at = Number(/^\/(?:validations|review)\/(\d+)$/.exec(pathname)?.[1] ?? 0);
  useEffect(() => opened(at), [at, opened, pending]);
  const [worst] = pending.toSorted((a, b) => bySeverity(a.severity, b.severity));
  return (
    <div role="status" aria-live="polite">
      {worst === undefined ? null : (
        <div className="undo">
          <SeverityBadge severity={worst.severity} />
          <span>
            {pending.length === 1
              ? t('alerts.hit')
              : t('alerts.hits', { count: pending.length, hits: count(pending.length) })}{' '}
            · <bdi>{worst.blacklistName}</bdi>
          </span>
          <Button
            size="compact-sm"
            component={Link}
            to={`/validations/${worst.validation}?tab=matches`}
            onClick={() => opened(worst.validation)}
          >
            {t('alerts.show', { id: worst.validation })}
          </Button>
          {pending.length === 1 ? null : (
            <Button
              size="compact-sm"
              variant="default"
              component={Link}
              to="/validations?hit=blacklist"
              onClick={dismiss}
            >
              {t('alerts.showAll')}
            </Button>
          )}
          <CloseButton size="sm" aria-label={t('common.dismiss')} onClick={dismiss} />
        </div>
      )}
    </div>
  );
}
