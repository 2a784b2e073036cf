/** The only interface between the page and the desktop program. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { SHELL_BRIDGE, type FolderGrant, type ShellBridge } from '../core/contracts/shell.ts';
import { CHOOSE_CHANNEL, OFFER_CHANNEL } from './folderBridge.ts';

const bridge: ShellBridge<File> = {
  chooseFolder: () => ipcRenderer.invoke(CHOOSE_CHANNEL) as Promise<FolderGrant | null>,
  // The path goes from the system to the desktop program. The page can neither read nor choose it.
  offerFolder: (dropped) =>
    ipcRenderer.invoke(OFFER_CHANNEL, webUtils.getPathForFile(dropped)) as Promise<FolderGrant>,
};
contextBridge.exposeInMainWorld(SHELL_BRIDGE, bridge);
