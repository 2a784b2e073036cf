/** A machine that is too slow for the work makes the end of the service slow, and does not make it fail. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { localApi } from '../../core/contracts/local.ts';
import { ask } from '../../core/cli/client/localClient.ts';
import { portrait } from '../support/facePhotos.ts';
import { processesFrom } from '../support/processList.ts';
import { createCompany } from '../support/atHome.ts';
import { startService, tokenFor } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';
import { until } from '../support/until.ts';

const PHOTOS = 2;

test(
  'a service whose workers stand still ends cleanly and loses no photo',
  { skip: process.platform !== 'linux' && 'the process list is read from /proc' },
  async (t) => {
    const home = join(temporaryFolder(t), 'home');
    const service = await startService(home, 0, 1);
    t.after(() => service.kill());
    await createCompany(home, 'Acme');
    const token = await tokenFor(home, 'Acme', 'enroll');
    const isReady = async () => (await fetch(`${service.address}/health/ready`)).status === 200;
    await until(isReady, 'the workers');
    const [, ...workers] = processesFrom(service.pid);
    assert.ok(workers.length >= 2, 'a worker of each kind');
    for (const { pid } of workers) process.kill(pid, 'SIGSTOP');

    const form = new FormData();
    for (let photo = 0; photo < PHOTOS; photo += 1)
      form.append('images[]', new Blob([await portrait(photo)]), `${photo}.jpg`);
    const headers = { authorization: `Bearer ${token}` };
    const uploaded = await fetch(`${service.address}/api/v3/duplicate-detection/faces`, {
      method: 'POST',
      headers,
      body: form,
    });
    assert.equal(uploaded.status, 202);
    const queue = () => ask(home, localApi.status);
    await until(async () => (await queue()).inProgress === PHOTOS, 'photos in progress');

    await service.stop();
    const log = readdirSync(join(home, 'logs'))
      .map((name) => readFileSync(join(home, 'logs', name), 'utf8'))
      .join('');
    assert.match(log, /"waitsFor":"photos in progress".*work in progress was given up/);
    assert.doesNotMatch(log, /"level":50/, 'no line tells of an error');

    const next = await startService(home, 0, 1);
    t.after(() => next.kill());
    await until(async () => {
      const { waiting, inProgress } = await queue();
      return waiting + inProgress === 0;
    }, 'the photos that waited');
    await next.stop();
  },
);
