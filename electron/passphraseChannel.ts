/** The channel from the passphrase page to the desktop program. */
export const PASSPHRASE_CHANNEL = 'passphrase';

export interface TypedPassphrase {
  passphrase: string;
  /** The confirmation of a new passphrase; else the same as `passphrase`. */
  again: string;
}
