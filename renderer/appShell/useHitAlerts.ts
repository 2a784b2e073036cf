import { useEffect, useRef } from 'react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { newHits, type AlertChoice, type NewHit } from '../../core/contracts/dashboard/alerts.ts';
import { bySeverity } from '../../core/contracts/faceListing.ts';
import { queryString, requestJson } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { useFormats } from '../i18n/format.ts';
import { hitStore } from '../state/hits.ts';
import { playAlert, showNotification } from './alert.ts';
import { useAppearance } from './useAppearance.ts';

/** Follows the hits on blacklists and alerts the operator as they chose. Several hits at once are one alert. */
export function useHitAlerts(): void {
  const may = useMay();
  const alert = useAlert();
  const { alerts } = useAppearance().appearance;
  const last = useRef<number>(undefined);
  // Named as a part of the validations: the event of a new validation reloads it.
  const { data } = useQuery({
    ...queryOptions({
      queryKey: ['validations', 'hits'],
      queryFn: ({ signal }) =>
        requestJson('GET', `/hits${queryString({ after: last.current })}`, newHits, { signal }),
    }),
    enabled: may('validations:read'),
    structuralSharing: false,
  });
  const followed = useRef<unknown>(undefined);
  useEffect(() => {
    if (data === undefined || data === followed.current) return;
    followed.current = data;
    last.current = Math.max(data.last, last.current ?? 0);
    const hits = data.hits.filter(({ severity }) => bySeverity(severity, alerts.from) <= 0);
    if (hits.length === 0) return;
    hitStore.getState().add(hits);
    alert(hits, alerts);
  }, [data, alerts, alert]);
}

/** @returns sounds and notifies, unless the operator works in this window and wants no alert then */
function useAlert(): (hits: readonly NewHit[], choice: AlertChoice) => void {
  const { t } = useTranslation();
  const { count, list } = useFormats();
  const navigate = useNavigate();
  return (hits, { way, whileFocused, listName }) => {
    const [worst] = hits.toSorted((a, b) => bySeverity(a.severity, b.severity));
    if (worst === undefined || way === 'off') return;
    if (document.hasFocus() && !whileFocused) return;
    if (way !== 'notification')
      playAlert(worst.severity).catch((error: unknown) => {
        console.warn('The alert sound could not be played.', error);
      });
    if (way === 'sound') return;
    const title =
      hits.length === 1
        ? t('alerts.hit')
        : t('alerts.hits', { count: hits.length, hits: count(hits.length) });
    const names = [...new Set(hits.map(({ blacklistName }) => blacklistName))];
    showNotification(title, listName ? t('alerts.onList', { list: list(names) }) : '', () => {
      void navigate(
        hits.length === 1 ? `/validations/${worst.validation}?tab=matches` : '/validations?hit=blacklist',
      );
    });
  };
}
