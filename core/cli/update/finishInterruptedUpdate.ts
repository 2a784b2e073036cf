import { tryVersion } from './tryVersion.ts';
import { isUnfinished, finishUpdate } from './unfinished.ts';

/**
 * Before a home is opened: an update of it that was cut off is brought to its end.
 * @throws {CliError} the version before is current again: this program is not the one to open it any more
 */
export async function finishInterruptedUpdate(homeFolder: string): Promise<void> {
  if (!isUnfinished(homeFolder)) return;
  console.error('An interrupted update was found. Checking whether the new version works …');
  await finishUpdate(homeFolder, tryVersion);
}
