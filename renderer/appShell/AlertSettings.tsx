import { useState } from 'react';
import { Checkbox } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { SEVERITIES } from '../../core/contracts/faceListing.ts';
import { ALERT_WAYS, type AlertChoice } from '../../core/contracts/dashboard/validations.ts';
import { Action } from '../components/Page.tsx';
import { Dialog } from '../components/Form.tsx';
import { Select } from '../components/Select.tsx';
import { notificationState, playAlert, showNotification } from './alert.ts';
import { useAppearance } from './useAppearance.ts';
import { useWords } from '../i18n/words.tsx';

/** How the operator is alerted to hits on blacklists. Each change is saved at once. */
export default function AlertSettings({ close }: { close: () => void }) {
  const { t } = useWords();
  const { appearance, choose } = useAppearance();
  const { alerts } = appearance;
  const [permission, setPermission] = useState(notificationState);
  const change = (part: Partial<AlertChoice>) => choose({ alerts: { ...alerts, ...part } });
  const notifies = alerts.way === 'notification' || alerts.way === 'both';
  const askFor = async (way: AlertChoice['way']) => {
    change({ way });
    if (way === 'off' || way === 'sound' || notificationState() !== 'default') return;
    setPermission(await Notification.requestPermission());
  };
  const test = async () => {
    if (notifies) showNotification(t('common.blacklistMatch'), '', () => undefined);
    if (alerts.way !== 'notification') await playAlert('stop');
  };
  return (
    <Dialog title={t('alerts.settings')} close={close}>
      <div className="column">
        <Select
          data-autofocus
          label={t('alerts.way')}
          data={ALERT_WAYS.map((value) => ({ value, label: t(`alerts.way_${value}`) }))}
          value={alerts.way}
          onChange={(way) => void askFor(way ?? alerts.way)}
        />
        {notifies && (permission === 'denied' || permission === 'unsupported') ? (
          <p role="alert" className="error-line">
            {t(`alerts.${permission}`)}
          </p>
        ) : null}
        <Select
          label={t('alerts.from')}
          data={SEVERITIES.map((value) => ({ value, label: t(`listing.severity_${value}`) }))}
          value={alerts.from}
          onChange={(from) => change({ from: from ?? alerts.from })}
        />
        <Checkbox
          label={t('alerts.whileFocused')}
          checked={alerts.whileFocused}
          onChange={(event) => change({ whileFocused: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('alerts.listName')}
          description={t('alerts.privacy')}
          checked={alerts.listName}
          onChange={(event) => change({ listName: event.currentTarget.checked })}
        />
        <div className="row">
          <Action
            Icon={IconBell}
            label={t('alerts.test')}
            disabled={alerts.way === 'off'}
            onClick={() => void test()}
          />
          <Action primary className="push" label={t('common.close')} onClick={close} />
        </div>
      </div>
    </Dialog>
  );
}
