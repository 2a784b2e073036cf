import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { ServiceProcess } from './serviceProcess.ts';

function serviceRunning(program: string, firstWait = 5): ServiceProcess {
  return new ServiceProcess({ node: process.execPath, args: ['-e', program], firstWait });
}

test('the shell learns the address from the service', async (t) => {
  const service = serviceRunning(
    `console.log(JSON.stringify({ address: 'http://127.0.0.1:4610', home: 'x', notice: null })); process.on('disconnect', () => process.exit())`,
  );
  t.after(() => service.stop());
  service.start();
  assert.deepEqual(await once(service, 'ready'), ['http://127.0.0.1:4610']);
});

test('a service that exits is restarted after growing waits, with its reason', async (t) => {
  const service = serviceRunning(`console.error('the database is locked'); process.exit(1)`);
  t.after(() => service.stop());
  const waits: number[] = [];
  service.start();
  while (waits.length < 3) {
    const [why, wait] = (await once(service, 'restarting')) as [string, number];
    assert.equal(why, 'the database is locked');
    waits.push(wait);
  }
  assert.deepEqual(waits, [5, 10, 20]);
});

test('a program that cannot be started at all is reported like any other end', async (t) => {
  const service = new ServiceProcess({ node: '/nowhere/node', args: [], firstWait: 5 });
  t.after(() => service.stop());
  service.start();
  const [why] = (await once(service, 'restarting')) as [string];
  assert.match(why, /ENOENT/);
});

test('a stop ends the service cleanly and nothing starts again', async () => {
  const service = serviceRunning(
    `process.on('disconnect', () => { console.error('bye'); process.exit(0) }); console.log(JSON.stringify({ address: 'http://127.0.0.1:1', home: 'x', notice: null })); setInterval(() => {}, 1000)`,
  );
  let restarts = 0;
  service.on('restarting', () => {
    restarts += 1;
  });
  service.start();
  await once(service, 'ready');
  await service.stop();
  assert.equal(restarts, 0);
});

test('the store key reaches the service through a pipe only', async (t) => {
  const storeKey = Buffer.alloc(32, 7);
  const service = new ServiceProcess({
    node: process.execPath,
    args: [
      '-e',
      `const given = require('fs').readFileSync(Number(process.env.VOUCH_STORE_KEY_FD), 'utf8');
       const seen = JSON.stringify([process.argv, process.env]).includes(given);
       console.log(JSON.stringify({ address: 'http://127.0.0.1:1/' + given + '/' + seen, home: 'x', notice: null })); process.on('disconnect', () => process.exit())`,
    ],
    storeKey,
  });
  t.after(() => service.stop());
  service.start();
  assert.deepEqual(await once(service, 'ready'), [`http://127.0.0.1:1/${storeKey.toString('hex')}/false`]);
});

test('the service starts with a clean environment, and no signal opens a debugger', async (t) => {
  process.env.NODE_OPTIONS = '--require /nowhere/inject.cjs';
  t.after(() => delete process.env.NODE_OPTIONS);
  const service = serviceRunning(
    `process.kill(process.pid, 'SIGUSR1');
     setTimeout(() => console.log(JSON.stringify({ address: 'http://127.0.0.1:1/' + process.env.NODE_OPTIONS + '/' + require('inspector').url() + '/' + process.env.MALLOC_ARENA_MAX, home: 'x', notice: null })), 100);
     process.on('disconnect', () => process.exit())`,
  );
  t.after(() => service.stop());
  service.start();
  assert.deepEqual(await once(service, 'ready'), ['http://127.0.0.1:1/undefined/undefined/2']);
});
