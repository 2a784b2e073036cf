/** Of the passphrase page: sends what was typed. The page itself has no script, so nothing is exposed to it. */
import { ipcRenderer } from 'electron';
import { PASSPHRASE_CHANNEL, type TypedPassphrase } from './passphraseChannel.ts';

window.addEventListener('DOMContentLoaded', () => {
  document.querySelector('input')?.focus();
  document.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const typed = (name: string) =>
      document.querySelector<HTMLInputElement>(`input[name=${name}]`)?.value ?? undefined;
    const passphrase = typed('passphrase') ?? '';
    const answer: TypedPassphrase = { passphrase, again: typed('again') ?? passphrase };
    ipcRenderer.send(PASSPHRASE_CHANNEL, answer);
  });
});
