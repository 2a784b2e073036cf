import type Sqlite from 'better-sqlite3-multiple-ciphers';

/** Tells a fresh connection how the file is encrypted. @param key 32 bytes, used as they are (no derivation) */
export function unlock(connection: Sqlite, key: Uint8Array): void {
  connection.pragma(`cipher='chacha20'`);
  connection.pragma(`key="x'${Buffer.from(key).toString('hex')}'"`);
}
