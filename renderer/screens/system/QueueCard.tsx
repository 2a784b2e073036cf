import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SystemState } from '../../../core/contracts/dashboard/system.ts';
import { useMay } from '../../api/session.ts';
import { pauseQueue } from '../../api/work.ts';
import { ErrorLine } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';

/** How much waits, how fast it goes, and stopping it. */
export function QueueCard({ queue }: { queue: SystemState['queue'] }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const may = useMay();
  const client = useQueryClient();
  const pause = useMutation({
    mutationFn: pauseQueue,
    onSettled: () => client.invalidateQueries({ queryKey: ['queue'] }),
  });
  const { paused, perMinute } = queue;
  return (
    <section className="card">
      <div className="row">
        <h2>{t('system.queue')}</h2>
        {may('queue:control') ? (
          <Button
            className="push"
            size="compact-sm"
            variant="default"
            loading={pause.isPending}
            leftSection={
              paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
            }
            onClick={() => pause.mutate(!paused)}
          >
            {t(paused ? 'queue.resume' : 'queue.pause')}
          </Button>
        ) : null}
      </div>
      <dl className="facts">
        <dt>{t('system.depth')}</dt>
        <dd>{count(queue.waiting)}</dd>
        <dt>{t('system.inProgress')}</dt>
        <dd>{count(queue.inProgress)}</dd>
        <dt>{t('system.rate')}</dt>
        <dd>
          {perMinute === null
            ? t('system.noRate')
            : t('system.perMinute', { rate: count(Math.round(perMinute)) })}
        </dd>
        <dt>{t('system.oldest')}</dt>
        <dd>
          <Time at={queue.oldest} />
        </dd>
      </dl>
      {paused ? <p className="soft">{t('system.paused')}</p> : null}
      <ErrorLine error={pause.error} />
    </section>
  );
}
