/**
 * Services of every role, and their database server, are killed at random while programs enrol, read and search through the
 * services that are left: nothing acknowledged is lost, nothing is there twice, no answer is older than its call, and every
 * call ends. `VOUCH_KILLS=2000 npm run test:postgres test/cluster/kills.test.ts` for a long run.
 */
import { localApi } from '../../core/contracts/local.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EnrolmentClient } from '../../core/cli/enroll/client.ts';
import { LocalApi } from '../../core/cli/client/localClient.ts';
import { sendThroughSocket } from '../../core/cli/client/localSocket.ts';
import { CliError, EXIT } from '../../core/cli/terminal/output.ts';
import { ITEM_STATUS } from '../../core/contracts/codes.ts';
import type { EnrolmentProgress } from '../../core/contracts/uploads.ts';
import { socketOf } from '../../core/platform/homePaths.ts';
import { COMPANY, openCluster } from '../support/cluster.ts';
import { freePort } from '../support/network.ts';
import { randomOf, SEED } from '../support/seed.ts';
import { SupervisedService } from '../support/supervisedService.ts';
import { killServer, WITHOUT_SERVER } from '../support/testServer.ts';
import { startThrowawayServer } from '../support/throwawayServer.ts';
import { until } from '../support/until.ts';

/** Kills of services. After every tenth one the database server is killed too. */
const KILLS = Number(process.env.VOUCH_KILLS ?? 60);
const SERVER_KILLED_EVERY = 10;
/** Milliseconds between two kills at most, where the services start as fast as they are killed. */
const LONGEST_PAUSE = 2_000;
/** Programs that enrol at the same time, and the photos that each of them sends at once. */
const PROGRAMS = 3;
const BATCH = 3;
/**
 * Milliseconds within which each call ends. The waits of the product add up to three minutes: 60 s for a connection, 30 s for a
 * lock, 30 s for COMMIT and 30 s for the question what became of it.
 */
const BOUND = 180_000;
const OPTIONS = { skip: WITHOUT_SERVER, timeout: 4 * 3_600_000 };

/** A service that answers calls, until it is killed. */
interface Listening {
  home: string;
  client: EnrolmentClient;
}

/** Counts that the report of the run states. */
interface Counts {
  photos: number;
  searches: number;
  readings: number;
  /** Calls that a service refused, or that broke with it. They are repeated. */
  repeated: number;
  /** Photos that failed because five services were killed with them, and were sent again. */
  givenUp: number;
}

async function bounded<T>(call: Promise<T>, what: string): Promise<T> {
  const over = new AbortController();
  try {
    return await Promise.race([
      call,
      sleep(BOUND, undefined, { signal: over.signal }).then(() => {
        throw new Error(`${what} had no end within ${BOUND} ms.`);
      }),
    ]);
  } finally {
    over.abort();
  }
}

/** A program that enrols photos through any service, and compares what every service says with what it was told before. */
class Program {
  readonly counts: Counts = { photos: 0, searches: 0, readings: 0, repeated: 0, givenUp: 0 };
  /** Each enrolled photo by its name. */
  readonly enrolled = new Map<string, { file: string; validation: number }>();
  readonly #random: () => number;
  readonly #services: readonly Listening[];
  readonly #outcomes: EnrolmentProgress[] = [];

  constructor(number: number, services: readonly Listening[]) {
    this.#random = randomOf(SEED, number);
    this.#services = services;
  }

  /** The number of uploads whose end this program was told. */
  get ended(): number {
    return this.#outcomes.length;
  }

  /** Sends photos until each is enrolled, then searches for one of them and reads an earlier upload once more. */
  async enrol(files: readonly string[]): Promise<void> {
    const outcome = await this.#send(files);
    const again: string[] = [];
    for (const [index, { fileName, status, failureCode, trustValidationId }] of outcome.images.entries()) {
      const file = files[index]!;
      if (status === ITEM_STATUS.Enrolled && trustValidationId !== null)
        this.enrolled.set(fileName.replace(/\.jpg$/, ''), { file, validation: trustValidationId });
      else {
        assert.equal(failureCode, 'ENGINE_ERROR', fileName);
        this.counts.givenUp += 1;
        again.push(file);
      }
    }
    if (again.length > 0) await this.enrol(again);
    this.counts.photos = this.enrolled.size;
    await this.#search();
    await this.#readAgain();
  }

  async #send(files: readonly string[]): Promise<EnrolmentProgress> {
    const key = randomUUID();
    const id = await this.#ask('an upload', async ({ client }) => {
      const answer = await client.send(files, key);
      if (answer.kind === 'accepted') return answer.uploadId;
      assert.ok(answer.kind === 'later' || answer.kind === 'unreachable', JSON.stringify(answer));
      return undefined;
    });
    for (;;) {
      const outcome = await this.#read(id);
      if (outcome.finished) {
        this.#outcomes.push(outcome.outcome);
        return outcome.outcome;
      }
      await sleep(250);
    }
  }

  async #read(id: string) {
    return this.#ask('a poll', async ({ client }) => {
      const answer = await client.progress(id);
      if (answer.kind === 'progress') return answer;
      assert.ok(answer.kind === 'later' || answer.kind === 'unreachable', JSON.stringify(answer));
      return undefined;
    });
  }

  /** The face of an acknowledged photo is found by every search that begins afterwards. */
  async #search(): Promise<void> {
    const [name, { file, validation }] = [...this.enrolled].at(-1)!;
    const asked = { company: COMPANY, query: { limit: 100 }, body: readFileSync(file) };
    const found = await this.#ask('a search', async ({ home }) => {
      const api = new LocalApi((request) => sendThroughSocket(socketOf(home), request));
      try {
        return await api.ask(localApi.search, asked);
      } catch (error) {
        if (error instanceof CliError) assert.equal(error.exitCode, EXIT.failed, error.message);
        return undefined;
      }
    });
    const ids = found.faces.flatMap(({ candidates }) => candidates.map((one) => one.trustValidationId));
    assert.ok(ids.includes(validation), `${name} was not found: ${JSON.stringify(found)}`);
    this.counts.searches += 1;
  }

  /** No service tells another end of an upload than the one that was told before. */
  async #readAgain(): Promise<void> {
    const before = this.#outcomes[Math.floor(this.#random() * this.#outcomes.length)]!;
    const { outcome } = await this.#read(before.uploadId);
    assert.deepEqual(outcome, before);
    this.counts.readings += 1;
  }

  /** Asks one service after the other, at random, until one of them answers. */
  async #ask<T>(what: string, call: (service: Listening) => Promise<T | undefined>): Promise<T> {
    for (;;) {
      const service = this.#services[Math.floor(this.#random() * this.#services.length)]!;
      const answer = await bounded(call(service), what);
      if (answer !== undefined) return answer;
      this.counts.repeated += 1;
      await sleep(200);
    }
  }
}

/** Requires, in one state of the database, a face for each enrolled photo and no other, and the uploads that were told. */
async function requireNothingTwice(database: string, told: number): Promise<void> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    const { rows } = await client.query<{ enrolled: number; named: number; faces: number; uploads: number }>(
      `select count(*)::integer as enrolled, count(distinct trust_validation_id)::integer as named,
         (select count(*)::integer from face) as faces, (select count(*)::integer from upload) as uploads
       from upload_item where status = ${ITEM_STATUS.Enrolled}`,
    );
    const { enrolled, named, faces, uploads } = rows[0]!;
    assert.deepEqual({ named, faces }, { named: enrolled, faces: enrolled });
    assert.ok(uploads >= told, `${uploads} uploads, of which ${told} were told to be ended`);
  } finally {
    await client.end();
  }
}

/** The first service makes the installation and its company, and ends. The others have its store key. */
async function openSite(t: TestContext, database: string) {
  const cluster = openCluster(t, database);
  const first = await cluster.api('api');
  const token = await cluster.createCompany();
  await first.kill();
  const ports = { api: await freePort(), all: await freePort() };
  const supervised = (name: string, role: 'api' | 'all' | 'vision', port = 0) =>
    new SupervisedService(t, () => cluster.serve(name, role, { port }));
  const services = {
    api: supervised('api', 'api', ports.api),
    all: supervised('all', 'all', ports.all),
    vision: supervised('vision', 'vision'),
    'other vision': supervised('other vision', 'vision'),
  };
  const listening = (['api', 'all'] as const).map((name) => ({
    home: cluster.homeOf(name),
    client: new EnrolmentClient({ address: `http://127.0.0.1:${ports[name]}`, token }, { path: name }),
  }));
  return { cluster, services, listening };
}

test(`${KILLS} kills of services lose no photo and give no old answer`, OPTIONS, async (t) => {
  t.diagnostic(`VOUCH_SEED=${SEED}`);
  const server = await startThrowawayServer(['fsync=off', 'autovacuum=off']);
  t.after(() => {
    server.stop();
  });
  const database = `${server.address}vouch`;
  const { cluster, services, listening } = await openSite(t, database);
  const programs = Array.from({ length: PROGRAMS }, (_, number) => new Program(number + 1, listening));
  let isOver = false;
  const work = programs.map(async (program, number) => {
    for (let batch = 0; !isOver; batch += 1) {
      const persons = Array.from(
        { length: BATCH },
        (_, index) => (batch * BATCH + index) * PROGRAMS + number,
      );
      const name = `photo ${number} ${batch}`;
      const folder = await cluster.photos(name, persons);
      await program.enrol(persons.map((person) => join(folder, `${name} ${person}.jpg`)));
    }
  });
  // A program that found a fault ends the run.
  const failed = Promise.all(work).then(() => undefined);
  failed.catch(() => undefined);

  const random = randomOf(SEED, 0);
  const names = Object.keys(services) as (keyof typeof services)[];
  const killed = new Map(names.map((name) => [name, 0]));
  let whileStarting = 0;
  const began = performance.now();
  const kill = async (number: number) => {
    await sleep(random() * LONGEST_PAUSE);
    const { api, all, vision, 'other vision': otherVision } = services;
    // Where the services start more slowly than they are killed, nothing would happen between the kills.
    await Promise.all([
      Promise.any([api.started, all.started]),
      Promise.any([vision.started, otherVision.started]),
    ]);
    const name = names[Math.floor(random() * names.length)]!;
    if (!services[name].hasStarted) whileStarting += 1;
    await until(() => services[name].kill(), 'a process to kill');
    killed.set(name, killed.get(name)! + 1);
    if (number % SERVER_KILLED_EVERY === 0) await killServer(server);
    await requireNothingTwice(
      database,
      programs.reduce((sum, { ended }) => sum + ended, 0),
    );
  };
  for (let number = 1; number <= KILLS; number += 1) await Promise.race([kill(number), failed]);
  const seconds = Math.round((performance.now() - began) / 1_000);
  isOver = true;
  await failed;
  for (const service of Object.values(services)) {
    assert.deepEqual(service.faults, [], 'no service ended by itself');
    await service.stop();
  }

  const each = [...killed].map(([name, count]) => `${name} ${count}`).join(', ');
  t.diagnostic(`killed in ${seconds} s: ${each}; of them while they started: ${whileStarting}`);
  t.diagnostic(`kills of the database server: ${Math.floor(KILLS / SERVER_KILLED_EVERY)}`);
  for (const { counts } of programs) t.diagnostic(JSON.stringify(counts));
  await cluster.requireOnce(programs.flatMap(({ enrolled }) => [...enrolled.keys()]));
});
