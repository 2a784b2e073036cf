/** `restoreAndDie HOME BUNDLE KEY`: restores, and is killed as by a power cut after the restored database was moved. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [home = '', bundle = '', key = ''] = process.argv.slice(2);
const { rename } = fs.promises;

fs.promises.rename = async (from, to) => {
  await rename(from, to);
  if (String(from).includes('restoring-') && String(to).endsWith('vouch.db'))
    process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();

const { readBackupKey } = await import('../../core/encryption/backupKey.ts');
const { openHome, restoreBackup } = await import('../../core/storage/index.ts');
await restoreBackup(
  openHome(home),
  bundle,
  readBackupKey(key),
  { now: () => new Date() },
  {
    retention: () => Promise.resolve(true),
    credentials: () => Promise.resolve(true),
  },
);
