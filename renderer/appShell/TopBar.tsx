import { lazy, Suspense, useState } from 'react';
import { ActionIcon, Menu, Tooltip } from '@mantine/core';
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
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, type Language } from '../../core/contracts/dashboard/session.ts';
import { useSession, useSignOut } from '../api/session.ts';
import { useAppearance } from './useAppearance.ts';
import { QueueRing } from './QueueRing.tsx';

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
  const { t } = useTranslation();
  const { company } = useSession();
  return (
    <header className="top">
      <span dir="auto" className="top-company cut">
        {company.name}
      </span>
      <button type="button" className="top-search" onClick={spotlight.open}>
        <IconSearch size={16} stroke={1.6} aria-hidden />
        {t('top.search')}
        <kbd>{onMac ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <QueueRing />
      <Tooltip label={t('top.keys')}>
        <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('top.keys')} onClick={showKeys}>
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

function AccountMenu({ lock }: { lock: () => void }) {
  const { t } = useTranslation();
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
            {t('top.lock')}
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
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={tick(chosen === scheme)}
              onClick={() => choose({ scheme })}
            >
              {t(`top.${word}`)}
            </Menu.Item>
          ))}
          <Menu.Item
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
