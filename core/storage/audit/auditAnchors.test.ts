import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { Actor } from '../../domain/ports/auditContext.ts';
import {
  acceptLog,
  anchorAndReport,
  anchorAuditLog,
  HeadWatch,
  isLogContradiction,
  requireAnchoredLog,
} from '../../domain/audit/anchor.ts';
import { AuditService } from '../../domain/audit/auditService.ts';
import { keepDatabase } from '../../../test/support/earlierDatabase.ts';
import { temporaryStorage, TestClock } from '../../../test/support/site.ts';
import { openHome, openStorage, type Storage } from '../index.ts';

const NOTE = { company: null, action: 'installation.changed', object: null } as const;
const clock = new TestClock();
const act = { by: 'local-admin', at: clock.now() } as const;

const serviceOf = (storage: Storage) => new AuditService({ ...storage, clock });

async function add(storage: Storage, entries: number, by: Actor = 'local-admin'): Promise<void> {
  for (let index = 0; index < entries; index += 1) await storage.audit.record({ ...act, by }, NOTE);
}

const verified = async (storage: Storage) => storage.audit.verify((await storage.anchors.read()).kept);

/** A home with ten entries, anchored at the third and the last, whose database is then put back to the third. */
async function rolledBack(t: TestContext) {
  const { storage, folder } = await temporaryStorage(t);
  await add(storage, 3);
  await anchorAuditLog({ ...storage, clock });
  await storage.close();
  const putBack = await keepDatabase(folder);
  const later = await openStorage(openHome(folder), clock);
  await add(later, 7);
  await anchorAuditLog({ ...later, clock });
  await later.close();
  putBack();
  const storageNow = await openStorage(openHome(folder), clock);
  t.after(() => storageNow.close());
  return { storage: storageNow, file: join(folder, 'audit-anchors.jsonl') };
}

test('a start on a rolled-back database is logged and adds no anchor', async (t) => {
  const { storage, file } = await rolledBack(t);
  const before = readFileSync(file, 'utf8');
  const errors: string[] = [];
  const quiet = () => undefined;
  const log = { info: quiet, warn: quiet, error: (_: object, text: string) => errors.push(text) };
  await anchorAndReport({ ...storage, clock, log });
  assert.equal(errors.length, 1);
  assert.match(errors[0] ?? '', /contradicts its anchors/);
  assert.equal(readFileSync(file, 'utf8'), before);
});

test('a rollback is found although the log grew and reused an anchor number', async (t) => {
  const { storage, file } = await rolledBack(t);
  await add(storage, 7, 'service');
  await assert.rejects(anchorAuditLog({ ...storage, clock }), isLogContradiction);
  appendFileSync(file, `${JSON.stringify(await storage.audit.head(clock.now()))}\n`);
  const verdict = await verified(storage);
  assert.deepEqual([verdict.whole, verdict.firstBad?.sequence], [false, 10]);
});

test('with an external file, a database and anchors rolled back together are found', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const outside = join(folder, 'outside');
  mkdirSync(outside);
  const service = serviceOf(storage);
  await assert.rejects(service.useExternalFile(join(folder, 'absent'), act), /cannot write/);
  const { file } = await service.useExternalFile(outside, act);
  await add(storage, 3);
  await anchorAuditLog({ ...storage, clock });
  await storage.close();
  const putBack = await keepDatabase(folder);
  const anchors = join(folder, 'audit-anchors.jsonl');
  const earlier = readFileSync(anchors);
  const later = await openStorage(openHome(folder), clock);
  await add(later, 7);
  await anchorAuditLog({ ...later, clock });
  assert.equal(readFileSync(file!, 'utf8').trimEnd().split('\n').length, 3);
  await later.close();
  putBack();
  writeFileSync(anchors, earlier);
  const back = await openStorage(openHome(folder), clock);
  t.after(() => back.close());
  await assert.rejects(anchorAuditLog({ ...back, clock }), isLogContradiction);
  const verdict = await verified(back);
  assert.deepEqual([verdict.whole, verdict.firstBad?.sequence], [false, 5]);
});

test('a missing external file is reported, blocks no anchor and catches up later', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const outside = join(folder, 'outside');
  mkdirSync(outside);
  const { file } = await serviceOf(storage).useExternalFile(outside, act);
  const kept = readFileSync(file!);
  rmSync(outside, { recursive: true });
  await add(storage, 2);
  const anchor = await anchorAuditLog({ ...storage, clock });
  assert.equal(anchor?.sequence, 3);
  assert.deepEqual((await storage.anchors.read()).external.problem, problem('SYSTEM_NOT_FOUND'));
  assert.deepEqual(readdirSync(folder).includes('outside'), false, 'a folder that is away is not made again');
  mkdirSync(outside);
  appendFileSync(file!, kept);
  await anchorAuditLog({ ...storage, clock });
  const state = await storage.anchors.read();
  assert.equal(state.external.problem, null);
  assert.equal(state.kept[1]?.anchors.at(-1)?.sequence, 3);
  assert.deepEqual(await serviceOf(storage).useExternalFile(null, act), { file: null, problem: null });
});

/** A log of three entries that is kept to be put back, and a service on it whose head is watched. */
async function watched(t: TestContext) {
  const { storage, folder } = await temporaryStorage(t);
  await add(storage, 3);
  await storage.close();
  const putBack = await keepDatabase(folder);
  const running = await openStorage(openHome(folder), clock);
  const ports = { audit: running.audit, anchors: running.anchors, clock };
  return { folder, putBack, running, ports, watch: new HeadWatch(ports) };
}

test('a log that goes back while a service runs is noticed', async (t) => {
  const { folder, putBack, running, ports, watch } = await watched(t);
  assert.equal(await watch.lost(), undefined, 'a process that starts has seen no head');
  await add(running, 7);
  assert.equal(await watch.lost(), undefined, 'the log grows');
  const head = await running.audit.head(clock.now());
  await running.close();
  putBack();
  const back = await openStorage(openHome(folder), clock);
  t.after(() => back.close());
  Object.assign(ports, { audit: back.audit, anchors: back.anchors });
  // The log has grown again beyond the head that was lost, and was anchored.
  await add(back, 9, 'operator:9');
  await anchorAuditLog({ ...back, clock });
  await requireAnchoredLog({ ...back, clock });
  const lost = await watch.lost();
  assert.equal(lost?.hash, head?.hash);
  await back.anchors.next(() => Promise.resolve(lost));
  await assert.rejects(requireAnchoredLog({ ...back, clock }), /The service did not start/);
});

test('an entry that is lost before the next look is noticed too', async (t) => {
  const { folder, putBack, running, ports, watch } = await watched(t);
  assert.equal(await watch.lost(), undefined);
  await add(running, 2);
  const written = running.audit.takeWritten();
  assert.equal(written?.sequence, 5);
  await running.close();
  putBack();
  const back = await openStorage(openHome(folder), clock);
  t.after(() => back.close());
  const audit = { hashOf: back.audit.hashOf.bind(back.audit), takeWritten: () => written };
  Object.assign(ports, { audit, anchors: back.anchors });
  assert.deepEqual(await watch.lost(), written);
});

test('a log that was put back keeps the service from starting until it is accepted', async (t) => {
  const { file, storage } = await rolledBack(t);
  const ports = { ...storage, clock };
  const refused = (code: string) => (error: unknown) =>
    error instanceof CodedError && error.problem.code === code;
  await assert.rejects(requireAnchoredLog(ports), refused('AUDIT_START_REFUSED'));
  const { kept } = await serviceOf(storage).accept(act);
  assert.ok(existsSync(join(dirname(file), kept)), 'the anchors are evidence');
  await requireAnchoredLog(ports);
  assert.ok((await verified(storage)).whole);
  await assert.rejects(acceptLog(ports, act), refused('AUDIT_NOT_CONTRADICTED'));
});
