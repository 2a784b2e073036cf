import { useEffect } from 'react';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { Dialog } from '../../components/Dialog.tsx';

/** Asks before the page is left with changes that are saved nowhere; closing the window asks in the browser's words. */
export function LeaveGuard({ active }: { active: boolean }) {
  const { t } = useTranslation();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => active && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [active]);
  if (blocker.state !== 'blocked') return null;
  return (
    <Dialog title={t('flows.leaveTitle')} close={blocker.reset}>
      <div className="column">
        <p>{t('flows.leaveWhat')}</p>
        <div className="row">
          <Button className="push" data-autofocus onClick={blocker.reset}>
            {t('flows.stay')}
          </Button>
          <Button variant="light" color="red" onClick={blocker.proceed}>
            {t('flows.leave')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
