/** A process that dies by SIGKILL in the middle of an import: `image N`, `face N` or `gallery`. */
import { transferPorts } from './transferPorts.ts';
import { createReadStream } from 'node:fs';
import type { CompanyId } from '../../core/contracts/ids.ts';
import { BlacklistTransferService } from '../../core/domain/blacklistTransfer/blacklistTransferService.ts';
import type { IncomingFace } from '../../core/domain/ports/blacklistTransfer.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { RememberingGallery, SILENT_LOG } from './fakes.ts';
import { visionOfPeople } from './people.ts';

const [home = '', company, bundle = '', point, count] = process.argv.slice(2);
const clock = { now: () => new Date() };
const storage = await openStorage(openHome(home), clock);
const die = () => process.kill(process.pid, 'SIGKILL');

class DeadlyGallery extends RememberingGallery {
  override append(): void {
    die();
  }
}

/** Dies when the faces of the transaction have been read this far. */
async function* deadly(faces: AsyncIterable<IncomingFace>): AsyncIterable<IncomingFace> {
  let read = 0;
  for await (const face of faces) {
    if (point === 'face' && read++ === Number(count)) die();
    yield face;
  }
  if (point === 'face' && read === Number(count)) die();
}

const { images, transferStore } = storage;
const write = images.write.bind(images);
let written = 0;
images.write = async (...given) => {
  const image = await write(...given);
  if (point === 'image' && ++written === Number(count)) die();
  return image;
};
const apply = transferStore.apply.bind(transferStore);
transferStore.apply = (owner, change, act) => apply(owner, { ...change, faces: deadly(change.faces) }, act);

const exchange = new BlacklistTransferService({
  ...transferPorts(storage),
  vision: visionOfPeople(),
  gallery: new DeadlyGallery(),
  clock,
  log: SILENT_LOG,
});
const id = Number(company) as CompanyId;
const received = await exchange.receive(
  id,
  createReadStream(bundle) as AsyncIterable<Buffer>,
  {},
  'local-admin',
);
await exchange.import(id, received.packageId, {}, 'local-admin');
