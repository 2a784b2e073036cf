/** POST /api/v3/duplicate-detection/faces. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { FACES, JPEG, PNG, formOf, openSite } from './site.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const MIB = 1024 * 1024;
const images = (count: number) => Array.from({ length: count }, () => JPEG);
/** A file of exactly this many bytes. */
const sized = (bytes: number) => Buffer.concat([JPEG, Buffer.alloc(bytes - JPEG.length)]);

test('an accepted batch answers 202 with its ids, count and status', async (t) => {
  const site = await openSite(t);
  const answer = await site.upload(formOf(JPEG, PNG));
  assert.equal(answer.status, 202);
  const { data, ...envelope } = answer.body;
  assert.deepEqual(envelope, {
    success: true,
    message: 'Face upload accepted and queued for duplicate detection enrollment',
  });
  const { uploadId, ...rest } = data as { uploadId: string };
  assert.match(uploadId, UUID);
  const trustFlowId = await site.storage.companies.systemTrustFlow(site.company.id);
  assert.deepEqual(rest, { trustFlowId, numberOfImages: 2, status: 1, statusLabel: 'Processing' });
  assert.equal(site.accepted(), 1);
  assert.equal(await site.storage.queue.waiting(), 2);
  assert.equal((await site.imageFiles()).length, 2);
});

test('repeated images[], indexed images[0] and repeated images are the same form', async (t) => {
  const site = await openSite(t);
  const spellings = [
    ['images[]', 'images[]'],
    ['images[0]', 'images[1]'],
    ['images', 'images'],
    ['images[7]', 'images[]'],
  ];
  for (const fields of spellings) {
    const answer = await site.upload(formOf(...fields.map((field) => ({ field, content: JPEG }))));
    assert.equal(answer.status, 202, fields.join(', '));
    assert.equal((answer.body.data as { numberOfImages: number }).numberOfImages, 2);
  }
});

test('the order of the parts is the index, whatever number a field name carries', async (t) => {
  const site = await openSite(t);
  await site.upload(
    formOf(
      { field: 'images[1]', name: 'first.jpg', content: JPEG },
      { field: 'images[0]', name: 'second.jpg', content: PNG },
    ),
  );
  const [first, second] = await site.storage.queue.lease(2);
  assert.deepEqual([first?.fileName, second?.fileName], ['first.jpg', 'second.jpg']);
});

test('the photos of an upload share a folder, so that one sync serves them all', async (t) => {
  const site = await openSite(t);
  const photos = Array.from({ length: 6 }, () => JPEG);
  assert.equal((await site.upload(formOf(...photos))).status, 202);
  const files = await site.imageFiles();
  assert.deepEqual([files.length, new Set(files.map((file) => dirname(file))).size], [6, 1]);
});

test('a file name whose letters were lost is refused, and not kept as boxes', async (t) => {
  const site = await openSite(t);
  for (const name of ['???? ???.jpg', 'M\uFFFDller.jpg', '??']) {
    const answer = await site.upload(formOf({ name, content: JPEG }));
    assert.equal(answer.status, 422, name);
    assert.match(String((answer.body.errors as Record<string, string[]>)['images.0']), /UTF-8/);
  }
  for (const name of ['who?.jpg', 'a b.jpg'])
    assert.equal((await site.upload(formOf({ name, content: JPEG }))).status, 202, name);
});

test('what is stored is what was sent', async (t) => {
  const site = await openSite(t);
  const sent = sized(3 * MIB + 17);
  await site.upload(formOf(sent));
  const [item] = await site.storage.queue.lease(1);
  assert.ok(item);
  const image = await site.storage.images.read(site.company.id, item.imageId);
  assert.equal(image?.format, 'jpeg');
  assert.ok(sent.equals(image.content));
});

test('a file name is kept as it was sent, without folders and control characters', async (t) => {
  const site = await openSite(t);
  await site.upload(
    formOf({ name: 'Zoë Müller "2".jpg', content: JPEG }, { name: 'a\\b/c\u0007.png', content: PNG }),
  );
  const items = await site.storage.queue.lease(2);
  assert.deepEqual(
    items.map((item) => item.fileName),
    ['Zoë Müller "2".jpg', 'c.png'],
  );
});

test('a form answers 202 or 422, with every failing key named at once', async (t) => {
  const site = await openSite(t);
  const rows: { name: string; form: FormData; errors: Record<string, string[]> | null }[] = [
    { name: 'one image', form: formOf(JPEG), errors: null },
    { name: '50 images', form: formOf(...images(50)), errors: null },
    {
      name: '51 images',
      form: formOf(...images(51)),
      errors: { images: ['The images field must not have more than 50 items.'] },
    },
    {
      name: '120 images',
      form: formOf(...images(120)),
      errors: { images: ['The images field must not have more than 50 items.'] },
    },
    { name: 'no image', form: formOf(), errors: { images: ['The images field is required.'] } },
    { name: 'a file of exactly 10 MiB', form: formOf(sized(10 * MIB)), errors: null },
    {
      name: 'a file of 10 MiB and a byte',
      form: formOf(sized(10 * MIB + 1)),
      errors: { 'images.0': ['The images.0 must not be greater than 10240 kilobytes.'] },
    },
    {
      name: 'a right name with wrong content',
      form: formOf(JPEG, { name: 'face.jpg', content: Buffer.from('GIF89a, really') }),
      errors: { 'images.1': ['The images.1 must be a file of type: jpg, jpeg, png.'] },
    },
    {
      name: 'a wrong name with right content',
      form: formOf({ name: 'face.txt', content: PNG }),
      errors: null,
    },
    {
      name: 'content shorter than any signature',
      form: formOf(Buffer.from([0xff, 0xd8])),
      errors: { 'images.0': ['The images.0 must be a file of type: jpg, jpeg, png.'] },
    },
    {
      name: 'an empty file',
      form: formOf(Buffer.alloc(0)),
      errors: { 'images.0': ['The images.0 must not be empty.'] },
    },
    {
      name: 'an unknown file field',
      form: formOf(JPEG, { field: 'passport', content: JPEG }),
      errors: {
        passport: [
          'The passport field is not accepted. Send files as images[] or images[0], images[1] and so on.',
        ],
      },
    },
    {
      name: 'a file without a field name',
      form: formOf({ field: '', content: JPEG }),
      errors: {
        images: ['A part of the form has no name. Send files as images[] or images[0], images[1] and so on.'],
      },
    },
    {
      name: 'everything at once',
      form: formOf(
        Buffer.from('text'),
        JPEG,
        Buffer.alloc(0),
        { field: 'x', content: PNG },
        sized(10 * MIB + 1),
        Buffer.alloc(11 * MIB),
      ),
      errors: {
        'images.0': ['The images.0 must be a file of type: jpg, jpeg, png.'],
        'images.2': ['The images.2 must not be empty.'],
        x: ['The x field is not accepted. Send files as images[] or images[0], images[1] and so on.'],
        'images.3': ['The images.3 must not be greater than 10240 kilobytes.'],
        'images.4': [
          'The images.4 must be a file of type: jpg, jpeg, png.',
          'The images.4 must not be greater than 10240 kilobytes.',
        ],
      },
    },
  ];
  for (const { name, form, errors } of rows)
    await t.test(`${name}: ${errors === null ? 202 : 422}`, async () => {
      const before = [site.accepted(), (await site.imageFiles()).length];
      const answer = await site.upload(form);
      if (errors === null) {
        assert.equal(answer.status, 202, answer.text);
        return;
      }
      assert.equal(answer.status, 422);
      const { code, problems, ...body } = answer.body;
      assert.deepEqual(body, { success: false, message: 'Validation error', errors });
      assert.equal(code, 'VALIDATION');
      assert.deepEqual(Object.keys(problems as object), Object.keys(errors));
      assert.deepEqual([site.accepted(), (await site.imageFiles()).length], before, 'something was kept');
    });
});

test('a company without storage answers 422 with its text and no errors', async (t) => {
  const site = await openSite(t);
  const token = await site.newToken({ company: await site.newCompany({ storage: false }) });
  const answer = await site.upload(formOf(JPEG), { token });
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.body, {
    success: false,
    message: 'Company storage is not configured',
    code: 'STORAGE_NOT_CONFIGURED',
  });
});

test('without Biometrics Registration the answer is 422, its text and no errors', async (t) => {
  const site = await openSite(t);
  const token = await site.newToken({
    company: await site.newCompany({ settings: { registrationEnabled: false } }),
  });
  const answer = await site.upload(formOf(JPEG), { token });
  assert.equal(answer.status, 422);
  assert.deepEqual(answer.body, {
    success: false,
    message: 'Biometrics Registration is not enabled for this company',
    code: 'REGISTRATION_DISABLED',
  });
});

test('a field beside the images that is not a file is ignored', async (t) => {
  const site = await openSite(t);
  const form = formOf(JPEG);
  form.append('note', 'seen at the gate');
  assert.equal((await site.upload(form)).status, 202);
});

test('uploading needs the scope enroll', async (t) => {
  const site = await openSite(t);
  const token = await site.newToken({
    scopes: ['blacklists:write', 'verify', 'signatures', 'blacklists:read'],
  });
  const answer = await site.upload(formOf(JPEG), { token });
  assert.equal(answer.status, 403);
  assert.equal(answer.body.message, 'This action is unauthorized.');
});

test('a content type other than multipart is 415, before any other check', async (t) => {
  const site = await openSite(t);
  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'image/jpeg', 'text/plain']) {
    const answer = await site.call(FACES, { method: 'POST', body: JPEG, headers: { 'content-type': type } });
    assert.equal(answer.status, 415, type);
    assert.deepEqual(answer.body, {
      success: false,
      message: 'Unsupported media type.',
      code: 'UNSUPPORTED_MEDIA_TYPE',
    });
  }
});
