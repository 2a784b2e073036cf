/**
 * The desktop window of the service, which it starts and supervises. It has no business logic. Electron's objects are
 * injected, so that tests need no window.
 */
import type { EventEmitter } from 'node:events';
import type * as electron from 'electron';
import { SESSION_COOKIE } from '../core/contracts/dashboard/session.ts';
import type { FolderGrant } from '../core/contracts/shell.ts';
import { shutdownOnQuit } from './shutdownOnQuit.ts';
import type { ServiceEvents } from './serviceProcess.ts';
import { linkIn, SCHEME, screenOf } from './deepLink.ts';
import { CHOOSE_CHANNEL, FolderBridge, OFFER_CHANNEL } from './folderBridge.ts';
import { menuTemplate, type MenuAct } from './menu.ts';
import type { QueueState } from './queueMonitor.ts';
import { closeSession, confine, WEB_PREFERENCES } from './security.ts';
import { followQueue } from './trayIcon.ts';
import { startupErrorPage } from './startupErrorPage.ts';
import { restoredBounds, boundsOnDisplays } from './windowBounds.ts';

/** The parts of Electron that the window uses. */
export type ShellApi = Pick<
  typeof electron,
  | 'app'
  | 'BrowserWindow'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'nativeImage'
  | 'Notification'
  | 'screen'
  | 'session'
  | 'Tray'
>;

export interface ShellPorts {
  electron: ShellApi;
  /** This program's own arguments. */
  args: readonly string[];
  /** Stored between two starts. The value can be anything, because the file can be edited. */
  state: { get(key: 'window'): unknown; set(key: 'window', value: object): void };
  /** The bridge's script. */
  preload: string;
  /** The store key of the home; undefined: the service reads its own key file. */
  storeKey: () => Promise<Uint8Array | 'given-up' | undefined>;
  service: (storeKey: Uint8Array | undefined) => SupervisedService;
  readQueue: () => Promise<QueueState | undefined>;
  grantFolder: (folder: { session: string; path: string }) => Promise<FolderGrant>;
}

/** The part of {@link ServiceProcess} that the window uses. */
interface SupervisedService extends EventEmitter<ServiceEvents> {
  start(): void;
  stop(): Promise<void>;
}

/** A longer wait means several failed starts in a row, which the window shows. */
const LONG_WAIT_MS = 4_000;

export class Shell {
  readonly #ports: ShellPorts;
  #window: electron.BrowserWindow | undefined;
  #service: SupervisedService | undefined;
  #address: string | undefined;
  /** The screen of a link that was opened before the service listened. */
  #wanted: string | undefined;
  #ending = false;

  constructor(ports: ShellPorts) {
    this.#ports = ports;
    this.#wanted = linkIn(ports.args);
  }

  /** Opens the window. Where this account has one open already, that one comes to the front instead. */
  run(): void {
    const { app } = this.#ports.electron;
    if (!app.requestSingleInstanceLock()) {
      app.quit();
      return;
    }
    app.enableSandbox();
    app.setAsDefaultProtocolClient(SCHEME);
    app.on('second-instance', (_event, parameters) => {
      this.#startedAgain(linkIn(parameters));
    });
    app.on('open-url', (event, link) => {
      event.preventDefault();
      this.#startedAgain(link);
    });
    app.on('web-contents-created', (_event, contents) => {
      confine(contents, () => this.#address);
    });
    app.on('window-all-closed', () => {
      // The passphrase window closes before the real one opens.
      if (this.#service !== undefined) app.quit();
    });
    app.on(
      'before-quit',
      shutdownOnQuit({
        // The service finishes the images in progress. The queue continues at the next start.
        stop: () => {
          this.#ending = true;
          return this.#service?.stop() ?? Promise.resolve();
        },
        quit: () => {
          app.quit();
        },
      }),
    );
    void app.whenReady().then(() => this.#open());
  }

  async #open(): Promise<void> {
    const { electron, storeKey, service, readQueue } = this.#ports;
    closeSession(electron.session.defaultSession, () => this.#address);
    const key = await storeKey();
    if (key === 'given-up') {
      electron.app.quit();
      return;
    }
    this.#service = service(key);
    this.#window = this.#openWindow();
    this.#takeFolders();
    const template = menuTemplate((act) => {
      this.#carryOut(act);
    });
    electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(template));
    followQueue(electron, readQueue, () => {
      this.#show();
    });
    this.#service.on('ready', (address) => {
      this.#address = address;
      // The window shows itself after its first page. A restarted service does not take the focus.
      this.#load(this.#wanted);
    });
    this.#service.on('restarting', (why, wait) => {
      this.#address = undefined;
      if (wait > LONG_WAIT_MS) void this.#window?.loadURL(startupErrorPage(why, wait));
    });
    this.#service.start();
  }

  #openWindow(): electron.BrowserWindow {
    const { electron, state, preload } = this.#ports;
    const kept = restoredBounds(state.get('window'));
    const opened = new electron.BrowserWindow({
      ...boundsOnDisplays(
        kept,
        electron.screen.getAllDisplays().map(({ workArea }) => workArea),
      ),
      minWidth: 1024,
      minHeight: 700,
      show: false,
      webPreferences: { ...WEB_PREFERENCES, preload },
    });
    if (kept.maximised === true) opened.maximize();
    opened.on('close', () => {
      state.set('window', { ...opened.getNormalBounds(), maximised: opened.isMaximized() });
    });
    // The service can still be stopping, and a closed window must not be used.
    opened.on('closed', () => {
      this.#window = undefined;
    });
    opened.once('ready-to-show', () => {
      opened.show();
    });
    return opened;
  }

  /** A second start while this process quits starts Vouch again after the quit. */
  #startedAgain(link: string | undefined): void {
    if (!this.#ending) {
      this.#show(link);
      return;
    }
    const { app } = this.#ports.electron;
    const own = this.#ports.args.slice(1).filter((one) => linkIn([one]) === undefined);
    app.relaunch({ args: link === undefined ? own : [...own, link] });
  }

  /** Brings the window to the front, on the screen that a link names. */
  #show(link?: string): void {
    this.#load(link);
    const window = this.#window;
    if (this.#address === undefined || window === undefined) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Opens the screen that a link names, or the first screen where the window shows no page of the service. */
  #load(link: string | undefined): void {
    const [address, window] = [this.#address, this.#window];
    if (address === undefined || window === undefined) {
      this.#wanted = link ?? this.#wanted;
      return;
    }
    this.#wanted = undefined;
    const path = link === undefined ? undefined : screenOf(link);
    // No page was loaded yet, or the window shows the startup error.
    if (path !== undefined || !window.webContents.getURL().startsWith(`${address}/`))
      void window.loadURL(address + (path ?? '/'));
  }

  /** Sends folders from the system's dialog or from a drop to the service. The page receives a grant. */
  #takeFolders(): void {
    const { electron, grantFolder } = this.#ports;
    const bridge = new FolderBridge({
      address: () => this.#address,
      session: async (url) =>
        (await electron.session.defaultSession.cookies.get({ url, name: SESSION_COOKIE }))[0]?.value,
      dialog: async () => {
        const options: electron.OpenDialogOptions = { properties: ['openDirectory'] };
        const chosen =
          this.#window === undefined
            ? await electron.dialog.showOpenDialog(options)
            : await electron.dialog.showOpenDialog(this.#window, options);
        return chosen.filePaths[0];
      },
      grant: grantFolder,
    });
    electron.ipcMain.handle(CHOOSE_CHANNEL, (event) => bridge.choose(event));
    electron.ipcMain.handle(OFFER_CHANNEL, (event, path: unknown) => bridge.offer(event, path));
  }

  #carryOut(act: MenuAct): void {
    if ('screen' in act) {
      if (this.#address !== undefined) void this.#window?.loadURL(this.#address + act.screen);
    } else if (act.command === 'reload') this.#window?.webContents.reload();
    else if (act.command === 'quit') this.#ports.electron.app.quit();
    // The page shows the shortcuts of its screen.
    else this.#window?.webContents.sendInputEvent({ type: 'char', keyCode: '?' });
  }
}
