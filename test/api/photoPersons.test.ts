/** The field `persons` of an upload: the persons whom the photos show. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { photoOf } from '../support/people.ts';
import { EnrolmentClient } from '../../core/cli/enroll/client.ts';
import { faultText, personLines, personsOf as personsOfSource } from '../../core/cli/enroll/persons.ts';
import { temporaryFolder } from '../support/site.ts';
import { openDashboardSite } from './dashboard/dashboardSite.ts';
import { answerImages } from './engine.ts';
import { FACES, formOf, openSite, type Answer, type TestSite } from './site.ts';

const AT = new Date('2026-03-01T12:00:10.000Z');

/** @param persons the field as it is sent; anything but a text is sent as JSON */
function form(photos: readonly number[], persons: unknown, first = false): FormData {
  const photosForm = formOf(...photos.map((photo) => photoOf(photo)));
  const text = typeof persons === 'string' ? persons : JSON.stringify(persons);
  if (!first) {
    photosForm.append('persons', text);
    return photosForm;
  }
  const sent = new FormData();
  sent.append('persons', text);
  for (const [name, value] of photosForm) sent.append(name, value);
  return sent;
}

const errorsOf = ({ body }: Answer) => body.errors as Record<string, string[]>;

async function personsOf({ storage, company }: TestSite) {
  const rows = await storage.persons.list(company.id, { order: 'name', limit: 50 });
  return rows.map(({ name, externalId, faces }) => [name, externalId, faces]);
}

test('persons are created when their photos are enrolled, wherever the field stands', async (t) => {
  const site = await openSite(t);
  const named = [{ name: ' Ann\u202e ', externalId: 'E-17' }, null, { name: 'Bea' }];
  assert.equal((await site.upload(form([1, 2, 3], named))).status, 202);
  assert.deepEqual(await personsOf(site), [], 'not before the photos are enrolled');
  const again = [{ name: 'Ann', externalId: 'E-17' }, { externalId: 'E-18' }];
  assert.equal((await site.upload(form([4, 5], again, true))).status, 202);
  await answerImages(site, AT, ['face', 'face', 'face', 'face', 'face']);
  const found = await personsOf(site);
  assert.deepEqual(found.slice(0, 2), [
    ['Ann', 'E-17', 2],
    ['Bea', null, 1],
  ]);
  assert.deepEqual(
    found.slice(2).map(([, externalId, faces]) => [externalId, faces]),
    [['E-18', 1]],
  );
});

test('a given name replaces one from a file name, whichever photo is finished first', async (t) => {
  const site = await openSite(t);
  await site.upload(form([1], [{ externalId: 'E-1' }]));
  await answerImages(site, AT, ['face']);
  await site.upload(form([2, 3], [{ name: 'William', externalId: 'E-1' }, { externalId: 'E-1' }]));
  await site.upload(form([4], [{ name: 'Bill', externalId: 'E-1' }]));
  await answerImages(site, AT, ['face', 'face', 'face']);
  assert.deepEqual(await personsOf(site), [['William', 'E-1', 4]]);
  const found = await site.storage.persons.list(site.company.id, {
    order: 'name',
    limit: 5,
    text: 'william',
  });
  assert.equal(found.length, 1);
});

test('a list that does not fit the photos is refused as a whole', async (t) => {
  const site = await openSite(t);
  for (const wrong of [
    '[{"name":',
    { name: 'Ann' },
    [{ name: '' }, null],
    [{ name: 'x'.repeat(101) }, null],
    [{ externalId: 7 }, null],
    [{ name: 'Ann', note: 'x'.repeat(10_000) }, 'x'.repeat(200_000)],
  ]) {
    const answer = await site.upload(form([1, 2], wrong));
    assert.equal(answer.status, 422, JSON.stringify(wrong).slice(0, 80));
    assert.match(errorsOf(answer).persons?.[0] ?? '', /JSON array with one entry for each photo.*100/s);
  }
  const other = await site.upload(form([1, 2], [null]));
  assert.deepEqual(errorsOf(other), {
    persons: [
      'The persons field has 1 entries for 2 photos. Send one entry for each photo, and null for a photo without a person.',
    ],
  });
  assert.equal(await site.storage.queue.waiting(), 0);
});

test('an account that may enrol but not edit persons may not name any', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const token = await site.newToken({ scopes: ['enroll'] });
  const persons = [{ name: 'Ann', externalId: 'E-17' }];
  const refused = await site.upload(form([1], persons), { token });
  assert.equal(refused.status, 403);
  assert.match(String(refused.body.message), /may enrol photos but not name the persons/);
  assert.equal((await site.upload(formOf(photoOf(1)), { token })).status, 202, 'without persons');
  const operator = await as('operator');
  assert.equal((await operator('POST', '/uploads', form([1], persons))).status, 403);
  const admin = await as('admin');
  assert.equal((await admin('POST', '/uploads', form([6], persons))).status, 202);
  await answerImages(site, AT, ['face', 'face']);
  assert.deepEqual((await personsOf(site))[0], ['Ann', 'E-17', 1]);
});

test('an Idempotency-Key covers the persons', async (t) => {
  const site = await openSite(t);
  const send = (name: string) =>
    site.call(FACES, {
      method: 'POST',
      body: form([7], [{ name, externalId: 'E-19' }]),
      headers: { 'idempotency-key': 'one-batch' },
    });
  const [first, repeated, changed] = [await send('Cleo'), await send('Cleo'), await send('Dora')];
  assert.deepEqual([first.status, repeated.status, changed.status], [202, 202, 422]);
  assert.deepEqual(repeated.body.data, first.body.data);
  await answerImages(site, AT, ['face']);
  assert.deepEqual(await personsOf(site), [['Cleo', 'E-19', 1]]);
});

test('the terminal sends the persons of a table and names its rows without use', async (t) => {
  const site = await openSite(t);
  const folder = temporaryFolder(t);
  const names = ['a.jpg', 'b.jpg'];
  for (const [index, name] of names.entries()) writeFileSync(join(folder, name), photoOf(index + 1));
  const table = join(folder, 'persons.csv');
  writeFileSync(table, '\ufefffile;name;external id\r\nb.jpg;Bea;E-2\r\ngone.jpg;Ann;E-1\r\n');
  const found = await personsOfSource(table, names);
  assert.deepEqual(found.faults.map(faultText), ['Row 3: the folder has no photo gone.jpg that is sent']);
  assert.match(personLines(found, 2).join(' '), /^Persons: 1\. Photos with a person: 1\. .* no person: 1 /);
  const client = new EnrolmentClient({ address: site.address, token: site.token }, { path: folder });
  const files = names.map((name) => join(folder, name));
  const persons = names.map((name) => found.persons.get(name) ?? null);
  assert.equal((await client.send(files, 'one', persons)).kind, 'accepted');
  const [a, b] = await site.storage.queue.lease(2);
  assert.deepEqual([a?.named, b?.named?.name, b?.named?.externalId], [null, 'Bea', 'E-2']);
  writeFileSync(table, 'b.jpg,Bea,E-2\n');
  await assert.rejects(personsOfSource(table, names), /persons\.csv has no header.*Nothing was sent\.$/);
  writeFileSync(table, Buffer.from('file,name\nb.jpg,Zo\u00eb\n', 'latin1'));
  await assert.rejects(personsOfSource(table, names), /such as Windows-1252\. Save it as "CSV UTF-8"\./);
  for (const mark of ['\ufeff', ''])
    for (const isBigEndian of [false, true]) {
      const unicodeText = Buffer.from(`${mark}file\tname\r\nb.jpg\tZo\u00eb\r\n`, 'utf16le');
      writeFileSync(table, isBigEndian ? unicodeText.swap16() : unicodeText);
      assert.equal((await personsOfSource(table, names)).persons.get('b.jpg')?.name, 'Zo\u00eb');
    }
  writeFileSync(table, 'file|name\nb.jpg|Bea\n');
  await assert.rejects(personsOfSource(table, names), /separated by commas, semicolons or tabs\./);
  await assert.rejects(personsOfSource(join(folder, 'folders'), names), /Give "folder" or the path/);
});
