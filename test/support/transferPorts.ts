import { PLATFORM } from '../../core/platform/platform.ts';
import type { Storage } from '../../core/storage/index.ts';
import { transferPackages } from '../../core/transfer/transferPackages.ts';

/** The ports that blacklist transfer needs beyond an engine, a clock and a log. */
export function transferPorts(storage: Storage) {
  return { ...storage, ...PLATFORM, packages: transferPackages(storage) };
}
