/**
 * Services of every role are killed while two programs enrol through two of them: what was acknowledged is there once.
 * `VOUCH_KILLS=200 npm run test:postgres test/cluster/kills.test.ts` for a long run, in which the database server is killed too.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from '../../core/cli/terminal/output.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import { PORTRAITS, portrait } from '../support/facePhotos.ts';
import { readLedger } from '../support/ledger.ts';
import { freePort } from '../support/network.ts';
import { seededRandom } from '../support/seed.ts';
import { run, startService, tokenFor, vouch } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';
import { killServer, newAddress, WITHOUT_SERVER } from '../support/testServer.ts';
import { until } from '../support/until.ts';

const COMPANY = 'Acme';
const KILLS = Number(process.env.VOUCH_KILLS ?? 4);
/** A long run also kills the database server, which no other test uses then. */
const KILLS_SERVER = process.env.VOUCH_KILLS !== undefined;
/** Photos of each program, for some two kills a second. */
const PHOTOS = Math.min(12 + 2 * KILLS, 400);

/** A service that the test kills and starts again. */
interface Killable {
  kill(): Promise<void>;
  start(): Promise<void>;
}

const OPTIONS = { skip: WITHOUT_SERVER, timeout: 3_600_000 };

test(`killed ${KILLS} times, services of one database enrol each photo once`, OPTIONS, async (t) => {
  const folder = temporaryFolder(t);
  const database = newAddress();
  const shared = join(folder, 'shared');
  const homeOf = (name: string) => {
    const home = join(folder, name);
    mkdirSync(home, { mode: 0o700 });
    if (name !== 'first') copyFileSync(join(folder, 'first', 'store.key'), join(home, 'store.key'));
    return home;
  };
  const listening = async (home: string): Promise<Killable & { address: string }> => {
    const port = await freePort();
    const start = () => startService(home, port, 1, {}, ['--role', 'api', '--database', database]);
    let service = await start();
    t.after(() => service.kill());
    return {
      address: service.address,
      kill: () => service.kill(),
      async start() {
        service = await start();
      },
    };
  };
  const enrolling = (home: string): Killable => {
    let stopped = false;
    let ended: Promise<unknown>;
    let program: ReturnType<typeof vouch>;
    const start = () => {
      stopped = false;
      program = vouch(home, ['serve', '--role', 'vision', '--workers', '1', '--database', database]);
      // A service that starts while the database server is down ends; its supervisor starts it again.
      ended = once(program, 'close').then(async () => {
        await sleep(500);
        if (!stopped) start();
      });
    };
    start();
    const kill = async () => {
      stopped = true;
      program.kill('SIGKILL');
      await ended;
    };
    t.after(kill);
    return {
      kill,
      start() {
        start();
        return Promise.resolve();
      },
    };
  };

  const first = homeOf('first');
  const api = await listening(first);
  const created = await run(first, ['company', 'create', COMPANY, '--storage', shared]);
  assert.equal(created.code, 0, created.stderr);
  const second = homeOf('second');
  const services = [api, await listening(second), enrolling(homeOf('third')), enrolling(homeOf('fourth'))];
  const addresses = services.flatMap((service) => ('address' in service ? [service.address as string] : []));
  const token = await tokenFor(first, COMPANY, 'enroll');
  const { pipelineId } = JSON.parse((await run(first, ['--json', 'status'])).stdout) as {
    pipelineId: PipelineId;
  };

  const programs = await Promise.all(
    addresses.map(async (address, program) => {
      const photos = join(folder, `photos ${program}`);
      mkdirSync(photos);
      for (let index = 0; index < PHOTOS; index += 1)
        writeFileSync(
          join(photos, `photo ${program} ${index}.jpg`),
          await portrait(index % PORTRAITS, index + program * PHOTOS),
        );
      return ['enroll', photos, '--batch', '3', '--address', address];
    }),
  );
  const enrolled = programs.map(async (order) => {
    let code;
    do ({ code } = await run(second, order, { VOUCH_TOKEN: token }));
    while (code === EXIT.unreachable);
    return code;
  });
  const random = seededRandom(t);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(random() * 1_500);
    if (KILLS_SERVER && random() < 0.15) await killServer();
    else {
      const service = services[Math.floor(random() * services.length)]!;
      await service.kill();
      await service.start();
    }
  }
  assert.deepEqual(
    await Promise.all(enrolled),
    [0, 0],
    'both programs received the answer that all was enrolled',
  );

  await until(async () => (await fetch(`${api.address}/health/ready`)).status === 200, 'a ready service');
  for (const service of services) await service.kill();
  const ledger = await readLedger(first, COMPANY, pipelineId);
  const expected = [0, 1].flatMap((program) =>
    Array.from({ length: PHOTOS }, (_, index) => `photo ${program} ${index}`),
  );
  assert.deepEqual(ledger.validations.toSorted(), expected.toSorted(), 'each photo once');
  const count = 2 * PHOTOS;
  assert.deepEqual(
    { ...ledger, validations: undefined },
    { validations: undefined, faces: count, files: count, readable: count, waiting: 0 },
  );
});
