import type * as electron from 'electron';
import { QueueWatch, type QueueState } from './queueWatch.ts';
import { TRAY_IMAGE } from './trayImage.ts';

type TrayApi = Pick<typeof electron, 'app' | 'Menu' | 'nativeImage' | 'Notification' | 'Tray'>;

/** How often the service is asked, milliseconds. */
const INTERVAL = 5_000;

/** The tray says what waits; a long job that has ended is told. @param show brings the window to the front */
export function followQueue(
  { app, Menu, nativeImage, Notification, Tray }: TrayApi,
  readQueue: () => Promise<QueueState | undefined>,
  show: () => void,
): void {
  const watch = new QueueWatch();
  const tray = new Tray(nativeImage.createFromDataURL(TRAY_IMAGE));
  const quit = () => {
    app.quit();
  };
  tray.on('click', show);
  const look = async () => {
    const { line, ended } = watch.see(await readQueue(), Date.now());
    tray.setToolTip(`Vouch: ${line}`);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: line, enabled: false },
        { label: 'Open', click: show },
        { label: 'Quit', click: quit },
      ]),
    );
    if (ended === undefined || !Notification.isSupported()) return;
    const told = new Notification({ title: 'Vouch', body: ended });
    told.on('click', show);
    told.show();
  };
  const timer = setInterval(() => void look(), INTERVAL);
  app.once('will-quit', () => {
    clearInterval(timer);
  });
  void look();
}
