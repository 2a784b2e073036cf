import type { TestContext } from 'node:test';
import { DefaultQueryExecutor } from 'kysely';

/**
 * Does something between two statements of the store that are not in a transaction, as another process may at any time.
 * @param work runs once, after the next statement of the process
 */
export function afterNextStatement(t: TestContext, work: () => Promise<void>): void {
  type Execute = DefaultQueryExecutor['executeQuery'];
  const execute = async function (this: DefaultQueryExecutor, ...given: Parameters<Execute>) {
    mock.restore();
    const result = await this.executeQuery(...given);
    await work();
    return result;
  };
  const { mock } = t.mock.method(DefaultQueryExecutor.prototype, 'executeQuery', execute as Execute);
}
