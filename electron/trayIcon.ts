import type * as electron from 'electron';

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

/** The mark, 32 × 32: a tick on a rounded square. */
const TRAY_IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAAkklEQVR42u2XQQ6AIAwEeYtf8jP+Xq8GQdql3eXAJl53JkYsLWW1HOd1Zz4y8FBEKsCGfyS2QCbkHbpAKzSBXigCf0kXsMLpApRT4IEPBSwF6KsfCnhKULhboFeGwiGBunQG7voGWuWzcNMpQATCh5EnKdNQLmCVSL8PRMOhX3EkHJ4FUfB9KZXvBuutZvLlVJUHGT7nuv0IuN8AAAAASUVORK5CYII=';

/** Monitors the queue for the tray icon and for the notification at the end of a long job. */

/** The part of the answer to `status` that the monitor reads. */
export interface QueueState {
  paused: boolean;
  waiting: number;
}

/** A job that took longer ends with a notification, because its operator has turned to other work. */
const LONG_JOB_MS = 30_000;

interface QueueUpdate {
  /** One line for the tray. */
  line: string;
  /** Text of the notification, once at the end of a long job. */
  ended: string | undefined;
}

export class QueueMonitor {
  #since: number | undefined;
  #most = 0;

  /** @param state undefined: the service does not answer. @param now milliseconds */
  update(state: QueueState | undefined, now: number): QueueUpdate {
    if (state === undefined) return { line: 'The service is not running', ended: undefined };
    const { paused, waiting } = state;
    if (waiting > 0) {
      this.#since ??= now;
      this.#most = Math.max(this.#most, waiting);
      return { line: `${waiting} ${photos(waiting)} waiting${paused ? ', paused' : ''}`, ended: undefined };
    }
    const long = this.#since !== undefined && now - this.#since >= LONG_JOB_MS;
    const ended = long
      ? `The queue is empty. At least ${this.#most} ${photos(this.#most)} were processed.`
      : undefined;
    this.#since = undefined;
    this.#most = 0;
    return { line: paused ? 'Paused' : 'The queue is empty', ended };
  }
}

function photos(count: number): string {
  return count === 1 ? 'photo' : 'photos';
}
