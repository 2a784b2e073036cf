import { useEffect, useRef, useState } from 'react';
import { Button, Popover, RingProgress } from '@mantine/core';
import { IconPlayerPause, IconPlayerPauseFilled, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { QueueState } from '../../core/contracts/dashboard/work.ts';
import { pauseQueue, queueQuery } from '../api/work.ts';
import { ErrorLine } from '../components/states.tsx';
import { useFormats } from '../i18n/format.ts';

/** How much of the ring turns, percent. */
const RING_ARC = 25;

/** The queue as a small ring with its number; opened: what runs, pause and resume. */
export function QueueRing() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { data } = useQuery(queueQuery);
  const waiting = data === undefined ? 0 : data.waiting;
  return (
    <Popover position="bottom-end" width={320} trapFocus>
      <Popover.Target>
        <button
          type="button"
          className="ring-button"
          aria-label={t('queue.label', { waiting: count(waiting) })}
        >
          <Ring state={data} />
          <span className="ring-word">{t('queue.short', { waiting: count(waiting) })}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <QueuePanel state={data} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Turns while the queue is worked off; shows the pause sign while it is paused. */
function Ring({ state }: { state: QueueState | undefined }) {
  const busy = state !== undefined && !state.paused && state.waiting > 0;
  return (
    <RingProgress
      aria-hidden
      size={20}
      thickness={2.5}
      roundCaps
      rootColor="var(--line)"
      className={busy ? 'ring-turning' : undefined}
      sections={busy ? [{ value: RING_ARC, color: 'var(--accent)' }] : []}
      label={state?.paused === true ? <IconPlayerPauseFilled className="ring-paused" size={10} /> : null}
    />
  );
}

function QueuePanel({ state }: { state: QueueState | undefined }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const pause = useMutation({
    mutationFn: pauseQueue,
    onSuccess: (now) => client.setQueryData(queueQuery.queryKey, now),
  });
  if (state === undefined) return <p>{t('queue.unknown')}</p>;
  return (
    <div className="column">
      <strong>{t('queue.title')}</strong>
      <QueueText state={state} />
      <ErrorLine error={pause.error} />
      <Button
        variant="default"
        loading={pause.isPending}
        leftSection={
          state.paused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />
        }
        onClick={() => pause.mutate(!state.paused)}
      >
        {t(state.paused ? 'queue.resume' : 'queue.pause')}
      </Button>
    </div>
  );
}

function QueueText({ state }: { state: QueueState }) {
  const { t } = useTranslation();
  const { count, span } = useFormats();
  const perSecond = useRate(state.waiting);
  if (state.paused) return <p>{t('queue.paused')}</p>;
  if (state.waiting === 0) return <p>{t('queue.idle')}</p>;
  return (
    <>
      <p>
        {t('queue.running', {
          waiting: count(state.waiting),
          inProgress: count(state.inProgress),
          workers: count(state.workers),
        })}
      </p>
      <p className="soft">
        {perSecond === null
          ? t('queue.measuring')
          : t('queue.rate', {
              rate: count(Math.round(perSecond * 60)),
              left: span(state.waiting / perSecond),
            })}
      </p>
    </>
  );
}

/** Images a second, from the fall of the number over the last 30 seconds; null while too little was measured. */
function useRate(waiting: number): number | null {
  const seen = useRef<{ at: number; waiting: number }[]>([]);
  const [rate, setRate] = useState<number | null>(null);
  useEffect(() => {
    const now = performance.now();
    seen.current = [...seen.current.filter(({ at }) => now - at < 30_000), { at: now, waiting }];
    const first = seen.current[0];
    if (first === undefined || now - first.at < 2_000 || first.waiting <= waiting) return;
    setRate(((first.waiting - waiting) * 1000) / (now - first.at));
  }, [waiting]);
  return rate;
}
