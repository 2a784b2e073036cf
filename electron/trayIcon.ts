import type * as electron from 'electron';
import { QueueMonitor, type QueueState } from './queueMonitor.ts';
import { TRAY_IMAGE } from './trayImage.ts';

type TrayApi = Pick<typeof electron, 'app' | 'Menu' | 'nativeImage' | 'Notification' | 'Tray'>;

const POLL_INTERVAL_MS = 5_000;

/** Shows the queue in the tray, and a notification at the end of a long job. @param show brings the window to the front */
export function followQueue(
  { app, Menu, nativeImage, Notification, Tray }: TrayApi,
  readQueue: () => Promise<QueueState | undefined>,
  show: () => void,
): void {
  const monitor = new QueueMonitor();
  const tray = new Tray(nativeImage.createFromDataURL(TRAY_IMAGE));
  const quit = () => {
    app.quit();
  };
  tray.on('click', show);
  const poll = async () => {
    const { line, ended } = monitor.update(await readQueue(), Date.now());
    tray.setToolTip(`Vouch: ${line}`);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: line, enabled: false },
        { label: 'Open', click: show },
        { label: 'Quit', click: quit },
      ]),
    );
    if (ended === undefined || !Notification.isSupported()) return;
    const notification = new Notification({ title: 'Vouch', body: ended });
    notification.on('click', show);
    notification.show();
  };
  const timer = setInterval(() => void poll(), POLL_INTERVAL_MS);
  app.once('will-quit', () => {
    clearInterval(timer);
  });
  void poll();
}
