/** The shell: one window on the service that it starts and supervises. No business logic. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  Notification,
  safeStorage,
  screen,
  session,
  Tray,
} from 'electron';
import Store from 'electron-store';
import { SESSION_COOKIE } from '../core/contracts/dashboard/session.ts';
import { defaultHome } from '../core/cli/home.ts';
import { socketOf } from '../core/homePaths.ts';
import { cleanQuit } from './cleanQuit.ts';
import { offerFolder, readQueue } from './coreDoor.ts';
import { CoreProcess } from './coreProcess.ts';
import { coreProgram } from './corePlace.ts';
import { linkIn, SCHEME, screenOf } from './deepLink.ts';
import { CHOOSE_CHANNEL, FolderBridge, OFFER_CHANNEL } from './folderBridge.ts';
import { storeKeyOf, type Protector } from './keyVault.ts';
import { MENU, type MenuAct } from './menu.ts';
import { askPassphrase } from './passphraseWindow.ts';
import { QueueWatch } from './queueWatch.ts';
import { closeSession, confine, WEB_PREFERENCES } from './security.ts';
import { TRAY_IMAGE } from './trayImage.ts';
import { troublePage } from './troublePage.ts';
import { placeOn, type Place } from './windowPlace.ts';

/** Waits longer than this mean that the service fell several times in a row: then the operator is told. */
const LONG_WAIT = 4_000;
const QUEUE_INTERVAL = 5_000;

const state = new Store<{ window: Place }>({ defaults: { window: { width: 1440, height: 900 } } });
const home = defaultHome();
const { node, cli } = coreProgram(
  app.isPackaged
    ? { packaged: true, resources: process.resourcesPath }
    : { packaged: false, project: app.getAppPath() },
);

let window: BrowserWindow | undefined;
let core: CoreProcess | undefined;
let address: string | undefined;
/** A screen that was asked for before the service listened. */
let wanted = linkIn(process.argv);

if (!app.requestSingleInstanceLock()) {
  app.quit();
} else {
  app.enableSandbox();
  app.setAsDefaultProtocolClient(SCHEME);
  app.on('second-instance', (_event, parameters) => {
    show(linkIn(parameters));
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    show(link);
  });
  app.on('web-contents-created', (_event, contents) => {
    confine(contents, () => address);
  });
  app.on('window-all-closed', () => {
    // The passphrase window closes before the real one opens.
    if (core !== undefined) app.quit();
  });
  app.on(
    'before-quit',
    cleanQuit({
      // The service finishes what is in work first; what waits goes on at the next start.
      stop: () => core?.stop() ?? Promise.resolve(),
      quit: () => {
        app.quit();
      },
    }),
  );
  void app.whenReady().then(open);
}

async function open(): Promise<void> {
  closeSession(session.defaultSession, () => address);
  const key = await keyOfHome();
  if (key === 'given up') {
    app.quit();
    return;
  }
  core = new CoreProcess({
    node,
    args: [cli, '--home', home, 'serve'],
    ...(key !== undefined && { storeKey: key }),
  });
  window = openWindow();
  buildMenu();
  takeFolders(window);
  followQueue(window);
  core.on('ready', (where) => {
    address = where;
    show(wanted);
  });
  core.on('restarting', (why, wait) => {
    address = undefined;
    if (wait > LONG_WAIT) void window?.loadURL(troublePage(why, wait));
  });
  core.start();
}

function openWindow(): BrowserWindow {
  const opened = new BrowserWindow({
    ...placeOn(
      state.get('window'),
      screen.getAllDisplays().map(({ workArea }) => workArea),
    ),
    minWidth: 1024,
    minHeight: 700,
    show: false,
    webPreferences: { ...WEB_PREFERENCES, preload: join(import.meta.dirname, 'preload.cjs') },
  });
  opened.on('close', () => {
    state.set('window', opened.getNormalBounds());
  });
  opened.once('ready-to-show', () => {
    opened.show();
  });
  return opened;
}

/** Brings the window to the front, on the screen that a link names. */
function show(link?: string): void {
  const path = link === undefined ? undefined : screenOf(link);
  if (address === undefined || window === undefined) {
    wanted = link ?? wanted;
    return;
  }
  wanted = undefined;
  // Nothing was loaded yet, or why the service did not start.
  if (path !== undefined || !window.webContents.getURL().startsWith(`${address}/`))
    void window.loadURL(address + (path ?? '/'));
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Folders go from the system's dialog, or from a drop, to the service; the page gets a ticket. */
function takeFolders(opened: BrowserWindow): void {
  const bridge = new FolderBridge({
    address: () => address,
    session: async (url) =>
      (await session.defaultSession.cookies.get({ url, name: SESSION_COOKIE }))[0]?.value,
    dialog: async () => (await dialog.showOpenDialog(opened, { properties: ['openDirectory'] })).filePaths[0],
    hand: (folder) => offerFolder(socketOf(home), folder),
  });
  ipcMain.handle(CHOOSE_CHANNEL, (event) => bridge.choose(event));
  ipcMain.handle(OFFER_CHANNEL, (event, path: unknown) => bridge.offer(event, path));
}

/** @returns undefined: the service reads its own key file */
async function keyOfHome(): Promise<Uint8Array | 'given up' | undefined> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  try {
    const kept = await storeKeyOf(home, systemKeyStore(), {
      newPassphrase: () => askPassphrase('new'),
      passphrase: (wrong) => askPassphrase(wrong ? 'again' : 'known'),
      takeOver: async () => {
        const { response } = await dialog.showMessageBox({
          type: 'question',
          message: 'The key of this installation lies in a plain file.',
          detail:
            'It can be moved into the key store of this computer. Then only this account on this computer opens the installation, and only this window starts it.',
          buttons: ['Move it', 'Leave it'],
          defaultId: 0,
          cancelId: 1,
        });
        return response === 0;
      },
    });
    if (kept.kind === 'given up') return 'given up';
    return kept.kind === 'key' ? kept.key : undefined;
  } catch (error) {
    dialog.showErrorBox(
      'The installation cannot be opened',
      error instanceof Error ? error.message : String(error),
    );
    return 'given up';
  }
}

function systemKeyStore(): Protector {
  return {
    // On Linux without a keyring Electron would only obscure the key: that counts as none.
    available: async () =>
      (process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text') &&
      (await safeStorage.isAsyncEncryptionAvailable()),
    seal: (text) => safeStorage.encryptStringAsync(text),
    open: async (sealed) => (await safeStorage.decryptStringAsync(sealed)).result,
  };
}

function buildMenu(): void {
  const groups = MENU.map(({ label, entries }) => ({
    label,
    submenu: entries.map(({ act, ...entry }) => ({
      ...entry,
      click: () => {
        carryOut(act);
      },
    })),
  }));
  Menu.setApplicationMenu(Menu.buildFromTemplate([...groups, { role: 'editMenu' }, { role: 'windowMenu' }]));
}

function carryOut(act: MenuAct): void {
  if ('screen' in act) {
    if (address !== undefined) void window?.loadURL(address + act.screen);
  } else if (act.command === 'reload') window?.webContents.reload();
  else if (act.command === 'quit') app.quit();
  // The page has a map of its keys, of the screen that it shows.
  else window?.webContents.sendInputEvent({ type: 'char', keyCode: '?' });
}

/** The tray says what waits; a long job that has ended is told. */
function followQueue(opened: BrowserWindow): void {
  const watch = new QueueWatch();
  const tray = new Tray(nativeImage.createFromDataURL(TRAY_IMAGE));
  tray.on('click', () => {
    opened.show();
  });
  const look = async () => {
    const { line, ended } = watch.see(await readQueue(socketOf(home)), Date.now());
    tray.setToolTip(`Vouch: ${line}`);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: line, enabled: false },
        {
          label: 'Open',
          click: () => {
            opened.show();
          },
        },
        {
          label: 'Quit',
          click: () => {
            app.quit();
          },
        },
      ]),
    );
    if (ended === undefined) return;
    const told = new Notification({ title: 'Vouch', body: ended });
    told.on('click', () => {
      show();
    });
    told.show();
  };
  const timer = setInterval(() => void look(), QUEUE_INTERVAL);
  app.once('will-quit', () => {
    clearInterval(timer);
  });
  void look();
}
