import type { TestContext } from 'node:test';
import { DefaultQueryExecutor } from 'kysely';

/**
 * Does something between two statements of the store that are not in a transaction, as another process may at any time.
 * @param work runs once, after the next statement of the process
 */
export function afterNextStatement(t: TestContext, work: () => Promise<void>): void {
  const { executeQuery } = DefaultQueryExecutor.prototype;
  const { mock } = t.mock.method(DefaultQueryExecutor.prototype, 'executeQuery', async function (
    this: DefaultQueryExecutor,
    ...given: Parameters<typeof executeQuery>
  ) {
    mock.restore();
    const result = await executeQuery.apply(this, given);
    await work();
    return result;
  } as typeof executeQuery);
}
