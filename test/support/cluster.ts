/** Services as processes of their own on one PostgreSQL database, with one folder for the photos of all. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { EXIT } from '../../core/cli/terminal/output.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import type { NodeRole, NodeState } from '../../core/contracts/nodes.ts';
import { PORTRAITS, portrait } from './facePhotos.ts';
import { readLedger } from './ledger.ts';
import { run, startService, tokenFor, vouch, type ServiceProcess } from './serviceProcess.ts';
import { temporaryFolder } from './site.ts';
import { newAddress } from './testServer.ts';

/** The company of a cluster. */
export const COMPANY = 'Acme';

interface Start {
  /** The address of the database for this service, where it is not the one of the others. */
  database?: string;
  /** Default: a free one. */
  port?: number;
  env?: NodeJS.ProcessEnv;
  /** The command line of another version. */
  cli?: string;
  options?: readonly string[];
}

export interface Cluster {
  folder: string;
  /** The data directory of a service. Those after the first one have its store key. */
  homeOf: (name: string) => string;
  /** Starts a service with the role `api`, which ends with the test. */
  api: (name: string, start?: Start) => Promise<ServiceProcess>;
  /** Starts a service with a role and does not wait for it. It ends with the test. */
  serve: (name: string, role: NodeRole, start?: Start) => ChildProcess;
  /** The same with the role `vision`. */
  vision: (name: string, start?: Start) => ChildProcess;
  /** Creates the company through the first service. @returns a token that may enrol */
  createCompany: () => Promise<string>;
  /** Writes photos of invented people. @returns their folder */
  photos: (name: string, persons: readonly number[]) => Promise<string>;
  /** Enrols a folder, again and again until a service has answered for each photo. @throws {Error} a photo failed */
  enrol: (photos: string, service: ServiceProcess, token: string) => Promise<void>;
  /** The services as the service of a data directory lists them. */
  nodes: (name: string) => Promise<NodeState[]>;
  /** Requires each photo once, and nothing else, in a database that no service uses any more. */
  requireOnce: (photos: readonly string[]) => Promise<void>;
}

/** @param database where the services keep their rows; default: a new one on the server of the tests */
export function openCluster(t: TestContext, database = newAddress()): Cluster {
  const folder = temporaryFolder(t);
  const names: string[] = [];
  let pipeline: PipelineId | undefined;
  const pathOf = (name: string) => join(folder, name);
  const homeOf = (name: string) => {
    if (names.includes(name)) return pathOf(name);
    mkdirSync(pathOf(name), { recursive: true, mode: 0o700 });
    if (names[0] !== undefined)
      copyFileSync(join(pathOf(names[0]), 'store.key'), join(pathOf(name), 'store.key'));
    writeFileSync(join(pathOf(name), 'images.url'), pathOf('images'));
    names.push(name);
    return pathOf(name);
  };
  const argumentsOf = (role: string, { database: own = database, options = [] }: Start) => [
    ...['--role', role, '--database', own],
    ...options,
  ];
  const runFirst = async (...order: string[]) => {
    const { code, stdout, stderr } = await run(pathOf(names[0] ?? ''), ['--json', ...order]);
    assert.equal(code, EXIT.ok, stderr);
    return JSON.parse(stdout) as unknown;
  };
  const serve = (name: string, role: NodeRole, start: Start = {}) => {
    const order = ['--json', 'serve', '--workers', '1', '--port', String(start.port ?? 0)];
    const program = vouch(homeOf(name), [...order, ...argumentsOf(role, start)], start.env, start.cli);
    t.after(() => program.kill('SIGKILL'));
    return program;
  };
  return {
    folder,
    homeOf,
    async api(name, start = {}) {
      const service = await startService(
        homeOf(name),
        start.port ?? 0,
        1,
        start.env ?? {},
        argumentsOf('api', start),
      );
      t.after(() => service.kill());
      return service;
    },
    serve,
    vision: (name, start) => serve(name, 'vision', start),
    async createCompany() {
      await runFirst('company', 'create', COMPANY, '--storage', pathOf('shared'));
      pipeline = ((await runFirst('status')) as { pipelineId: PipelineId }).pipelineId;
      return tokenFor(pathOf(names[0] ?? ''), COMPANY, 'enroll');
    },
    async photos(name, persons) {
      const photos = pathOf(`photos ${name}`);
      mkdirSync(photos);
      for (const person of persons)
        writeFileSync(join(photos, `${name} ${person}.jpg`), await portrait(person % PORTRAITS, person));
      return photos;
    },
    async enrol(photos, { address }, token) {
      const order = ['enroll', photos, '--batch', '3', '--address', address];
      let result;
      // Progress is kept in the data directory of the program, so that it goes on where it was.
      do result = await run(pathOf(names[0] ?? ''), order, { VOUCH_TOKEN: token });
      while (result.code === EXIT.unreachable);
      assert.equal(result.code, EXIT.ok, `${result.stdout}\n${result.stderr}`);
    },
    async nodes(name) {
      const { code, stdout, stderr } = await run(pathOf(name), ['--json', 'cluster', 'status']);
      assert.equal(code, EXIT.ok, stderr);
      return (JSON.parse(stdout) as { nodes: NodeState[] }).nodes;
    },
    async requireOnce(photos) {
      assert.ok(pipeline !== undefined && names[0] !== undefined, 'the company was created');
      const { validations, ...counts } = await readLedger(pathOf(names[0]), COMPANY, pipeline);
      assert.deepEqual(validations.toSorted(), photos.toSorted(), 'each photo once');
      const count = photos.length;
      assert.deepEqual(counts, { faces: count, files: count, readable: count, waiting: 0 });
    },
  };
}
