/** Opens the store key of the home with the key store of the system or a passphrase, and asks its questions in windows. */
import { mkdirSync } from 'node:fs';
import type * as electron from 'electron';
import { storeKeyOf, type Protector } from './keyVault.ts';
import { messageOf } from '../core/contracts/errors/problem.ts';

type KeyApi = Pick<typeof electron, 'dialog' | 'safeStorage'>;
/** @returns undefined: the window was closed */
type AskPassphrase = (kind: 'new' | 'known' | 'again') => Promise<string | undefined>;

/** @returns undefined: the service reads its own key file */
export async function keyOfHome(
  home: string,
  { dialog, safeStorage }: KeyApi,
  askPassphrase: AskPassphrase,
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
