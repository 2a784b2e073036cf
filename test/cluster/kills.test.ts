/**
 * Services of every role are killed while two programs enrol through two of them: what was acknowledged is there once.
 * `VOUCH_KILLS=200 npm run test:postgres test/cluster/kills.test.ts` for a long run, in which the database server is killed too.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCluster } from '../support/cluster.ts';
import { freePort } from '../support/network.ts';
import { seededRandom } from '../support/seed.ts';
import type { ServiceProcess } from '../support/serviceProcess.ts';
import { killServer, WITHOUT_SERVER } from '../support/testServer.ts';
import { until } from '../support/until.ts';

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
  const cluster = openCluster(t);
  const listening = async (name: string): Promise<Killable & { service: ServiceProcess }> => {
    const port = await freePort();
    let service = await cluster.api(name, { port });
    return {
      service,
      kill: () => service.kill(),
      async start() {
        service = await cluster.api(name, { port });
      },
    };
  };
  const enrolling = (name: string): Killable => {
    let stopped = false;
    let ended: Promise<unknown>;
    let program: ChildProcess;
    const start = () => {
      stopped = false;
      program = cluster.vision(name);
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

  const api = await listening('first');
  const token = await cluster.createCompany();
  const apis = [api, await listening('second')];
  const services = [...apis, enrolling('third'), enrolling('fourth')];
  const persons = apis.map((_, program) =>
    Array.from({ length: PHOTOS }, (_photo, index) => index + program * PHOTOS),
  );
  const folders = await Promise.all(persons.map((some, program) => cluster.photos(`photo ${program}`, some)));
  const enrolled = Promise.all(
    apis.map(({ service }, program) => cluster.enrol(folders[program]!, service, token)),
  );
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
  await enrolled;
  await until(
    async () => (await fetch(`${api.service.address}/health/ready`)).status === 200,
    'a ready service',
  );
  for (const service of services) await service.kill();
  await cluster.requireOnce(
    persons.flatMap((some, program) => some.map((person) => `photo ${program} ${person}`)),
  );
});
