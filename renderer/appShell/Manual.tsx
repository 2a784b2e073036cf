import { useLocation } from 'react-router';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../components/Dialog.tsx';
import { manualPageOf } from './navigation.ts';

/**
 * The page of the manual about the present screen, over the screen, so that a running enrolment goes on. The pages are
 * static and in English; the frame runs no script.
 */
export function Manual({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <Dialog title={t('top.help')} close={close} wide>
      <iframe
        className="manual"
        sandbox="allow-same-origin"
        title={t('top.help')}
        src={manualPageOf(pathname)}
        data-autofocus
      />
    </Dialog>
  );
}
