import { useLocation } from 'react-router';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../components/Dialog.tsx';
import { manualPageOf } from './navigation.ts';

/**
 * The section of the manual about the present screen, over the screen, so that a running enrolment goes on. The pages
 * are static and in English; the frame runs no script. A key pressed in the frame does not reach the dialog around it,
 * so each page that the frame loads is listened to for Escape.
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
        onLoad={({ currentTarget }) =>
          currentTarget.contentWindow?.addEventListener('keydown', ({ key }) => {
            if (key === 'Escape') close();
          })
        }
      />
    </Dialog>
  );
}
