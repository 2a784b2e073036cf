import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * From now on the disk takes the first half of what is written to some files, and then is full.
 * @returns makes room again
 */
export function fillDisk(isFull: (path: string) => boolean): () => void {
  const { open } = fs.promises;
  Object.assign(fs.promises, {
    open: async (path: string, ...rest: [string, number]) => {
      const handle = await open(path, ...rest);
      if (!isFull(path)) return handle;
      const write = handle.writeFile.bind(handle);
      handle.writeFile = async (content) => {
        const bytes = Buffer.from(content as Uint8Array);
        await write(bytes.subarray(0, bytes.length / 2));
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
          code: 'ENOSPC',
          syscall: 'write',
        });
      };
      return handle;
    },
  });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs.promises, { open });
    syncBuiltinESMExports();
  };
}
