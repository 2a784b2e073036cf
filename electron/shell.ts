/**
 * The desktop window of the service, which it starts and supervises. It has no business logic. Electron's objects are
 * injected, so that tests need no window.
 */
import type { EventEmitter } from 'node:events';
import type * as electron from 'electron';
import { z } from 'zod';
import type { MenuItemConstructorOptions } from 'electron';
import { SESSION_COOKIE } from '../core/contracts/dashboard/session.ts';
import type { FolderGrant } from '../core/contracts/shell.ts';
import type { ServiceEvents } from './serviceProcess.ts';
import { CHOOSE_CHANNEL, FolderBridge, OFFER_CHANNEL } from './folderBridge.ts';
import { type QueueState, followQueue } from './trayIcon.ts';
import { closeSession, confine, WEB_PREFERENCES } from './security.ts';

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

/** `vouch://validation/7` opens that validation. Every other link of the scheme is ignored. */

const LINK = /^vouch:\/\/(validation|review)\/(\d{1,15})\/?$/;
const SCREENS = { validation: 'validations', review: 'review' } as const;

/** The scheme for which the desktop program registers. */
const SCHEME = 'vouch';

/** @returns the path of the screen, e.g. `/validations/7`; undefined where the link names none */
export function screenOf(link: string): string | undefined {
  const match = LINK.exec(link);
  if (match === null) return undefined;
  return `/${SCREENS[match[1] as keyof typeof SCREENS]}/${Number(match[2])}`;
}

/** The link among the arguments that a second start was given. */
export function linkIn(parameters: readonly string[]): string | undefined {
  return parameters.find((one) => one.startsWith(`${SCHEME}:`));
}

/** Delays quitting until the service has stopped, also after repeated requests. */

interface Quitting {
  /** Stops the service, which finishes the images in progress. */
  stop: () => Promise<void>;
  quit: () => void;
}

/** @returns the handler of `before-quit`: the first quit stops the service and quits after it has ended */
export function shutdownOnQuit({ stop, quit }: Quitting): (event: { preventDefault(): void }) => void {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  return (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    if (state === 'stopping') return;
    state = 'stopping';
    void stop().finally(() => {
      state = 'stopped';
      quit();
    });
  };
}

/** The page of the window while the service does not run: the reason, and the time of the next start. */

/** @param why last output of the service. @param wait until the next start, milliseconds */
export function startupErrorPage(why: string, wait: number): string {
  const seconds = Math.ceil(wait / 1_000);
  const words = why === '' ? 'The service ended without a message.' : why;
  const page = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Vouch</title><style>body{font:15px system-ui;margin:48px auto;max-width:720px;padding:0 24px}
pre{white-space:pre-wrap;background:#eef1f4;color:#17212b;padding:16px;border-radius:8px}</style>
<h1 style="font-size:20px">The Vouch service does not start</h1>
<p>Vouch tries again in ${seconds} s and opens the dashboard as soon as the service runs. Accepted photos are safe.</p>
<pre role="alert">${escaped(words)}</pre>
<p>The log in the folder <code>logs</code> of the data directory has the details. <code>vouch doctor</code> shows how to fix the problem.</p></html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(page)}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The bounds with which the window opens: those of the last close, if a display still shows them. */

const savedBounds = z.object({
  width: z.number(),
  height: z.number(),
  x: z.number().optional(),
  y: z.number().optional(),
  /** The window was maximised; the other values are its bounds before that. */
  maximised: z.boolean().optional(),
});
type WindowBounds = z.infer<typeof savedBounds>;

interface Size {
  width: number;
  height: number;
}
interface Area extends Size {
  x: number;
  y: number;
}

const DEFAULT_BOUNDS: WindowBounds = { width: 1440, height: 900 };

/** Width and height of the title bar, in pixels, that a display must show so that the pointer can reach it. */
const GRIP = 80;

/** @param kept the stored value, which can be anything. @returns the default bounds where it is invalid */
function restoredBounds(kept: unknown): WindowBounds {
  return savedBounds.safeParse(kept).data ?? DEFAULT_BOUNDS;
}

/** @param kept bounds at the last close. @param screens work areas of the present displays. @returns without a position where no display shows it */
export function boundsOnDisplays(kept: WindowBounds, screens: readonly Area[]): Size | Area {
  const { width, height, x, y } = kept;
  if (x === undefined || y === undefined) return { width, height };
  const reachable = screens.some(
    (screen) =>
      x + width - GRIP >= screen.x &&
      x + GRIP <= screen.x + screen.width &&
      y >= screen.y &&
      y + GRIP <= screen.y + screen.height,
  );
  return reachable ? { width, height, x, y } : { width, height };
}

/** The menu as data: labels, shortcuts and actions. */

type MenuAct = { screen: string } | { command: 'reload' | 'quit' | 'keys' };

interface MenuEntry {
  label: string;
  accelerator: string;
  act: MenuAct;
}

interface MenuGroup {
  label: string;
  entries: readonly MenuEntry[];
}

/** Each screen has the shortcut of its position. The page handles the shortcuts within a screen (`?` shows them). */
export const MENU: readonly MenuGroup[] = [
  {
    label: 'Vouch',
    entries: [
      { label: 'Reload', accelerator: 'CmdOrCtrl+R', act: { command: 'reload' } },
      { label: 'Quit', accelerator: 'CmdOrCtrl+Q', act: { command: 'quit' } },
    ],
  },
  {
    label: 'Go',
    entries: [
      { label: 'Overview', accelerator: 'CmdOrCtrl+0', act: { screen: '/' } },
      { label: 'Enrol photos', accelerator: 'CmdOrCtrl+1', act: { screen: '/enrol' } },
      { label: 'Review', accelerator: 'CmdOrCtrl+2', act: { screen: '/review' } },
      { label: 'Validations', accelerator: 'CmdOrCtrl+3', act: { screen: '/validations' } },
      { label: 'Search', accelerator: 'CmdOrCtrl+4', act: { screen: '/search' } },
      { label: 'Blacklists', accelerator: 'CmdOrCtrl+5', act: { screen: '/company/internal-biometrics' } },
      { label: 'Signatures', accelerator: 'CmdOrCtrl+6', act: { screen: '/signatures' } },
      { label: 'Audit log', accelerator: 'CmdOrCtrl+7', act: { screen: '/audit' } },
      { label: 'Share blacklists', accelerator: 'CmdOrCtrl+8', act: { screen: '/exchange' } },
      { label: 'System status', accelerator: 'CmdOrCtrl+9', act: { screen: '/system' } },
    ],
  },
  {
    label: 'Help',
    entries: [{ label: 'Shortcuts of this screen', accelerator: 'CmdOrCtrl+/', act: { command: 'keys' } }],
  },
];

/** The menu for Electron, followed by the menus of the system. */
function menuTemplate(carryOut: (act: MenuAct) => void): MenuItemConstructorOptions[] {
  const groups = MENU.map(({ label, entries }) => ({
    label,
    submenu: entries.map(({ act, ...entry }) => ({
      ...entry,
      click: () => {
        carryOut(act);
      },
    })),
  }));
  return [...groups, { role: 'editMenu' }, { role: 'windowMenu' }];
}
