/** The bridge between the page and the shell: one documented interface, nothing else crosses. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { SHELL_BRIDGE, type FolderOffer, type ShellBridge } from '../core/contracts/shell.ts';
import { CHOOSE_CHANNEL, OFFER_CHANNEL } from './folderBridge.ts';

const bridge: ShellBridge<File> = {
  chooseFolder: () => ipcRenderer.invoke(CHOOSE_CHANNEL) as Promise<FolderOffer | null>,
  // The path goes from here to the shell; the page never sees it, and cannot name one.
  offerFolder: (dropped) =>
    ipcRenderer.invoke(OFFER_CHANNEL, webUtils.getPathForFile(dropped)) as Promise<FolderOffer>,
};
contextBridge.exposeInMainWorld(SHELL_BRIDGE, bridge);
