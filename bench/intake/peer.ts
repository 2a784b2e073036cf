/**
 * The peer of the measurement: a server that does nothing but parse a form and write each of its files with fsync, as the
 * documentation of the parser has it. `peer FOLDER` prints its port.
 */
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Busboy } from '@fastify/busboy';

const [folder = ''] = process.argv.slice(2);

const server = createServer((request, response) => {
  const files: Promise<void>[] = [];
  const parser = new Busboy({ headers: { 'content-type': request.headers['content-type'] ?? '' } });
  parser.on('file', (_field, content) => {
    files.push(buffer(content).then(write));
  });
  parser.on('finish', () => {
    void Promise.all(files).then(() => response.writeHead(202).end());
  });
  request.pipe(parser);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

async function write(content: Buffer): Promise<void> {
  const handle = await open(join(folder, randomUUID()), 'wx', 0o600);
  await handle.writeFile(content);
  await handle.sync();
  await handle.close();
}
