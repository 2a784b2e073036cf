/** The shell: one window on the service that it starts and supervises. No business logic. */
import { join } from 'node:path';
import { app, BrowserWindow, dialog, session, type WebContents } from 'electron';
import Store from 'electron-store';
import { CoreProcess } from './coreProcess.ts';
import { mayNavigate } from './navigation.ts';

interface WindowState {
  width: number;
  height: number;
  x?: number;
  y?: number;
}

const RESOURCES = app.isPackaged ? process.resourcesPath : app.getAppPath();
const NODE = join(
  RESOURCES,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);
const state = new Store<{ window: WindowState }>({ defaults: { window: { width: 1440, height: 900 } } });
const core = new CoreProcess({ node: NODE, args: [join(RESOURCES, 'core', 'cli.ts'), 'serve'] });

let window: BrowserWindow | undefined;
let address: string | undefined;

if (!app.requestSingleInstanceLock()) {
  app.quit();
} else {
  app.enableSandbox();
  app.on('second-instance', () => {
    window?.restore();
    window?.focus();
  });
  app.on('web-contents-created', (_event, contents) => {
    confine(contents);
  });
  app.on('window-all-closed', () => {
    app.quit();
  });
  app.on('before-quit', quitCleanly);
  void app.whenReady().then(open);
}

function open(): void {
  // Nothing the page could ask for is granted; nothing it could download is saved by the shell.
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => {
    answer(false);
  });
  session.defaultSession.setPermissionCheckHandler(() => false);
  session.defaultSession.on('will-download', (event, item) => {
    if (!mayNavigate(item.getURL().replace(/^blob:/, ''), address)) event.preventDefault();
  });
  window = new BrowserWindow({
    ...state.get('window'),
    minWidth: 1024,
    minHeight: 700,
    show: false,
    webPreferences: {
      preload: join(import.meta.dirname, 'preload.cjs'),
      contextIsolation: true,
      nodeIntegration: false,
      sandbox: true,
      webSecurity: true,
    },
  });
  const opened = window;
  opened.on('close', () => {
    state.set('window', opened.getNormalBounds());
  });
  opened.once('ready-to-show', () => {
    opened.show();
  });
  core.on('ready', (where) => {
    address = where;
    void opened.loadURL(where);
  });
  core.on('restarting', (why, wait) => {
    address = undefined;
    if (wait > LONG_WAIT) dialog.showErrorBox('The service does not start', why);
  });
  core.start();
}

/** Waits longer than this mean that the service fell several times in a row: then the operator is told. */
const LONG_WAIT = 4_000;

/** The page stays on the service: no other address, no further window, no embedded page. */
function confine(contents: WebContents): void {
  contents.on('will-navigate', (event) => {
    if (!mayNavigate(event.url, address)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!mayNavigate(event.url, address)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

function quitCleanly(event: Electron.Event): void {
  app.off('before-quit', quitCleanly);
  event.preventDefault();
  void core.stop().finally(() => {
    app.quit();
  });
}
