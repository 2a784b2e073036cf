import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { ITEM_STATUS } from '../../contracts/codes.ts';
import { problem } from '../../contracts/errors/problem.ts';
import type { UploadId } from '../../contracts/ids.ts';
import type { NewUpload } from '../../domain/ports/uploads.ts';
import { failItem } from '../../../test/support/answerItem.ts';
import { afterNextStatement } from '../../../test/support/betweenStatements.ts';
import { acceptUpload, newCompany, temporaryStorage, writeImage } from '../../../test/support/site.ts';

const HOUR = 60 * 60 * 1000;

test('an upload is written whole or not at all', async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const image = await writeImage(storage, company);
  const id = randomUUID() as UploadId;
  const upload: NewUpload = {
    id,
    target: { kind: 'duplicate', trustFlowId: await storage.companies.systemTrustFlow(company.id) },
    accepted: { by: 'local-admin', at: clock.now() },
    // The same file twice breaks the transaction at its second image.
    images: [
      { fileName: 'a', image },
      { fileName: 'b', image },
    ],
  };
  await assert.rejects(storage.uploads.accept(company.id, upload));
  assert.equal(await storage.uploads.find(company.id, 'duplicate', id), undefined);
  assert.equal(await storage.queue.waiting(), 0);
});

test('an upload is found by its company and its kind alone', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const owner = await newCompany(storage, folder, 'Owner');
  const other = await newCompany(storage, folder, 'Other');
  const id = await acceptUpload(storage, owner, ['a', 'b']);
  assert.equal((await storage.uploads.find(owner.id, 'duplicate', id))?.items.length, 2);
  assert.equal(await storage.uploads.find(other.id, 'duplicate', id), undefined);
  assert.equal(await storage.uploads.find(owner.id, 'blacklist', id), undefined);
});

test('an upload that ends while it is read is shown with its end and its last photo', async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const id = await acceptUpload(storage, company, ['a']);
  const [item] = await storage.queue.lease(1);
  afterNextStatement(t, () => failItem(storage, item!, { code: 'NO_FACE' }, clock.now()));
  const read = await storage.uploads.find(company.id, 'duplicate', id);
  assert.equal(read?.completedAt, clock.now().toISOString());
  assert.deepEqual(
    read.items.map(({ status }) => status),
    [ITEM_STATUS.Failed],
  );
});

test('an Idempotency-Key lasts 24 hours per company and can be reused after that', async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const other = await newCompany(storage, folder, 'Other');
  const accept = async (fingerprint: string) =>
    storage.uploads.accept(company.id, {
      id: randomUUID() as UploadId,
      target: { kind: 'duplicate', trustFlowId: await storage.companies.systemTrustFlow(company.id) },
      accepted: { by: 'local-admin', at: clock.now() },
      images: [{ fileName: 'a', image: await writeImage(storage, company) }],
      idempotency: { key: 'k', fingerprint },
    });
  await accept('first');
  clock.advance(24 * HOUR - 1);
  const found = await storage.uploads.findByIdempotencyKey(company.id, 'k', clock.now());
  assert.deepEqual([await found?.isSame('first'), found?.numberOfImages], [true, 1]);
  assert.equal(await storage.uploads.findByIdempotencyKey(other.id, 'k', clock.now()), undefined);
  await assert.rejects(accept('too early'), { problem: problem('IDEMPOTENCY_KEY_RUNNING') });
  clock.advance(1);
  assert.equal(await storage.uploads.findByIdempotencyKey(company.id, 'k', clock.now()), undefined);
  await accept('second');
  const later = await storage.uploads.findByIdempotencyKey(company.id, 'k', clock.now());
  assert.deepEqual([await later?.isSame('second'), await later?.isSame('first')], [true, false]);
});
