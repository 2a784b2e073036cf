import Sqlite from 'better-sqlite3-multiple-ciphers';
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';

/**
 * Sees which connection a store writes through, so that a test can make SQLite itself refuse: called before the store is opened.
 * @returns sends it a pragma
 */
export function storeConnection(t: TestContext): (pragma: string) => unknown {
  const { mock } = t.mock.method(Sqlite.prototype, 'prepare');
  return (pragma) => {
    // The store's connection alone writes; other connections of the process only read or hold a lock.
    const writer: unknown = mock.calls.findLast(({ arguments: [source] }) =>
      source.startsWith('insert '),
    )?.this;
    assert.ok(writer instanceof Sqlite, 'something was written');
    return writer.pragma(pragma);
  };
}
