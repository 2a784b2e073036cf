/**
 * The shell: one window on the service that it starts and supervises. No business logic. Electron's objects come in, so that
 * every rule of it is tested without a window.
 */
import type { EventEmitter } from 'node:events';
import type * as electron from 'electron';
import { SESSION_COOKIE } from '../core/contracts/dashboard/session.ts';
import type { FolderOffer } from '../core/contracts/shell.ts';
import { cleanQuit } from './cleanQuit.ts';
import type { CoreEvents } from './coreProcess.ts';
import { linkIn, SCHEME, screenOf } from './deepLink.ts';
import { CHOOSE_CHANNEL, FolderBridge, OFFER_CHANNEL } from './folderBridge.ts';
import { menuTemplate, type MenuAct } from './menu.ts';
import type { QueueState } from './queueWatch.ts';
import { closeSession, confine, WEB_PREFERENCES } from './security.ts';
import { followQueue } from './trayIcon.ts';
import { troublePage } from './troublePage.ts';
import { keptPlace, placeOn } from './windowPlace.ts';

/** What of Electron the shell uses. */
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
  /** Kept between two starts. What it gives may be anything: somebody may have changed its file. */
  state: { get(key: 'window'): unknown; set(key: 'window', value: object): void };
  /** The bridge's script. */
  preload: string;
  /** Of the home; undefined: the service reads its own key file. */
  storeKey: () => Promise<Uint8Array | 'given up' | undefined>;
  core: (storeKey: Uint8Array | undefined) => Supervised;
  readQueue: () => Promise<QueueState | undefined>;
  offerFolder: (folder: { session: string; path: string }) => Promise<FolderOffer>;
}

/** The service, as CoreProcess keeps it running. */
interface Supervised extends EventEmitter<CoreEvents> {
  start(): void;
  stop(): Promise<void>;
}

/** Waits longer than this mean that the service fell several times in a row: then the operator is told. */
const LONG_WAIT = 4_000;

export class Shell {
  readonly #ports: ShellPorts;
  #window: electron.BrowserWindow | undefined;
  #core: Supervised | undefined;
  #address: string | undefined;
  /** A screen that was asked for before the service listened. */
  #wanted: string | undefined;
  #ending = false;

  constructor(ports: ShellPorts) {
    this.#ports = ports;
    this.#wanted = linkIn(ports.args);
  }

  /** Opens the window; where another shell runs for this account, that one is brought to the front instead. */
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
      if (this.#core !== undefined) app.quit();
    });
    app.on(
      'before-quit',
      cleanQuit({
        // The service finishes what is in work first; what waits goes on at the next start.
        stop: () => {
          this.#ending = true;
          return this.#core?.stop() ?? Promise.resolve();
        },
        quit: () => {
          app.quit();
        },
      }),
    );
    void app.whenReady().then(() => this.#open());
  }

  async #open(): Promise<void> {
    const { electron, storeKey, core, readQueue } = this.#ports;
    closeSession(electron.session.defaultSession, () => this.#address);
    const key = await storeKey();
    if (key === 'given up') {
      electron.app.quit();
      return;
    }
    this.#core = core(key);
    this.#window = this.#openWindow();
    this.#takeFolders();
    const template = menuTemplate((act) => {
      this.#carryOut(act);
    });
    electron.Menu.setApplicationMenu(electron.Menu.buildFromTemplate(template));
    followQueue(electron, readQueue, () => {
      this.#show();
    });
    this.#core.on('ready', (address) => {
      this.#address = address;
      // It shows itself when it has something to show; a service that came back takes nobody's attention.
      this.#load(this.#wanted);
    });
    this.#core.on('restarting', (why, wait) => {
      this.#address = undefined;
      if (wait > LONG_WAIT) void this.#window?.loadURL(troublePage(why, wait));
    });
    this.#core.start();
  }

  #openWindow(): electron.BrowserWindow {
    const { electron, state, preload } = this.#ports;
    const kept = keptPlace(state.get('window'));
    const opened = new electron.BrowserWindow({
      ...placeOn(
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
    // The service may still be ending: nothing of a window that is gone may be asked for.
    opened.on('closed', () => {
      this.#window = undefined;
    });
    opened.once('ready-to-show', () => {
      opened.show();
    });
    return opened;
  }

  /** Whoever starts Vouch again while it ends wants it open: it starts anew when it has ended. */
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

  /** Goes to the screen that a link names, and to the first where nothing of the service is shown. */
  #load(link: string | undefined): void {
    const [address, window] = [this.#address, this.#window];
    if (address === undefined || window === undefined) {
      this.#wanted = link ?? this.#wanted;
      return;
    }
    this.#wanted = undefined;
    const path = link === undefined ? undefined : screenOf(link);
    // Nothing was loaded yet, or why the service did not start.
    if (path !== undefined || !window.webContents.getURL().startsWith(`${address}/`))
      void window.loadURL(address + (path ?? '/'));
  }

  /** Folders go from the system's dialog, or from a drop, to the service; the page gets a ticket. */
  #takeFolders(): void {
    const { electron, offerFolder } = this.#ports;
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
      hand: offerFolder,
    });
    electron.ipcMain.handle(CHOOSE_CHANNEL, (event) => bridge.choose(event));
    electron.ipcMain.handle(OFFER_CHANNEL, (event, path: unknown) => bridge.offer(event, path));
  }

  #carryOut(act: MenuAct): void {
    if ('screen' in act) {
      if (this.#address !== undefined) void this.#window?.loadURL(this.#address + act.screen);
    } else if (act.command === 'reload') this.#window?.webContents.reload();
    else if (act.command === 'quit') this.#ports.electron.app.quit();
    // The page has a map of its keys, of the screen that it shows.
    else this.#window?.webContents.sendInputEvent({ type: 'char', keyCode: '?' });
  }
}
