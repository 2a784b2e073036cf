/** The results of the command palette, by company and permission. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { findAnswer } from '../../../core/contracts/dashboard/paletteSearch.ts';
import { enrolledFace } from '../../../core/contracts/dashboard/faceImages.ts';
import type { OperatorRole } from '../../../core/contracts/dashboard/session.ts';
import { photoOf } from '../../support/people.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { CREATE, openScreeningSite } from '../screeningSite.ts';
import { formOf } from '../site.ts';
import { good } from './dashboardSite.ts';

test('the palette finds names, numbers and ids, by role and company', async (t) => {
  const { site, newBlacklist, newFlow, fill, work, post } = await openScreeningSite(t);
  const list = await newBlacklist('Refused entry');
  await fill(list.id, [7]);
  const accepted = await site.upload(formOf({ name: 'Ann 100% Lee.jpg', content: photoOf(1) }));
  const { uploadId } = accepted.body.data as { uploadId: string };
  await work();
  const sent = { template_id: await newFlow({}), metadata: { vendor_data: 'case_4711' } };
  assert.equal((await post(CREATE, sent)).status, 200);
  const as = async (role: OperatorRole) => {
    await addOperator(site, role, role);
    const cookie = await signIn(site, role);
    return (path: string) => ask(site, 'GET', path, { cookie });
  };
  const admin = await as('admin');
  const find = async (text: string, service = admin) =>
    good(await service(`/find?text=${encodeURIComponent(text)}`), findAnswer);

  const [ann] = (await find('100% l')).validations;
  assert.equal(ann?.name, 'Ann 100% Lee');
  assert.deepEqual((await find(String(ann.id))).validations[0], ann);
  assert.deepEqual((await find(`#${ann.id}`)).validations[0], ann);
  assert.deepEqual((await find('1000 l')).validations, [], 'a percent sign is itself');
  assert.deepEqual((await find('case_4711')).validations.length, 1);
  assert.deepEqual((await find('caseX4711')).validations, [], 'an underscore is itself');

  const [face] = (await find('person 7')).faces;
  assert.equal(face?.blacklistName, 'Refused entry');
  assert.deepEqual((await find(String(face.id))).faces, [face]);
  const { faceImage } = good(await admin(`/faces/${face.id}`), enrolledFace);
  assert.equal(faceImage.imageUrl, face.thumbnailUrl?.replace('/thumbnail', '/image'));

  assert.deepEqual(
    (await find(uploadId.slice(0, 6).toUpperCase())).uploads.map((each) => each.uploadId),
    [uploadId],
  );
  assert.deepEqual((await find(uploadId.slice(0, 3))).uploads, []);

  // An auditor sees names, never a face.
  const auditor = await as('auditor');
  const seen = await find('100% l', auditor);
  assert.deepEqual(
    seen.validations.map(({ thumbnailUrl }) => thumbnailUrl),
    [null],
  );
  const facts = good(await auditor(`/faces/${face.id}`), enrolledFace);
  assert.equal(facts.listing?.severity, 'caution');
  assert.deepEqual([facts.faceImage.imageUrl, facts.faceImage.thumbnailUrl], [null, null]);
  for (const picture of ['thumbnail', 'image', 'portrait'])
    assert.equal((await auditor(`/faces/${face.id}/${picture}`)).status, 403);

  // Another company finds nothing of it, by whatever it knows.
  site.company = await site.newCompany();
  const other = await as('investigator');
  for (const text of ['100% l', String(ann.id), 'case_4711', 'person 7', String(face.id), uploadId]) {
    const { validations, faces, uploads } = await find(text, other);
    assert.deepEqual([validations, faces, uploads], [[], [], []], text);
  }
  assert.equal((await other(`/faces/${face.id}`)).status, 404);
});
