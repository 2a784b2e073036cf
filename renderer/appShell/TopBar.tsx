import { lazy, Suspense, useState, useEffect, useRef, type ComponentProps } from 'react';
import { ActionIcon, Menu, Tooltip, Popover, RingProgress } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import {
  IconBell,
  IconCheck,
  IconContrast2,
  IconDeviceDesktop,
  IconHelp,
  IconKeyboard,
  IconLanguage,
  IconLock,
  IconLogout,
  IconMoon,
  IconPassword,
  IconSearch,
  IconSun,
  IconUserCircle,
  IconPlayerPause,
  IconPlayerPauseFilled,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LANGUAGES, type Language } from '../../core/contracts/dashboard/session.ts';
import type { QueueState } from '../../core/contracts/dashboard/work.ts';
import { Action, ErrorLine } from '../components/Page.tsx';
import { useSession, useSignOut } from '../api/session.ts';
import { useAppearance } from './useAppearance.ts';
import { pauseQueue, queueQuery } from '../api/enrolment.ts';
import { useWords } from '../i18n/words.tsx';

const AlertSettings = lazy(() => import('./AlertSettings.tsx'));
const ChangePassphrase = lazy(() => import('./ChangePassphrase.tsx'));

const SCHEMES = [
  { scheme: 'light', Icon: IconSun, word: 'light' },
  { scheme: 'dark', Icon: IconMoon, word: 'dark' },
  { scheme: 'auto', Icon: IconDeviceDesktop, word: 'system' },
] as const;
const onMac = navigator.userAgent.includes('Mac');

export function TopBar(props: { showKeys: () => void; showManual: () => void; lock: () => void }) {
  const { showKeys, showManual, lock } = props;
  const { t } = useWords();
  const { company } = useSession();
  return (
    <header className="top">
      <span dir="auto" className="top-company cut">
        {company.name}
      </span>
      <button type="button" className="top-search" onClick={spotlight.open}>
        <IconSearch size={16} stroke={1.6} aria-hidden />
        {t('keys.palette')}
        <kbd>{onMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <QueueRing />
      <Tooltip label={t('keys.title')}>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('keys.title')} onClick={showKeys}>
          <IconKeyboard size={20} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('top.help')}>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('top.help')} onClick={showManual}>
          <IconHelp size={20} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <AccountMenu lock={lock} />
    </header>
  );
}

/** An item of a menu that says whether it is chosen; the tick beside it is a picture. */
const itemAs = (role: 'menuitemradio' | 'menuitemcheckbox') => (props: ComponentProps<'button'>) => (
  <button {...props} type="button" role={role} />
);
const OneOf = itemAs('menuitemradio');
const OnOrOff = itemAs('menuitemcheckbox');

function AccountMenu({ lock }: { lock: () => void }) {
  const { t } = useWords();
  const [changing, setChanging] = useState(false);
  const [alerts, setAlerts] = useState(false);
  const { operator } = useSession();
  const signOut = useSignOut();
  const { appearance, choose } = useAppearance();
  const { language, scheme: chosen, highContrast } = appearance;
  const tick = (on: boolean) => (on ? <IconCheck size={14} aria-hidden /> : null);
  return (
    <>
      {changing ? (
        <Suspense>
          <ChangePassphrase close={() => setChanging(false)} />
        </Suspense>
      ) : null}
      {alerts ? (
        <Suspense>
          <AlertSettings close={() => setAlerts(false)} />
        </Suspense>
      ) : null}
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('top.account')}>
            <IconUserCircle size={22} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {operator.name} · {t(`role.${operator.role}`)}
          </Menu.Label>
          <Menu.Item leftSection={<IconLock size={16} aria-hidden />} onClick={lock}>
            {t('actions.lock')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPassword size={16} aria-hidden />} onClick={() => setChanging(true)}>
            {t('top.passphrase')}
          </Menu.Item>
          <Menu.Item leftSection={<IconBell size={16} aria-hidden />} onClick={() => setAlerts(true)}>
            {t('alerts.open')}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
            {t('top.signOut')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>{t('top.appearance')}</Menu.Label>
          {SCHEMES.map(({ scheme, Icon, word }) => (
            <Menu.Item
              key={scheme}
              component={OneOf}
              aria-checked={chosen === scheme}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={tick(chosen === scheme)}
              onClick={() => choose({ scheme })}
            >
              {t(`top.${word}`)}
            </Menu.Item>
          ))}
          <Menu.Item
            component={OnOrOff}
            aria-checked={highContrast}
            leftSection={<IconContrast2 size={16} aria-hidden />}
            rightSection={tick(highContrast)}
            onClick={() => choose({ highContrast: !highContrast })}
          >
            {t('top.highContrast')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>{t('top.language')}</Menu.Label>
          {(Object.keys(LANGUAGES) as Language[]).map((each) => (
            <Menu.Item
              key={each}
              component={OneOf}
              aria-checked={language === each}
              lang={each}
              leftSection={<IconLanguage size={16} aria-hidden />}
              rightSection={tick(language === each)}
              onClick={() => choose({ language: each })}
            >
              {LANGUAGES[each]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** How much of the ring turns, percent. */
const RING_ARC = 25;

/** The queue as a small ring with its number; opened: what runs, pause and resume. */
function QueueRing() {
  const { t, count } = useWords();
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
  const { t } = useWords();
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
      <Action
        Icon={state.paused ? IconPlayerPlay : IconPlayerPause}
        label={t(state.paused ? 'queue.resume' : 'queue.pause')}
        loading={pause.isPending}
        onClick={() => pause.mutate(!state.paused)}
      />
    </div>
  );
}

function QueueText({ state }: { state: QueueState }) {
  const { t, count, span } = useWords();
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
