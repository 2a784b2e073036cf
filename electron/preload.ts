/** The bridge between the page and the shell: one documented interface, nothing else crosses. */
import { contextBridge, webUtils } from 'electron';

export interface ShellBridge {
  /**
   * The path of a file that the operator dropped or chose. Security: only for File objects that the operator handed to
   * the page; the page cannot name a path of its own.
   */
  pathOf(file: File): string;
}

const bridge: ShellBridge = { pathOf: (file) => webUtils.getPathForFile(file) };
contextBridge.exposeInMainWorld('vouchShell', bridge);
