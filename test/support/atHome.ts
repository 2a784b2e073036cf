import { withAnyLocalApi } from '../../core/cli/client/localClient.ts';
import { localApi } from '../../core/contracts/local.ts';

/** A company of a home, through the service that runs on it or in this process: without the start of a program. */
export async function createCompany(home: string, name: string): Promise<void> {
  await withAnyLocalApi(home, (api) => api.ask(localApi.createCompany, { body: { name } }));
}
