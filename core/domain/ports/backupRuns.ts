import type { Problem } from '../../contracts/errors/problem.ts';

/** How a run ended. */
export interface BackupOutcome {
  state: 'done' | 'failed' | 'cancelled';
  bytes: number;
  lostImages: number;
  problem: Problem | null;
}

/** Makes and reads backup keys. */
export interface BackupKeys {
  create(): { text: string; publicKey: Uint8Array; fingerprint: string };
  fingerprintOf(publicKey: Uint8Array): string;
  /** @returns the fingerprint of a typed key; undefined: mistyped */
  read(typed: string): string | undefined;
}
