import Sqlite from 'better-sqlite3-multiple-ciphers';
import type { TestContext } from 'node:test';

/**
 * Sees which connection a store writes through, so that a test can make SQLite itself refuse: called before the store is opened.
 * @returns sends it a pragma
 */
export function storeConnection(t: TestContext): (pragma: string) => unknown {
  let last: Sqlite | undefined;
  const { prepare } = Sqlite.prototype;
  t.mock.method(Sqlite.prototype, 'prepare', function (this: Sqlite, source: string) {
    // What is written, the store alone writes: other connections of the process only look, or hold a lock.
    if (/^insert /i.test(source)) last = this;
    return prepare.call(this, source);
  });
  return (pragma) => {
    if (last === undefined) throw new Error('Nothing was written yet.');
    return last.pragma(pragma);
  };
}
