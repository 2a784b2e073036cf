/** The entry point of the desktop program: connects the window with Electron. */
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
import { defaultHome, socketOf } from '../core/platform/homePaths.ts';
import { grantFolder, readQueue, serviceExecutable } from './localRequests.ts';
import { ServiceProcess } from './serviceProcess.ts';
import { keyOfHome } from './homeKey.ts';
import { Shell } from './shell.ts';

const home = defaultHome();
const socket = socketOf(home);
const { node, cli } = serviceExecutable(
  app.isPackaged
    ? { packaged: true, resources: process.resourcesPath }
    : { packaged: false, project: app.getAppPath() },
);

new Shell({
  electron: { app, BrowserWindow, dialog, ipcMain, Menu, nativeImage, Notification, screen, session, Tray },
  args: process.argv,
  // A file that a power failure truncated must not prevent the window from opening.
  state: new Store<{ window: unknown }>({ clearInvalidConfig: true }),
  preload: join(import.meta.dirname, 'preload.cjs'),
  storeKey: () => keyOfHome(home, { dialog, safeStorage }),
  service: (storeKey) =>
    new ServiceProcess({ node, args: [cli, '--home', home, '--json', 'serve'], storeKey }),
  readQueue: () => readQueue(socket),
  grantFolder: (folder) => grantFolder(socket, folder),
}).run();
