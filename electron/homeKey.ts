/** Opens the store key of the home with the key store of the system or a passphrase, and asks its questions in windows. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as electron from 'electron';
import { BrowserWindow, ipcMain } from 'electron';
import { messageOf } from '../core/contracts/errors/problem.ts';
import { storeKeyOf, type Protector, faultOfPassphrase } from './keyVault.ts';
import { PASSPHRASE_CHANNEL, type TypedPassphrase } from './passphraseChannel.ts';
import { WEB_PREFERENCES } from './security.ts';

type KeyApi = Pick<typeof electron, 'dialog' | 'safeStorage'>;

/** @returns undefined: the service reads its own key file */
export async function keyOfHome(
  home: string,
  { dialog, safeStorage }: KeyApi,
): Promise<Uint8Array | 'given-up' | undefined> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  try {
    const kept = await storeKeyOf(home, systemKeyStore(safeStorage), {
      newPassphrase: () => askPassphrase('new'),
      passphrase: (wrong) => askPassphrase(wrong ? 'again' : 'known'),
      takeOver: async () => {
        const { response } = await dialog.showMessageBox({
          type: 'question',
          message: 'The key of this installation is in a plain file.',
          detail:
            'It can be moved into the key store of this computer. Then only this account on this computer can open the installation, and only this window can start it.',
          buttons: ['Move the key', 'Keep the file'],
          defaultId: 0,
          cancelId: 1,
        });
        return response === 0;
      },
    });
    if (kept.kind === 'given-up') return 'given-up';
    return kept.kind === 'key' ? kept.key : undefined;
  } catch (error) {
    dialog.showErrorBox('The installation cannot be opened', messageOf(error));
    return 'given-up';
  }
}

function systemKeyStore(safeStorage: KeyApi['safeStorage']): Protector {
  return {
    // On Linux without a keyring, Electron only obscures the key. That does not count as a key store.
    available: async () =>
      (process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text') &&
      (await safeStorage.isAsyncEncryptionAvailable()),
    seal: (text) => safeStorage.encryptStringAsync(text),
    open: async (sealed) => (await safeStorage.decryptStringAsync(sealed)).result,
  };
}

/** Asks for the passphrase of a home, on a machine without a key store. The page has no network access and no foreign script. */

const TEXTS = {
  new: {
    title: 'This computer has no key store',
    text: 'A passphrase locks the installation instead. Vouch asks for it at every start and cannot recover it. Without the passphrase and the backup key, all data is lost.',
  },
  known: { title: 'The installation is locked', text: 'Enter its passphrase.' },
  again: { title: 'Wrong passphrase', text: 'Enter the passphrase of the installation.' },
} as const;

/** @returns undefined when the window was closed */
export async function askPassphrase(kind: keyof typeof TEXTS): Promise<string | undefined> {
  let fault = '';
  for (;;) {
    const typed = await typedInWindow(kind, fault);
    if (typed === undefined || kind !== 'new') return typed?.passphrase;
    const found = faultOfPassphrase(typed.passphrase, typed.again);
    if (found === undefined) return typed.passphrase;
    fault = found;
  }
}

async function typedInWindow(kind: keyof typeof TEXTS, fault: string): Promise<TypedPassphrase | undefined> {
  const window = new BrowserWindow({
    width: 480,
    height: 360,
    resizable: false,
    webPreferences: { ...WEB_PREFERENCES, preload: join(import.meta.dirname, 'passphrasePreload.cjs') },
  });
  window.removeMenu();
  const { promise, resolve } = Promise.withResolvers<TypedPassphrase | undefined>();
  const onTyped = (event: Electron.IpcMainEvent, typed: TypedPassphrase) => {
    if (event.sender === window.webContents) resolve(typed);
  };
  ipcMain.on(PASSPHRASE_CHANNEL, onTyped);
  window.on('closed', () => {
    resolve(undefined);
  });
  try {
    await window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(page(kind, fault))}`);
    return await promise;
  } finally {
    ipcMain.off(PASSPHRASE_CHANNEL, onTyped);
    if (!window.isDestroyed()) window.destroy();
  }
}

function page(kind: keyof typeof TEXTS, fault: string): string {
  const { title, text } = TEXTS[kind];
  const field = (name: string, label: string) =>
    `<p><label>${label}<br><input type="password" name="${name}" size="40" required></label></p>`;
  return `<!doctype html><html lang="en"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Vouch</title><style>body{font:15px system-ui;margin:24px}p[role=alert]{color:#b00020}</style>
<h1 style="font-size:18px">${title}</h1><p>${text}</p><p role="alert">${fault}</p>
<form>${field('passphrase', 'Passphrase')}${kind === 'new' ? field('again', 'Confirm passphrase') : ''}
<button>Open</button></form></html>`;
}
