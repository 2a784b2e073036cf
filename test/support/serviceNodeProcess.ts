/** A service with a store and a gallery that does what its parent sends, until it is killed. */
import { UnavailableError } from '../../core/domain/ports/machine.ts';
import { perform, type FaceOperation } from './faceOperations.ts';
import { openService } from './severalServices.ts';

const [folder = ''] = process.argv.slice(2);
const node = await openService(folder);
process.on('message', ({ id, operation }: { id: number; operation: FaceOperation }) => {
  perform(node, operation).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) =>
      process.send?.({ id, unavailable: error instanceof UnavailableError, error: String(error) }),
  );
});
process.send?.('ready');
