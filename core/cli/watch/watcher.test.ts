import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  appendFileSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { putOddFiles } from '../../../test/support/oddFiles.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { FAILURES } from '../../contracts/errors/failures.ts';
import type { PhotoPerson, EnrolmentProgress } from '../../contracts/uploads.ts';
import {
  errorAnswer,
  type FindAnswer,
  type ProgressAnswer,
  type SendAnswer,
} from '../../uploader/answers.ts';
import type { Enrolment } from '../enroll/client.ts';
import { CliError } from '../terminal/output.ts';
import { PhotoNames } from '../terminal/journalFile.ts';
import { WatchJournal, Watcher, type Outcome, type WatcherOptions } from './watcher.ts';

const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]);
const SETTLE = 2_000;
const NOW = '2026-03-01T08:00:00.000Z';

/** A service that enrols everything but `nobody…`, refuses `huge…`, and keeps to idempotency keys. */
class Service implements Enrolment {
  readonly uploads = new Map<string, string[]>();
  /** The external IDs that the photos were sent with, by name. */
  readonly persons = new Map<string, string | null>();
  /** Images that it takes in an upload. */
  most = Infinity;
  /** Called when a batch was accepted, before the caller hears of it. */
  onAccepted: () => void = () => undefined;

  send(
    files: readonly string[],
    key: string,
    persons: readonly (PhotoPerson | null)[] = [],
  ): Promise<SendAnswer> {
    for (const [index, file] of files.entries())
      this.persons.set(basename(file), persons[index]?.externalId ?? null);
    if (files.length > this.most) return Promise.resolve(refusal({ images: ['Too many.'] }));
    const refused = files.flatMap((file, index) =>
      basename(file).startsWith('huge')
        ? [[`images.${index}`, ['It is too large.']] as [string, string[]]]
        : [],
    );
    if (refused.length > 0) return Promise.resolve(refusal(Object.fromEntries(refused)));
    if (!this.uploads.has(key))
      this.uploads.set(
        key,
        files.map((file) => basename(file)),
      );
    this.onAccepted();
    return Promise.resolve({ kind: 'accepted', uploadId: key });
  }

  find(key: string): Promise<FindAnswer> {
    return Promise.resolve(this.uploads.has(key) ? { kind: 'accepted', uploadId: key } : { kind: 'unknown' });
  }

  progress(uploadId: string): Promise<ProgressAnswer<EnrolmentProgress>> {
    const files = this.uploads.get(uploadId) ?? [];
    const images = files.map((fileName, index) => {
      const failed = fileName.startsWith('nobody');
      return {
        index,
        fileName,
        processedAt: NOW,
        status: failed ? 3 : 2,
        statusLabel: failed ? 'Failed' : 'Enrolled',
        trustValidationId: failed ? null : index + 1,
        failureCode: failed ? ('NO_FACE' as const) : null,
        failureReason: failed ? 'No face was found.' : null,
        remedy: null,
        onePerson: false,
      };
    });
    const failedCount = images.filter(({ failureCode }) => failureCode !== null).length;
    return Promise.resolve({
      kind: 'progress',
      finished: true,
      outcome: {
        uploadId,
        images,
        trustFlowId: 1,
        status: 2,
        statusLabel: 'Completed',
        numberOfImages: files.length,
        processedCount: files.length,
        pendingCount: 0,
        progress: 100,
        failedCount,
        succeededCount: files.length - failedCount,
        createdAt: NOW,
        completedAt: NOW,
      },
    });
  }

  /** Names of all photos that were enrolled, one for each time. */
  get enrolled(): string[] {
    return [...this.uploads.values()].flat().sort();
  }
}

function refusal(fields: Record<string, readonly string[]>): SendAnswer {
  return errorAnswer({ status: 422, message: 'Validation error', fields });
}

function site(t: TestContext) {
  const folder = temporaryFolder(t);
  const inbox = join(folder, 'inbox');
  mkdirSync(inbox);
  const service = new Service();
  const outcomes: Outcome[] = [];
  const start = (options: Partial<Pick<WatcherOptions, 'persons' | 'batchSize' | 'onOutcome'>> = {}) => {
    const journal = new WatchJournal(join(folder, 'journal.jsonl'));
    t.after(() => {
      journal.close();
    });
    return new Watcher({
      batchSize: 50,
      onOutcome: (outcome) => outcomes.push(outcome),
      ...options,
      folder: inbox,
      client: service,
      journal,
      names: new PhotoNames(new Uint8Array(32)),
      maxBytes: 1000,
      settle: SETTLE,
      onWait: () => undefined,
    });
  };
  return { inbox, service, outcomes, start };
}

function put(inbox: string, name: string): void {
  mkdirSync(join(inbox, name, '..'), { recursive: true });
  writeFileSync(join(inbox, name), JPEG);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

test('where the service takes fewer images than a batch has, smaller batches are sent', async (t) => {
  const { inbox, service, start } = site(t);
  for (let index = 0; index < 5; index += 1) put(inbox, `${index}.jpg`);
  service.most = 2;
  const watcher = start();
  for (let now = 0; await watcher.step(now); now += SETTLE);
  assert.deepEqual(
    service.enrolled,
    Array.from({ length: 5 }, (_, index) => `${index}.jpg`),
  );
  assert.equal(filesIn(inbox).filter((file) => file.startsWith('done/')).length, 5);
});

test('each folder in the watched one is a person if that was chosen', async (t) => {
  const { inbox, service, start } = site(t);
  for (const name of ['anna.jpg', 'Berta/1.jpg', 'Cleo/left/2.jpg']) put(inbox, name);
  const watcher = start({ persons: 'folder' });
  for (let now = 0; await watcher.step(now); now += SETTLE);
  assert.deepEqual(Object.fromEntries(service.persons), {
    'anna.jpg': null,
    '1.jpg': 'Berta',
    '2.jpg': 'Cleo',
  });
});

test('enrolled photos move to done, others to failed with the reason', async (t) => {
  const { inbox, service, outcomes, start } = site(t);
  for (const name of ['anna.jpg', 'gate 2/berta.jpg', 'nobody.jpg', 'huge.jpg']) put(inbox, name);
  writeFileSync(join(inbox, 'letter.jpg'), 'Dear sir');
  const watcher = start();
  assert(await watcher.step(0));
  assert.deepEqual(service.enrolled, [], 'nothing is sent before it is known to be complete');
  for (let now = SETTLE; await watcher.step(now); now += SETTLE);
  assert.deepEqual(filesIn(inbox), [
    'done/anna.jpg',
    'done/gate 2/berta.jpg',
    'failed/huge.jpg',
    'failed/huge.jpg.reason.txt',
    'failed/letter.jpg',
    'failed/letter.jpg.reason.txt',
    'failed/nobody.jpg',
    'failed/nobody.jpg.reason.txt',
  ]);
  const reason = (name: string) => readFileSync(join(inbox, 'failed', `${name}.reason.txt`), 'utf8');
  assert.equal(reason('nobody.jpg'), `No face was found. ${FAILURES.NO_FACE.remedy}\n`);
  assert.match(reason('letter.jpg'), /Not a picture or face record/);
  assert.match(reason('huge.jpg'), /too large/);
  // The dashboard says the reason in the language of its operator.
  const codes = Object.fromEntries(outcomes.map(({ path, failureCode }) => [path, failureCode]));
  assert.deepEqual([codes['anna.jpg'], codes['nobody.jpg'], codes['letter.jpg']], [null, 'NO_FACE', null]);
});

test('a file that is still being written is left alone until it stays the same', async (t) => {
  const { inbox, service, start } = site(t);
  put(inbox, 'slow.jpg');
  const watcher = start();
  for (let now = 0; now < 10 * SETTLE; now += SETTLE) {
    assert(await watcher.step(now));
    appendFileSync(join(inbox, 'slow.jpg'), 'more');
  }
  assert.deepEqual(service.enrolled, []);
  await watcher.step(10 * SETTLE);
  await watcher.step(11 * SETTLE);
  assert.deepEqual(service.enrolled, ['slow.jpg']);
});

test('a file that is written to after the walk waits to be complete again', async (t) => {
  const { inbox, service, outcomes, start } = site(t);
  put(inbox, 'anna.jpg');
  put(inbox, 'ben.jpg');
  writeFileSync(join(inbox, 'cleo.jpg'), '');
  writeFileSync(join(inbox, 'aaa.txt'), 'no picture');
  const write = (name: string) => {
    appendFileSync(join(inbox, name), JPEG);
  };
  const watcher = start({
    batchSize: 1,
    onOutcome: (outcome) => {
      if (outcome.path === 'aaa.txt') write('cleo.jpg');
      outcomes.push(outcome);
    },
  });
  await watcher.step(0);
  service.onAccepted = () => {
    service.onAccepted = () => undefined;
    write('ben.jpg');
  };
  await watcher.step(SETTLE);
  assert.deepEqual(service.enrolled, ['anna.jpg']);
  for (let now = 2 * SETTLE; await watcher.step(now); now += SETTLE);
  assert.deepEqual(service.enrolled, ['anna.jpg', 'ben.jpg', 'cleo.jpg']);
  assert.deepEqual(
    outcomes.filter(({ status }) => status === 'failed').map(({ path }) => path),
    ['aaa.txt'],
  );
});

test('after a crash with a lost answer and new files, no photo is enrolled twice', async (t) => {
  const { inbox, service, start } = site(t);
  put(inbox, 'anna.jpg');
  put(inbox, 'berta.jpg');
  const first = start();
  await first.step(0);
  service.onAccepted = () => {
    throw new Error('killed');
  };
  await assert.rejects(first.step(SETTLE), /killed/);
  service.onAccepted = () => undefined;
  put(inbox, 'clara.jpg');
  const second = start();
  for (let now = 0; await second.step(now); now += SETTLE);
  assert.deepEqual(service.enrolled, ['anna.jpg', 'berta.jpg', 'clara.jpg']);
  assert.deepEqual(filesIn(inbox), ['done/anna.jpg', 'done/berta.jpg', 'done/clara.jpg']);
});

test('after a lost answer and a replaced file, the files beside it are enrolled once', async (t) => {
  const { inbox, service, start } = site(t);
  put(inbox, 'anna.jpg');
  put(inbox, 'berta.jpg');
  const first = start();
  await first.step(0);
  service.onAccepted = () => {
    throw new Error('killed');
  };
  await assert.rejects(first.step(SETTLE), /killed/);
  service.onAccepted = () => undefined;
  writeFileSync(join(inbox, 'berta.jpg'), Buffer.concat([JPEG, Buffer.from('another person')]));
  const second = start();
  for (let now = 0; await second.step(now); now += SETTLE);
  assert.deepEqual(service.enrolled, ['anna.jpg', 'berta.jpg', 'berta.jpg']);
  assert.deepEqual(filesIn(inbox), ['done/anna.jpg', 'done/berta.jpg']);
});

test('a name that comes again is another photo, and overwrites nothing', async (t) => {
  const { inbox, outcomes, start } = site(t);
  const watcher = start();
  for (let round = 0; round < 3; round += 1) {
    put(inbox, 'IMG_0001.jpg');
    const begin = round * 10 * SETTLE;
    for (let now = begin; await watcher.step(now); now += SETTLE);
  }
  assert.deepEqual(
    outcomes.map((one) => one.movedTo),
    ['done/IMG_0001.jpg', 'done/IMG_0001 (2).jpg', 'done/IMG_0001 (3).jpg'],
  );
});

test('a photo that replaces one under way is not taken for it, and is sent as another', async (t) => {
  const { inbox, service, outcomes, start } = site(t);
  put(inbox, 'IMG_0001.jpg');
  const watcher = start();
  await watcher.step(0);
  service.onAccepted = () => {
    service.onAccepted = () => undefined;
    writeFileSync(join(inbox, 'IMG_0001.jpg'), Buffer.concat([JPEG, Buffer.from('another person')]));
  };
  for (let now = SETTLE; await watcher.step(now); now += SETTLE);
  assert.deepEqual(service.enrolled, ['IMG_0001.jpg', 'IMG_0001.jpg']);
  assert.deepEqual(
    outcomes.map(({ status, movedTo }) => [status, movedTo]),
    [
      ['enrolled', null],
      ['enrolled', 'done/IMG_0001.jpg'],
    ],
  );
  assert.match(readFileSync(join(inbox, 'done', 'IMG_0001.jpg'), 'latin1'), /another person/);
});

test('a photo that replaces a refused one is sent, and not moved in its place', async (t) => {
  const { inbox, service, outcomes, start } = site(t);
  put(inbox, 'anna.jpg');
  const watcher = start();
  await watcher.step(0);
  const send = t.mock.method(service, 'send', () => {
    writeFileSync(join(inbox, 'anna.jpg'), Buffer.concat([JPEG, Buffer.from('saved smaller')]));
    send.mock.restore();
    return Promise.resolve(refusal({ 'images.0': ['It is too large.'] }));
  });
  for (let now = SETTLE; await watcher.step(now); now += SETTLE);
  assert.deepEqual(
    outcomes.map(({ status, movedTo }) => [status, movedTo]),
    [
      ['failed', null],
      ['enrolled', 'done/anna.jpg'],
    ],
  );
});

test('photos in done/ are not sent again by another name of that folder', async (t) => {
  const { inbox, service, start } = site(t);
  mkdirSync(join(inbox, 'Processed'));
  symlinkSync(join(inbox, 'Processed'), join(inbox, 'done'));
  put(inbox, 'anna.jpg');
  const watcher = start();
  for (let now = 0; now < 8 * SETTLE; now += SETTLE) await watcher.step(now);
  assert.deepEqual(service.enrolled, ['anna.jpg']);
  assert.deepEqual(filesIn(join(inbox, 'Processed')), ['anna.jpg']);
});

test('a photo under way whose time alone changes is not sent twice', async (t) => {
  const { inbox, service, start } = site(t);
  put(inbox, 'anna.jpg');
  const watcher = start();
  await watcher.step(0);
  service.onAccepted = () => {
    utimesSync(join(inbox, 'anna.jpg'), 1, 1);
  };
  for (let now = SETTLE; await watcher.step(now); now += SETTLE);
  assert.deepEqual(service.enrolled, ['anna.jpg']);
  assert.deepEqual(filesIn(inbox), ['done/anna.jpg']);
});

test(
  'links, pipes and names that are not UTF-8 stay where they are and are named once',
  { skip: process.platform === 'win32' },
  async (t) => {
    const { inbox, service, outcomes, start } = site(t);
    putOddFiles(inbox, JPEG);
    put(inbox, 'anna.jpg');
    const watcher = start();
    for (let now = 0; await watcher.step(now); now += SETTLE);
    assert.deepEqual(service.enrolled, ['anna.jpg']);
    assert.deepEqual(
      outcomes.map(({ path, status }) => `${path} ${status}`),
      ['caf\\xe9.jpg left', 'link.jpg left', 'pipe.jpg left', 'anna.jpg enrolled'],
    );
  },
);

test(
  'a photo and its reason go through no link that is planted in failed/ or done/',
  { skip: process.platform === 'win32' },
  async (t) => {
    const { inbox, service, outcomes, start } = site(t);
    const elsewhere = temporaryFolder(t);
    const kept = join(elsewhere, 'kept.txt');
    writeFileSync(kept, 'kept');
    mkdirSync(join(inbox, 'failed'));
    mkdirSync(join(inbox, 'done'));
    symlinkSync(kept, join(inbox, 'failed', 'a.txt.reason.txt'));
    symlinkSync(join(elsewhere, 'new.txt'), join(inbox, 'failed', 'b.txt.reason.txt'));
    symlinkSync(join(elsewhere, 'new.jpg'), join(inbox, 'done', 'anna.jpg'));
    symlinkSync(elsewhere, join(inbox, 'failed', 'gate'));
    symlinkSync(elsewhere, join(inbox, 'done', 'gate'));
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(inbox, name), 'no photo');
    for (const name of ['anna.jpg', 'gate/nobody.jpg', 'gate/berta.jpg']) put(inbox, name);
    const watcher = start();
    for (let now = 0; await watcher.step(now); now += SETTLE);
    assert.deepEqual(service.enrolled, ['anna.jpg', 'berta.jpg', 'nobody.jpg']);
    assert.deepEqual(readdirSync(elsewhere), ['kept.txt']);
    assert.equal(readFileSync(kept, 'utf8'), 'kept');
    assert.deepEqual(outcomes.map(({ movedTo }) => movedTo).sort(), [
      'done/anna (2).jpg',
      'done/gate (2)/berta.jpg',
      'failed/a (2).txt',
      'failed/b (2).txt',
      'failed/gate (2)/nobody.jpg',
    ]);
  },
);

test(
  'done/ that is a link of another account is not followed',
  { skip: process.getuid?.() !== 0 },
  async (t) => {
    const { inbox, start } = site(t);
    const elsewhere = temporaryFolder(t);
    symlinkSync(elsewhere, join(inbox, 'done'));
    lchownSync(join(inbox, 'done'), 4711, 4711);
    put(inbox, 'anna.jpg');
    const watcher = start();
    await watcher.step(0);
    await assert.rejects(watcher.step(SETTLE), /done is a link that another account created/);
    assert.deepEqual(readdirSync(elsewhere), []);
  },
);

test('a file whose name leaves no room for the reason moves under a shorter name', async (t) => {
  const { inbox, outcomes, start } = site(t);
  const long = `${'n'.repeat(120)}${'ä'.repeat(60)}`;
  for (const name of [`${long}.jpg`, `x.${'e'.repeat(250)}`]) writeFileSync(join(inbox, name), 'no photo');
  put(inbox, 'anna.jpg');
  const watcher = start();
  for (let now = 0; await watcher.step(now); now += SETTLE);
  const moved = outcomes.map(({ movedTo }) => movedTo);
  assert.equal(moved.length, 3);
  assert.ok(moved.includes('done/anna.jpg'));
  for (const place of moved.filter((each) => each?.startsWith('failed/')))
    assert.ok(existsSync(join(inbox, `${place}.reason.txt`)));
});

test('a file in failed/ with the name of a later folder does not stop the watcher', async (t) => {
  const { inbox, outcomes, start } = site(t);
  mkdirSync(join(inbox, 'failed'));
  writeFileSync(join(inbox, 'failed', 'gate'), 'no photo');
  put(inbox, 'gate/nobody.jpg');
  const watcher = start();
  for (let now = 0; await watcher.step(now); now += SETTLE);
  assert.deepEqual(
    outcomes.map(({ movedTo }) => movedTo),
    ['failed/gate (2)/nobody.jpg'],
  );
});

test(
  'photos in a folder that this account cannot change are left, and not sent',
  { skip: process.platform === 'win32' || process.getuid?.() === 0 },
  async (t) => {
    const { inbox, service, outcomes, start } = site(t);
    put(inbox, 'fixed/anna.jpg');
    mkdirSync(join(inbox, 'closed'));
    put(inbox, 'berta.jpg');
    chmodSync(join(inbox, 'fixed'), 0o555);
    chmodSync(join(inbox, 'closed'), 0);
    try {
      const watcher = start();
      for (let now = 0; await watcher.step(now); now += SETTLE);
    } finally {
      // Before the folder is removed.
      for (const name of ['fixed', 'closed']) chmodSync(join(inbox, name), 0o755);
    }
    assert.deepEqual(service.enrolled, ['berta.jpg']);
    assert.deepEqual(
      outcomes.map(({ path, status }) => `${path} ${status}`),
      ['closed left', 'fixed/anna.jpg left', 'berta.jpg enrolled'],
    );
  },
);

test('a file that is taken away before it was sent is forgotten', async (t) => {
  const { inbox, start } = site(t);
  put(inbox, 'anna.jpg');
  const watcher = start();
  await watcher.step(0);
  rmSync(join(inbox, 'anna.jpg'));
  assert(!(await watcher.step(SETTLE)));
  assert(!existsSync(join(inbox, 'done')));
});

test('done/ may lie on another disk: the photo is whole there before it goes here', async (t) => {
  const { inbox, outcomes, start } = site(t);
  const { dev } = statSync(tmpdir());
  const other = ['/dev/shm', '/tmp', import.meta.dirname].find(
    (folder) => existsSync(folder) && statSync(folder).dev !== dev,
  );
  if (other === undefined) {
    t.skip('this machine has no second file system that the test may write');
    return;
  }
  const elsewhere = mkdtempSync(join(other, 'vouch-'));
  t.after(() => {
    rmSync(elsewhere, { recursive: true });
  });
  symlinkSync(elsewhere, join(inbox, 'done'));
  put(inbox, 'gate/anna.jpg');
  const watcher = start();
  for (let now = 0; await watcher.step(now); now += SETTLE);
  assert.deepEqual(filesIn(elsewhere), ['gate/anna.jpg']);
  assert.deepEqual(readFileSync(join(elsewhere, 'gate', 'anna.jpg')), JPEG);
  assert.equal(outcomes[0]?.movedTo, 'done/gate/anna.jpg');
  assert.deepEqual(readdirSync(join(inbox, 'gate')), []);
});

test('a photo that cannot be moved is reported, and the next run moves it unsent', async (t) => {
  const { inbox, service, outcomes, start } = site(t);
  symlinkSync(join(inbox, 'nowhere'), join(inbox, 'done'));
  put(inbox, 'anna.jpg');
  const first = start();
  await first.step(0);
  await assert.rejects(
    first.step(SETTLE),
    (error) =>
      error instanceof CliError && error.message.includes('anna.jpg was processed and cannot be moved'),
  );
  rmSync(join(inbox, 'done'));
  const second = start();
  for (let now = 0; await second.step(now); now += SETTLE);
  assert.deepEqual(service.enrolled, ['anna.jpg']);
  assert.deepEqual(
    outcomes.map(({ movedTo }) => movedTo),
    ['done/anna.jpg'],
  );
});

test('a folder that is gone is reported, and watched again when it is back', async (t) => {
  const { inbox, service, start } = site(t);
  put(inbox, 'anna.jpg');
  const first = start();
  await first.step(0);
  renameSync(inbox, `${inbox}.away`);
  await assert.rejects(
    first.step(SETTLE),
    (error) => error instanceof CliError && error.message.includes('inbox cannot be read: no such file'),
  );
  renameSync(`${inbox}.away`, inbox);
  const second = start();
  for (let now = 0; await second.step(now); now += SETTLE);
  assert.deepEqual(service.enrolled, ['anna.jpg']);
});

test('a folder that is empty at a start while a batch is open enrols no photo twice', async (t) => {
  const { inbox, service, start } = site(t);
  put(inbox, 'anna.jpg');
  const first = start();
  await first.step(0);
  service.onAccepted = () => {
    throw new Error('a crash');
  };
  await assert.rejects(first.step(SETTLE), /a crash/);
  service.onAccepted = () => undefined;
  renameSync(inbox, `${inbox}.away`);
  mkdirSync(inbox);
  await assert.rejects(start().step(2 * SETTLE), /is empty, but photos of it are being enrolled/);
  rmSync(inbox, { recursive: true });
  renameSync(`${inbox}.away`, inbox);
  const last = start();
  for (let now = 0; await last.step(now); now += SETTLE);
  assert.deepEqual(service.enrolled, ['anna.jpg']);
  assert.deepEqual(filesIn(inbox), ['done/anna.jpg']);
});

for (const [gone, replace] of [
  ['missing', () => undefined],
  ['replaced by an empty one', (inbox: string) => mkdirSync(inbox)],
] as const)
  test(`a folder that is ${gone} while a batch is open enrols no photo twice`, async (t) => {
    const { inbox, service, start } = site(t);
    put(inbox, 'anna.jpg');
    const first = start();
    await first.step(0);
    service.onAccepted = () => {
      renameSync(inbox, `${inbox}.away`);
      replace(inbox);
    };
    const lost = (async () => {
      for (let now = SETTLE; now < 9 * SETTLE; now += SETTLE) await first.step(now);
    })();
    await assert.rejects(lost, (error) => error instanceof CliError && error.message.includes('inbox'));
    service.onAccepted = () => undefined;
    rmSync(inbox, { recursive: true, force: true });
    renameSync(`${inbox}.away`, inbox);
    const second = start();
    for (let now = 0; await second.step(now); now += SETTLE);
    assert.deepEqual(service.enrolled, ['anna.jpg']);
    assert.deepEqual(filesIn(inbox), ['done/anna.jpg']);
  });
