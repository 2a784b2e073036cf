import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Puts entries into a folder that are no photos to send: a name that is not UTF-8, a link, and a pipe that no program writes to. */
export function putOddFiles(folder: string, content: Uint8Array): void {
  writeFileSync(
    Buffer.concat([Buffer.from(join(folder, 'caf')), Buffer.from([0xe9]), Buffer.from('.jpg')]),
    content,
  );
  symlinkSync('/nowhere.jpg', join(folder, 'link.jpg'));
  execFileSync('mkfifo', [join(folder, 'pipe.jpg')]);
}
