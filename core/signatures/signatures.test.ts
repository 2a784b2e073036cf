import { test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encoded, signings } from '../../test/signatures/specimens.ts';
import { UnavailableError } from '../domain/ports/machine.ts';
import { createSignatures } from './signatures.ts';
import { trusted } from '../contracts/ids.ts';

const COMPANY = trusted.company(1);

test('the port compares in a process of its own, in either order alike', async (context) => {
  const port = createSignatures();
  context.after(() => port.close());
  const [one, again] = await Promise.all(signings(31, 2).map((picture) => encoded(picture)));
  const [there, back] = await Promise.all([
    port.compare(one!, again!, { pictures: false, company: COMPANY }),
    port.compare(again!, one!, { pictures: false, company: COMPANY }),
  ]);
  assert.ok(there.kind === 'compared' && back.kind === 'compared');
  assert.equal(there.similarity, back.similarity);
  assert.equal(there.modelVersion, port.modelVersion);
});

test('a pair that kills its worker is inconclusive; too many pairs are rejected', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'vouch-signatures-'));
  context.after(() => rm(folder, { recursive: true }));
  const workerPath = join(folder, 'worker.mjs');
  await writeFile(
    workerPath,
    `process.on('message', () => process.exit(1)); process.send({ kind: 'ready' });`,
  );
  const port = createSignatures({ workerPath, maxWaiting: 1 });
  context.after(() => port.close());
  await port.start();
  const compare = () =>
    port.compare(new Uint8Array(1), new Uint8Array(1), { pictures: false, company: COMPANY });
  const answers = await Promise.allSettled([compare(), compare(), compare()]);
  const kinds = answers.map((answer) =>
    answer.status === 'fulfilled' ? answer.value.kind : (answer.reason as unknown),
  );
  assert.deepEqual(kinds.slice(0, 2), ['inconclusive', 'inconclusive']);
  assert.ok(kinds[2] instanceof UnavailableError);
});
