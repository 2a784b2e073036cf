import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { certificateOf, ownKeys, readCertificate } from '../../core/transfer/installationIdentity.ts';
import { openGallery } from '../../core/gallery/index.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { twoSites, wholeOf } from '../api/blacklistTransfer/sites.ts';
import { TEST_ACT } from '../support/act.ts';
import { SILENT_LOG } from '../support/fakes.ts';
import { visionOfPeople } from '../support/people.ts';
import { newCompany, TestClock, temporaryFolder } from '../support/site.ts';

const SCRIPT = join(import.meta.dirname, '../support/importAndDie.ts');
const PEOPLE = [1, 2, 3, 4, 5];
/** Where the power is cut, and whether the import is there afterwards. */
const CUTS = [
  ['image 1', false],
  ['image 5', false],
  ['face 0', false],
  ['face 5', false],
  ['gallery', true],
] as const;

test('a killed import is complete or absent, and can be repeated', async (t) => {
  const { north } = await twoSites(t);
  const list = await north.newBlacklist('Ferry thieves', { people: PEOPLE });
  for (const [point, there] of CUTS) {
    const folder = temporaryFolder(t);
    const open = () => openStorage(openHome(folder), new TestClock());
    const fresh = await open();
    const company = await newCompany(fresh, folder);
    const { certificate } = certificateOf(await ownKeys(fresh, TEST_ACT));
    const self = readCertificate(JSON.stringify(certificate));
    const { storage, company: sender } = north.site;
    const receiver = await storage.trustedInstallations.trust(sender.id, { ...self, name: point }, TEST_ACT);
    const northern = readCertificate(
      JSON.stringify((await north.exchange.certificate('local-admin')).certificate),
    );
    await fresh.trustedInstallations.trust(company.id, northern, TEST_ACT);
    await fresh.close();
    const wanted = { list: list.id, installation: receiver.id, photos: true };
    const { content } = await north.exchange.export(sender.id, wanted, 'local-admin');
    const bundle = join(folder, 'list.vouchlist');
    writeFileSync(bundle, await wholeOf(content));

    const args = [SCRIPT, folder, String(company.id), bundle, ...point.split(' ')];
    const { signal, stderr } = spawnSync(process.execPath, args);
    assert.equal(signal, 'SIGKILL', `${point}: ${stderr.toString()}`);

    const after = await open();
    await after.sweepOrphans(0);
    const { rows } = await after.blacklists.list(company.id, { offset: 0, limit: 10 });
    assert.deepEqual(
      rows.map(({ name, enrolledFacesCount }) => [name, enrolledFacesCount]),
      there ? [['Ferry thieves', PEOPLE.length]] : [],
      point,
    );
    const images = join(folder, 'storage');
    const files = existsSync(images)
      ? readdirSync(images, { recursive: true, withFileTypes: true }).filter(({ name }) =>
          name.endsWith('.vimg'),
        )
      : [];
    assert.equal(files.length, there ? PEOPLE.length : 0, `files after ${point}`);
    assert.equal(existsSync(openHome(folder).received), false, 'what was handed in is not kept');
    const gallery = await openGallery({ pipelineId: visionOfPeople().pipelineId }, after, SILENT_LOG);
    assert.equal(gallery.faces, there ? PEOPLE.length : 0);
    await gallery.close();
    await after.close();
  }
});
