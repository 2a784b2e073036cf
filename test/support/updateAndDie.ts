/**
 * An update that is killed: while the new version is tried on the `copy`, when it was made current (`pointed`), when it
 * has changed the database (`home`), or when that was put `back` because the version is not healthy, or when the version
 * before was made current again as well (`returned`).
 */
import { dirname } from 'node:path';
import { publisherKey, verifyUpdate } from '../../core/cli/update/updateFile.ts';
import { applyUpdate, findLayout } from '../../core/cli/update/update.ts';
import { DatabaseCopy, openHome, openStorage } from '../../core/storage/index.ts';
import { newCompany } from './site.ts';

const [point, file = '', publisher = '', running = '', homeFolder = ''] = process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');

if (point === 'back' || point === 'returned') {
  const take = DatabaseCopy.take.bind(DatabaseCopy);
  DatabaseCopy.take = async (home) => {
    const copy = await take(home);
    const step = point === 'back' ? 'putBack' : 'remove';
    const work = copy[step].bind(copy);
    copy[step] = async () => {
      await work();
      die();
    };
    return copy;
  };
}

await applyUpdate(await verifyUpdate(file, [publisherKey(publisher)], dirname(file)), {
  layout: await findLayout(running),
  homeFolder,
  running: '0.1.0',
  async tryVersion(_folder, home) {
    if (point === (home === homeFolder ? 'pointed' : 'copy')) die();
    const storage = await openStorage(openHome(home), { now: () => new Date() });
    await newCompany(storage, home, 'Made by the new version');
    await storage.close();
    if (home !== homeFolder) return undefined;
    if (point === 'home') die();
    return 'the disk is another one';
  },
});
