import { useEffect } from 'react';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../api/session.ts';
import { useFormats } from '../i18n/format.ts';
import { connection } from '../state/connection.ts';

/** How often an unreachable core is asked again, milliseconds. */
const RETRY = 3_000;

/** Shows since when the service has not answered, and retries. The screens keep their content. */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const { time } = useFormats();
  const client = useQueryClient();
  const since = connection((state) => state.lostSince);
  useEffect(() => {
    if (since === null) return;
    const timer = setInterval(() => {
      client
        .query({ ...sessionQuery, staleTime: 0, retry: false })
        .then(() => client.invalidateQueries())
        .catch(() => undefined);
    }, RETRY);
    return () => clearInterval(timer);
  }, [since, client]);
  if (since === null) return null;
  return (
    <div className="banner" role="alert">
      <IconPlugConnectedX size={18} aria-hidden />
      {t('state.offline', { time: time(since.toISOString()) })}
    </div>
  );
}
