/** The shell's program: puts it together with Electron. */
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
import { defaultHome } from '../core/cli/terminal/home.ts';
import { socketOf } from '../core/runtime/homePaths.ts';
import { offerFolder, readQueue } from './coreDoor.ts';
import { coreProgram } from './corePlace.ts';
import { CoreProcess } from './coreProcess.ts';
import { keyOfHome } from './homeKey.ts';
import { askPassphrase } from './passphraseWindow.ts';
import { Shell } from './shell.ts';

const home = defaultHome();
const socket = socketOf(home);
const { node, cli } = coreProgram(
  app.isPackaged
    ? { packaged: true, resources: process.resourcesPath }
    : { packaged: false, project: app.getAppPath() },
);

new Shell({
  electron: { app, BrowserWindow, dialog, ipcMain, Menu, nativeImage, Notification, screen, session, Tray },
  args: process.argv,
  // A file that was cut off by a power failure must not keep the window shut.
  state: new Store<{ window: unknown }>({ clearInvalidConfig: true }),
  preload: join(import.meta.dirname, 'preload.cjs'),
  storeKey: () => keyOfHome(home, { dialog, safeStorage }, askPassphrase),
  core: (storeKey) =>
    new CoreProcess({
      node,
      args: [cli, '--home', home, '--json', 'serve'],
      ...(storeKey !== undefined && { storeKey }),
    }),
  readQueue: () => readQueue(socket),
  offerFolder: (folder) => offerFolder(socket, folder),
}).run();
