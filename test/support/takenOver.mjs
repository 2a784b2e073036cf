/**
 * A worker program under the control of an attacker, as far as JavaScript reaches: it tries what its job names, and
 * answers for each attempt whether it worked.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';

process.on('disconnect', () => process.exit());

const arrived = async (socket) => {
  await once(socket, 'connect');
  socket.destroy();
};

const ATTEMPTS = {
  'read a file of the home': ({ database }) => readFileSync(database),
  'list the home': ({ home }) => readdirSync(home),
  'read the key': ({ key }) => readFileSync(key),
  "read the service's environment": ({ core }) => readFileSync(`/proc/${core}/environ`),
  "read the service's memory": ({ core }) => readFileSync(`/proc/${core}/mem`),
  "list the service's files": ({ core }) => readdirSync(`/proc/${core}/fd`),
  'write a file': ({ writable }) => writeFileSync(writable, 'planted'),
  "change the key's rights": ({ key }) => chmodSync(key, 0o666),
  'start a program': () => {
    const { error, status } = spawnSync('/bin/true');
    if (error !== undefined || status !== 0) throw error ?? new Error(`exit code ${status}`);
  },
  "enter the owner's socket": ({ socket }) => arrived(connect(socket)),
  'connect over TCP': ({ port }) => arrived(connect(port, '127.0.0.1')),
  'listen over TCP': async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.close();
  },
  'signal the service': ({ core }) => process.kill(core, 0),
};

process.on('message', async ({ job }) => {
  const worked = [];
  for (const [name, attempt] of Object.entries(ATTEMPTS)) {
    try {
      await attempt(job);
      worked.push(name);
    } catch {
      // Refused, as it should be.
    }
  }
  process.send({
    kind: 'done',
    result: { worked, tried: Object.keys(ATTEMPTS), environment: Object.keys(process.env) },
  });
});
process.send({ kind: 'ready' });
