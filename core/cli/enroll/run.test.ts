import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { PhotoPerson, EnrolmentProgress } from '../../contracts/uploads.ts';
import {
  errorAnswer,
  type FindAnswer,
  type ProgressAnswer,
  type SendAnswer,
} from '../../uploader/answers.ts';
import { PhotoNames } from '../terminal/journalFile.ts';
import type { Enrolment } from './client.ts';
import { planFolder } from './plan.ts';
import { keptLines } from './report.ts';
import { enrolFolder, type EnrolResult } from './run.ts';

const JPEG = Buffer.from('ffd8ffe000104a46', 'hex');
const NOW = '2026-03-01T08:00:00.000Z';

/** A service that enrols every photo but those with `two faces`, refuses `too large`, and keeps to idempotency keys. */
class Service implements Enrolment {
  /** Name and content of every photo of every upload, by key. */
  readonly uploads = new Map<string, { name: string; content: string }[]>();
  /** The persons of every photo that was sent, by name; null: none. */
  readonly persons = new Map<string, PhotoPerson | null>();
  /** Images that it takes in an upload. */
  most = Infinity;
  /** Called when a batch was accepted, before the client receives the response. */
  onAccepted: () => void = () => undefined;

  send(
    files: readonly string[],
    key: string,
    persons: readonly (PhotoPerson | null)[] = [],
  ): Promise<SendAnswer> {
    for (const [index, file] of files.entries()) this.persons.set(basename(file), persons[index] ?? null);
    const photos = files.map((file) => ({ name: basename(file), content: readFileSync(file, 'latin1') }));
    if (photos.length > this.most) return Promise.resolve(refusal({ images: ['Too many.'] }));
    const refused = photos.flatMap(({ content }, index) =>
      content.includes('too large') ? [[`images.${index}`, ['It is too large.']] as const] : [],
    );
    if (refused.length > 0) return Promise.resolve(refusal(Object.fromEntries(refused)));
    if (!this.uploads.has(key)) this.uploads.set(key, photos);
    this.onAccepted();
    return Promise.resolve({ kind: 'accepted', uploadId: key });
  }

  find(key: string): Promise<FindAnswer> {
    return Promise.resolve(this.uploads.has(key) ? { kind: 'accepted', uploadId: key } : { kind: 'unknown' });
  }

  progress(uploadId: string): Promise<ProgressAnswer<EnrolmentProgress>> {
    // A file of several people is a sheet, which is split.
    const photos = (this.uploads.get(uploadId) ?? []).flatMap(({ name, content }) =>
      content.split(',').map((part) => ({ name, content: part })),
    );
    const keys = [...this.uploads.keys()];
    const first = keys
      .slice(0, keys.indexOf(uploadId))
      .flatMap((key) => this.uploads.get(key)!)
      .reduce((sum, { content }) => sum + content.split(',').length, 0);
    const images = photos.map(({ name, content }, index) => {
      const failed = content.includes('two faces');
      return {
        index,
        fileName: name,
        processedAt: NOW,
        status: failed ? 3 : 2,
        statusLabel: '',
        trustValidationId: failed ? null : first + index + 1,
        failureCode: failed ? ('MULTIPLE_FACES' as const) : null,
        failureReason: failed ? 'Multiple faces detected.' : null,
        remedy: null,
        onePerson: false,
      };
    });
    return Promise.resolve({
      kind: 'progress',
      finished: true,
      outcome: {
        uploadId,
        images,
        trustFlowId: 1,
        status: 2,
        statusLabel: 'Completed',
        progress: 100,
        numberOfImages: photos.length,
        processedCount: photos.length,
        pendingCount: 0,
        failedCount: 0,
        succeededCount: photos.length,
        createdAt: NOW,
        completedAt: NOW,
      },
    });
  }

  /** Names of all photos that were sent, one for each time. */
  get sent(): string[] {
    return [...this.uploads.values()].flat().map(({ name }) => name);
  }
}

function refusal(fields: Record<string, readonly string[]>): SendAnswer {
  return errorAnswer({ status: 422, message: 'Validation error', fields });
}

function site(t: TestContext) {
  const folder = temporaryFolder(t);
  const photos = join(folder, 'photos');
  const service = new Service();
  const put = (name: string, content: string) => {
    writeFileSync(join(photos, name), Buffer.concat([JPEG, Buffer.from(content)]));
  };
  const run = async (
    options: {
      retryFailed?: boolean;
      sheets?: boolean;
      batchSize?: number;
      persons?: ReadonlyMap<string, PhotoPerson>;
    } = {},
  ): Promise<EnrolResult> => {
    const { files } = await planFolder(photos, 1000);
    return enrolFolder({
      folder: photos,
      files,
      batchSize: 2,
      client: service,
      ...options,
      journalFile: join(folder, 'journal.jsonl'),
      names: new PhotoNames(new Uint8Array(32)),
      onProgress: () => undefined,
      onWait: () => undefined,
    });
  };
  return { photos, service, put, run };
}

/** One line per photo. */
function rowsOf({ answers }: EnrolResult): string[] {
  return answers.map(({ path, status, sent, trustValidationId }) =>
    [path, status, trustValidationId ?? '-', sent].join(' '),
  );
}

test('a corrected photo is sent again, a replaced or touched one is not', async (t) => {
  const { photos, service, put, run } = await prepared(t);
  put('failed.jpg', 'cropped');
  put('enrolled.jpg', 'another person');
  utimesSync(join(photos, 'touched.jpg'), 1, 1);
  service.uploads.clear();
  const second = await run();
  assert.deepEqual(service.sent, ['failed.jpg']);
  assert.deepEqual(rowsOf(second), [
    'enrolled.jpg changed 1 before',
    'failed.jpg enrolled 1 again: changed',
    'touched.jpg enrolled 3 before',
  ]);
  assert.match(second.answers[0]!.reason ?? '', /since it was enrolled as Trust Validation 1\./);
  const third = await run();
  assert.deepEqual(rowsOf(third), [
    'enrolled.jpg changed 1 before',
    'failed.jpg enrolled 1 before',
    'touched.jpg enrolled 3 before',
  ]);
  assert.deepEqual(service.sent, ['failed.jpg']);
});

test('a batch that is too large for the service is sent in parts, each photo once', async (t) => {
  const { photos, service, put, run } = site(t);
  mkdirSync(photos);
  for (let index = 0; index < 7; index += 1) put(`${index}.jpg`, `person ${index}`);
  service.most = 2;
  const { answers } = await run({ batchSize: 7 });
  assert.deepEqual(
    answers.map(({ path, status }) => `${path} ${status}`),
    Array.from({ length: 7 }, (_, index) => `${index}.jpg enrolled`),
  );
  assert.equal(service.sent.length, 7);
  service.most = 0;
  put('more.jpg', 'another person');
  await assert.rejects(run(), /answered 422: Validation error/);
});

async function prepared(t: TestContext) {
  const all = site(t);
  const { photos, put, run } = all;
  mkdirSync(photos);
  put('enrolled.jpg', 'one person');
  put('failed.jpg', 'two faces');
  put('touched.jpg', 'third person');
  assert.deepEqual(rowsOf(await run()), [
    'enrolled.jpg enrolled 1 now',
    'failed.jpg failed - now',
    'touched.jpg enrolled 3 now',
  ]);
  return all;
}

test('a replaced photo of the same size and a later time is recognised by its content', async (t) => {
  const { service, put, run, photos } = await prepared(t);
  const { size } = statSync(join(photos, 'enrolled.jpg'));
  put('enrolled.jpg', 'two people');
  assert.equal(statSync(join(photos, 'enrolled.jpg')).size, size);
  utimesSync(join(photos, 'enrolled.jpg'), 5, 5);
  assert.equal(rowsOf(await run())[0], 'enrolled.jpg changed 1 before');
  assert.equal(service.sent.length, 3);
});

test('a failed photo that did not change is sent again with --retry-failed alone', async (t) => {
  const { service, run } = await prepared(t);
  assert.equal(rowsOf(await run())[1], 'failed.jpg failed - before');
  assert.equal(service.sent.length, 3);
  assert.equal(rowsOf(await run({ retryFailed: true }))[1], 'failed.jpg failed - again: retried');
  assert.deepEqual(service.sent.slice(3), ['failed.jpg']);
});

test('after a crash with a lost answer and new photos, no photo is enrolled twice', async (t) => {
  const { photos, service, put, run } = site(t);
  mkdirSync(photos);
  put('b.jpg', 'one person');
  put('c.jpg', 'two faces');
  service.onAccepted = () => {
    throw new Error('killed');
  };
  await assert.rejects(run(), /killed/);
  service.onAccepted = () => undefined;
  put('a.jpg', 'third person');
  assert.deepEqual(rowsOf(await run()), [
    'a.jpg enrolled 3 now',
    'b.jpg enrolled 1 now',
    'c.jpg failed - now',
  ]);
  assert.deepEqual(service.sent, ['b.jpg', 'c.jpg', 'a.jpg']);
});

test('after a lost answer and a changed photo, the photos beside it are enrolled once', async (t) => {
  const { photos, service, put, run } = site(t);
  mkdirSync(photos);
  put('a.jpg', 'one person');
  put('b.jpg', 'another person');
  service.onAccepted = () => {
    throw new Error('killed');
  };
  await assert.rejects(run(), /killed/);
  service.onAccepted = () => undefined;
  put('b.jpg', 'a third person');
  assert.deepEqual(rowsOf(await run()), ['a.jpg enrolled 1 now', 'b.jpg changed 2 now']);
  assert.deepEqual(service.sent, ['a.jpg', 'b.jpg']);
});

test('a refused photo is reported with its reason, and the rest of its batch is sent', async (t) => {
  const { photos, service, put, run } = site(t);
  mkdirSync(photos);
  put('a.jpg', 'too large');
  put('b.jpg', 'one person');
  assert.deepEqual(rowsOf(await run()), ['a.jpg refused - now', 'b.jpg enrolled 1 now']);
  put('a.jpg', 'small');
  assert.deepEqual(rowsOf(await run()), ['a.jpg enrolled 2 again: changed', 'b.jpg enrolled 1 before']);
  assert.deepEqual(service.sent, ['b.jpg', 'a.jpg']);
});

test('a photo that is removed before its turn is reported, and the others are enrolled', async (t) => {
  const { photos, service, put, run } = site(t);
  mkdirSync(photos);
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) put(name, `person ${name}`);
  service.onAccepted = () => {
    rmSync(join(photos, 'c.jpg'), { force: true });
  };
  const { answers, skipped } = await run();
  assert.deepEqual(
    answers.map(({ path }) => path),
    ['a.jpg', 'b.jpg'],
  );
  assert.deepEqual(skipped, [{ path: 'c.jpg', reason: 'It was removed or cannot be read any longer.' }]);
});

test('a photo of an erased person is named and not sent, whatever the file holds now', async (t) => {
  const { photos, service, put, run } = await prepared(t);
  const erased = new PhotoNames(new Uint8Array(32)).nameOf('enrolled.jpg');
  const step = { kind: 'erased', photos: [erased] };
  appendFileSync(join(photos, '..', 'journal.jsonl'), `${JSON.stringify(step)}\n`);
  put('enrolled.jpg', 'another person');
  const { answers, skipped } = await run();
  assert.deepEqual(
    answers.map(({ path }) => path),
    ['failed.jpg', 'touched.jpg'],
  );
  assert.deepEqual(
    skipped.map(({ path }) => path),
    ['enrolled.jpg'],
  );
  assert.equal(service.sent.length, 3);
});

test('each photo is sent with its person, when it failed and is sent again as well', async (t) => {
  const { photos, service, put, run } = site(t);
  mkdirSync(photos);
  put('ann.jpg', 'two faces');
  put('none.jpg', 'one face');
  put('zoe.jpg', 'another face');
  const [ann, zoe] = ['Ann', 'Zoe'].map((name) => ({ name, externalId: null }));
  const persons = new Map([
    ['ann.jpg', ann!],
    ['zoe.jpg', zoe!],
  ]);
  const { answers } = await run({ persons });
  assert.deepEqual(Object.fromEntries(service.persons), { 'ann.jpg': ann, 'none.jpg': null, 'zoe.jpg': zoe });
  service.persons.clear();
  assert.deepEqual(keptLines(answers, persons), []);
  const again = await run({ persons, retryFailed: true });
  assert.deepEqual(Object.fromEntries(service.persons), { 'ann.jpg': ann });
  assert.match(keptLines(again.answers, persons).join(), /enrolled before: 1\./);
});

test('a sheet has a row for each portrait, and is sent once although one failed', async (t) => {
  const { photos, service, put, run } = site(t);
  mkdirSync(photos);
  put('a.jpg', 'Ann, two faces, Zoe');
  put('b.jpg', 'two faces');
  put('c.jpg', 'Eve, Ida');
  const rows = (sent: string) => [
    `a.jpg#1 enrolled 1 ${sent}`,
    `a.jpg#2 failed - ${sent}`,
    `a.jpg#3 enrolled 3 ${sent}`,
    `c.jpg#1 enrolled 5 ${sent}`,
    `c.jpg#2 enrolled 6 ${sent}`,
  ];
  const first = rowsOf(await run({ sheets: true, batchSize: 50 }));
  assert.deepEqual(first.toSpliced(3, 1), rows('now'));
  assert.equal(first[3], 'b.jpg failed - now');
  const again = rowsOf(await run({ sheets: true, retryFailed: true }));
  assert.deepEqual(again.toSpliced(3, 1), rows('before'));
  assert.equal(again[3], 'b.jpg failed - again: retried');
  assert.deepEqual(service.sent, ['a.jpg', 'b.jpg', 'c.jpg', 'b.jpg']);
});
