/** MOSIP's queues end to end: a broker, the service with its networks, a data share, and a service that dies. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { EXIT } from '../../core/cli/terminal/output.ts';
import type { MosipState } from '../../core/contracts/mosip.ts';
import { openMosip, startBroker, WITHOUT_BROKER } from '../support/activeMq.ts';
import { portrait } from '../support/facePhotos.ts';
import { cbeffOf, openShare } from '../support/mosipShare.ts';
import { run, startService } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';
import { until } from '../support/until.ts';

const QUEUES = { requests: 'ctk-to-abis', answers: 'abis-to-ctk' };

test('requests of a broker are answered, also when the service dies', { skip: WITHOUT_BROKER }, async (t) => {
  const folder = temporaryFolder(t);
  const home = join(folder, 'home');
  const share = await openShare(t);
  const broker = await startBroker(t);
  const mosip = await openMosip(t, broker.port, QUEUES);
  const vouch = async (...args: string[]) => {
    const { stdout, stderr, code } = await run(home, ['--json', ...args]);
    assert.equal(code, EXIT.ok, stderr);
    return JSON.parse(stdout) as unknown;
  };
  let service = await startService(home, 0, 1);
  t.after(() => service.kill());
  await vouch('company', 'create', 'Acme');
  const sent: { id: string; requestId: string }[] = [];
  const request = (operation: string, fields: object = {}) => {
    const body = {
      id: `mosip.abis.${operation}`,
      version: '1.1',
      requestId: randomUUID(),
      requesttime: new Date().toISOString(),
      ...fields,
    };
    sent.push(body);
    mosip.request(body);
    return body.requestId;
  };
  const answersTo = (id: string) => mosip.answers.filter(({ requestId }) => requestId === id);
  const answerTo = async (id: string) => {
    await until(() => answersTo(id).length > 0, 'the answer');
    return answersTo(id)[0] ?? {};
  };
  const insert = async (referenceId: string, person: number, variant: number) => {
    const photo = await portrait(person, variant);
    const { width, height } = await sharp(photo).metadata();
    share.files.set(`/${referenceId}`, cbeffOf(photo, width, height));
    return request('insert', { referenceId, referenceURL: `${share.origin}/${referenceId}` });
  };

  const early = request('ping');
  assert.deepEqual(await vouch('mosip', 'status', 'Acme'), { connection: null, connected: false });
  assert.deepEqual(mosip.answers, [], 'without a connection nothing is taken');
  const file = join(folder, 'mosip.json');
  writeFileSync(
    file,
    JSON.stringify({ broker: `stomp://127.0.0.1:${broker.port}`, ...QUEUES, shares: [share.origin] }),
  );
  await vouch('mosip', 'connect', 'Acme', file);
  assert.equal((await answerTo(early)).returnValue, '1');
  assert.equal(((await vouch('mosip', 'status', 'Acme')) as MosipState).connected, true);

  for (const [reference, person, variant] of [
    ['R-1', 0, 0],
    ['R-2', 0, 1],
    ['R-3', 1, 0],
  ] as const)
    await insert(reference, person, variant);
  const found = await answerTo(request('identify', { referenceId: 'R-1' }));
  const { candidates } = found.candidateList as { candidates: { referenceId: string }[] };
  assert.deepEqual(
    candidates.map(({ referenceId }) => referenceId),
    ['R-2'],
  );
  for (const { requestId } of sent) assert.equal((await answerTo(requestId)).returnValue, '1', requestId);

  // Killed while it works on them: each is answered, and none in two ways.
  const more = [];
  for (let n = 4; n < 10; n += 1) more.push(await insert(`R-${n}`, n % 5, n));
  more.push(request('delete', { referenceId: 'R-3' }));
  await until(() => share.asked.includes('/R-4'), 'the first of them');
  await service.kill();
  service = await startService(home, 0, 1);
  for (const id of more) assert.equal((await answerTo(id)).returnValue, '1', id);
  const counted = await answerTo(request('referenceCount'));
  assert.equal(counted.count, '8');
  for (const { requestId } of sent) {
    const [first, ...others] = answersTo(requestId);
    for (const other of others) assert.deepEqual(other, first, 'the same answer again');
  }

  assert.deepEqual(await vouch('mosip', 'disconnect', 'Acme'), { connection: null, connected: false });
  const late = request('ping');
  await vouch('mosip', 'connect', 'Acme', file);
  await answerTo(late);
  assert.equal(answersTo(late).length, 1, 'it waited for the connection');
});
