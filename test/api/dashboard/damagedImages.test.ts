/** A stored image whose file was changed, or changed places with another: never shown, recorded, and reported as what it is. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { openScreeningSite } from '../screeningSite.ts';
import { checkImages } from '../../../core/domain/diagnostics/doctor.ts';

test('a damaged image answers 410 IMAGE_DAMAGED, is logged once and named', async (t) => {
  const { site, newBlacklist } = await openScreeningSite(t);
  const { storage, company } = site;
  const list = await newBlacklist('Refused entry', { people: [1, 2, 3] });
  const photos = await storage.blacklists.photos(company.id, list.id, { limit: 5 });
  const faces = photos.map(({ faceId }) => faceId!);
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const look = (face: number) => ask(site, 'GET', `/faces/${face}/image`, { cookie });
  const checked = () => checkImages(storage, company.id);
  const before = await checked();
  assert.deepEqual([before.code, before.facts.sampled], ['imagesGood', '3']);

  const [a, b, c] = await site.imageFiles();
  const [contentA, contentB, contentC] = await Promise.all([a!, b!, c!].map((file) => readFile(file)));
  await writeFile(a!, contentB!);
  await writeFile(b!, contentA!);
  const answers = [];
  for (const face of faces) for (let time = 0; time < 3; time += 1) answers.push(await look(face));
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 6);
  for (const { status, body, headers } of refused) {
    assert.deepEqual([status, body.code], [410, 'IMAGE_DAMAGED']);
    assert.equal(headers.get('retry-after'), null, 'a retry does not help');
  }
  const recorded = await storage.audit.list(company.id, {
    filter: { action: 'image.damaged' },
    limit: 50,
  });
  assert.equal(recorded.length, 2, 'one entry for each image, however often it was looked at');
  for (const { object, actor } of recorded) {
    assert.match(object ?? '', /^face:\d+$/);
    assert.equal(actor, 'service');
  }
  const swapped = await checked();
  assert.deepEqual([swapped.code, swapped.facts.damaged], ['imagesDamaged', '2']);
  for (const { object } of recorded)
    assert.match(JSON.stringify(swapped.facts.faces), new RegExp(object!.replace('face:', '--face ')));

  await writeFile(a!, contentA!);
  await writeFile(b!, contentB!);
  const flipped = Buffer.from(contentC!);
  flipped[flipped.length >> 1]! ^= 1;
  await writeFile(c!, flipped);
  assert.equal((await checked()).facts.damaged, '1');
  await writeFile(c!, contentC!);
  for (const face of faces) assert.equal((await look(face)).status, 200);
  assert.equal((await checked()).code, 'imagesGood');
});
