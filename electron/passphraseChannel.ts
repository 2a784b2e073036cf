/** From the passphrase page to the shell; nothing goes the other way. */
export const PASSPHRASE_CHANNEL = 'passphrase';

export interface TypedPassphrase {
  passphrase: string;
  /** The second time, where it is asked for twice; else the same. */
  again: string;
}
