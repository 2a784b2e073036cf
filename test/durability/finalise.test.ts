import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { Verifications } from '../../core/domain/screening/verifications.ts';
import { openGallery } from '../../core/gallery/index.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { SILENT_LOG } from '../support/fakes.ts';
import { photoOf, visionOfPeople } from '../support/people.ts';
import { TestClock, newCompany, temporaryFolder } from '../support/site.ts';

test('a finalisation committed before a kill is matched after the restart', async (t) => {
  const folder = temporaryFolder(t);
  const clock = new TestClock();
  const vision = visionOfPeople();
  const open = async () => {
    const storage = await openStorage(openHome(folder), clock);
    const gallery = await openGallery({ pipelineId: vision.pipelineId }, storage, SILENT_LOG);
    const ports = { ...storage, vision, gallery, clock, log: SILENT_LOG };
    const close = async () => {
      await gallery.close();
      await storage.close();
    };
    return {
      ...ports,
      storage,
      close,
      verifications: new Verifications(ports),
    };
  };

  const before = await open();
  const company = await newCompany(before.storage, folder);
  const { id: flowId } = await before.flows.create(company.id, 'Onboarding', {}, 'local-admin');
  const begin = async ({ verifications }: Awaited<ReturnType<typeof open>>, shot: number) => {
    const created = await verifications.create(company, flowId, null, 'local-admin');
    assert.ok(created);
    const reference = { flowId, id: created.validation.id };
    assert.equal(
      (await verifications.takeSelfie(company, reference, photoOf(1, shot), 'local-admin')).kind,
      'taken',
    );
    return reference;
  };
  const first = await begin(before, 1);
  await before.close();

  const script = join(import.meta.dirname, '../support/finaliseAndDie.ts');
  const { signal, stderr } = spawnSync(process.execPath, [
    script,
    folder,
    String(company.id),
    String(flowId),
    String(first.id),
  ]);
  assert.equal(signal, 'SIGKILL', stderr.toString());

  const after = await open();
  t.after(() => after.close());
  assert.equal(after.gallery.faces, 1);
  assert.equal(
    (await after.verifications.finalise(company, first, 'local-admin'))?.status,
    3,
    'it was finalised, once',
  );
  const second = await begin(after, 2);
  assert.equal((await after.verifications.finalise(company, second, 'local-admin'))?.status, 2);
  const detail = await after.validations.detail(company.id, second.id);
  assert.deepEqual(
    detail?.duplicates.map((entry) => entry.trustValidationId),
    [first.id],
  );
});
