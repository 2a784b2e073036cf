import { mosipConnection } from '../../contracts/mosip.ts';
import { randomBytes } from 'node:crypto';
import assert from 'node:assert/strict';
import fs, {
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { test, type TestContext } from 'node:test';
import { spawnSync } from 'node:child_process';
import { CodedError } from '../../contracts/errors/problem.ts';
import type { ExaminationId, ImageId } from '../../contracts/ids.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import { examineSignatures } from '../../../test/support/examinedSignatures.ts';
import { fillDisk } from '../../../test/support/fullDisk.ts';
import {
  acceptUpload,
  faceAlong,
  newCompany,
  temporaryFolder,
  temporaryStorage,
  TEST_PIPELINE,
} from '../../../test/support/site.ts';
import { NoBackupKey } from '../../domain/ports/backup.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import { encryptAge } from '../../encryption/age.ts';
import { createBackupKey, type BackupKey } from '../../encryption/backupKey.ts';
import { BackupRefused, HomeLocked, openHome, openStorage, type Storage } from '../index.ts';
import { openRaw } from '../engine/sqliteFile.ts';
import { readBack } from './format.ts';
import { restoreBackup, type RestoreQuestions } from './restore.ts';
import type { OperatorRole } from '../../contracts/dashboard/session.ts';
import type { RevivedCredential } from './withdrawnCredentials.ts';
import { enrolItem, failItem } from '../../../test/support/answerItem.ts';
import type { Company } from '../../domain/ports/auditContext.ts';

const CLOCK = { now: () => new Date() };
/** Erasures by retention are repeated, and withdrawn credentials stay withdrawn, without a question. */
const REPEAT: RestoreQuestions = {
  retention: () => Promise.resolve(true),
  credentials: () => Promise.resolve(true),
};

/** A home with a company, `people` enrolled and one image still waiting, and the paper of its backup key. */
async function site(t: TestContext, people = 3) {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  await enrol(storage, company, people);
  await acceptUpload(storage, company, ['waits.jpg']);
  const key = createBackupKey();
  await storage.installationKeys.setRecovery(key.publicKey, TEST_ACT);
  return { storage, folder, company, key };
}

async function enrol(storage: Storage, company: Company, people: number): Promise<void> {
  await acceptUpload(
    storage,
    company,
    Array.from({ length: people }, (_, index) => `person ${index}.jpg`),
  );
  for (const [index, item] of (await storage.queue.lease(people)).entries())
    await enrolItem(
      storage.queue,
      item,
      { image: { width: 100, height: 100, format: 'jpeg' }, face: faceAlong(index) },
      new Date(),
    );
}

async function backUp(storage: Storage, file: string): Promise<Uint8Array> {
  const { contentKey, content } = await storage.backups.open(TEST_ACT, '0.1.0');
  await pipeline(content, createWriteStream(file));
  return contentKey;
}

/** The contents of a home that a user would miss. */
async function contents(folder: string) {
  const storage = await openStorage(openHome(folder), CLOCK);
  try {
    const company = await storage.companies.findByName('Acme');
    assert(company);
    const faces = (await Array.fromAsync(storage.faces.all(company.id, TEST_PIPELINE))).flat();
    const readable = await Promise.all(
      (
        await storage.faces.summaries(
          company.id,
          faces.map((face) => face.faceId),
        )
      ).map(async ({ imageId, name }) => {
        const image = await storage.images.read(company.id, imageId);
        return `${name}: ${Buffer.from(image?.content ?? []).toString()}`;
      }),
    );
    return {
      readable: readable.sort(),
      waiting: await storage.queue.waiting(),
      swept: await storage.sweepOrphans(),
      audit: (await storage.audit.verify((await storage.anchors.read()).kept)).whole,
    };
  } finally {
    await storage.close();
  }
}

const WHOLE = {
  readable: ['person 0: person 0.jpg', 'person 1: person 1.jpg', 'person 2: person 2.jpg'],
  waiting: 1,
  swept: 0,
  audit: true,
};

test('a backup of a store in use is restored elsewhere with the backup key alone', async (t) => {
  const { storage, folder, key } = await site(t);
  mkdirSync(join(folder, 'models', 'a-pack'), { recursive: true });
  writeFileSync(join(folder, 'models', 'a-pack', 'net.onnx'), 'network');
  const bundle = join(temporaryFolder(t), 'site.vouch');
  const acme = await storage.companies.findByName('Acme');
  const queues = { broker: 'stomp://broker:61613', requests: 'a', answers: 'b', shares: ['https://share'] };
  await storage.mosipConnections.keep(acme!.id, mosipConnection.parse(queues), TEST_ACT);
  const contentKey = await backUp(storage, bundle);
  const manifest = await readBack(bundle, contentKey);
  assert.equal(manifest.images, 4);
  assert.equal(manifest.anchor?.sequence, (await storage.audit.head(new Date()))?.sequence);

  const elsewhere = join(temporaryFolder(t), 'new home');
  const restored = await restoreBackup(openHome(elsewhere), bundle, key, CLOCK, REPEAT);
  assert.equal(restored.former, null);
  assert(restored.audit.whole);
  assert.deepEqual(await contents(elsewhere), WHOLE);
  const there = await openStorage(openHome(elsewhere), CLOCK);
  assert.deepEqual(await there.mosipConnections.all(), [], 'one broker has one installation');
  await there.close();
  assert.equal(readFileSync(join(elsewhere, 'models', 'a-pack', 'net.onnx'), 'utf8'), 'network');
  assert.deepEqual(
    readdirSync(elsewhere).filter((name) => name.includes('restor')),
    [],
  );
});

/** An examination and its stored pictures are the same in a home that its backup is restored to. */
async function comesBack(
  t: TestContext,
  { storage, company, key }: Pick<Awaited<ReturnType<typeof site>>, 'storage' | 'company' | 'key'>,
  { id, images, content }: { id: ExaminationId; images: readonly { id: ImageId }[]; content: string },
): Promise<void> {
  const before = await storage.examinations.find(company.id, id);
  const bundle = join(temporaryFolder(t), 'site.vouch');
  await backUp(storage, bundle);
  const elsewhere = join(temporaryFolder(t), 'new home');
  await restoreBackup(openHome(elsewhere), bundle, key, CLOCK, REPEAT);
  const there = await openStorage(openHome(elsewhere), CLOCK);
  try {
    assert.deepEqual(await there.examinations.find(company.id, id), before);
    for (const image of images) {
      const read = await there.images.read(company.id, image.id);
      assert.equal(Buffer.from(read?.content ?? []).toString(), content);
    }
  } finally {
    await there.close();
  }
}

test('an examination and the photo stored for it come back from a backup', async (t) => {
  const { storage, company, key } = await site(t);
  const [enrolled] = (await Array.fromAsync(storage.faces.all(company.id, TEST_PIPELINE))).flat();
  const image = await storage.images.write(company.id, 'jpeg', ReadableStream.from([Buffer.from('probe')]));
  const facts = { width: 100, height: 100, format: 'jpeg' } as const;
  const photo = { image, facts, face: faceAlong(7), name: 'probe.jpg' };
  const id = await storage.examinations.begin(company.id, [photo, enrolled!.faceId], TEST_ACT);
  await comesBack(t, { storage, company, key }, { id, images: [image], content: 'probe' });
});

test('an examination of two signatures comes back from a backup with both pictures', async (t) => {
  const { storage, company, key } = await site(t);
  const { id, images } = await examineSignatures(
    storage,
    company.id,
    ['specimen.png', 'cheque.png'],
    Buffer.from('ink'),
  );
  await comesBack(t, { storage, company, key }, { id, images, content: 'ink' });
});

test('a person who is erased while the backup is made is not in it', async (t) => {
  const { storage, key } = await site(t);
  const bundle = join(temporaryFolder(t), 'site.vouch');
  const { content } = await storage.backups.open(TEST_ACT, '0.1.0');
  const stream = content[Symbol.asyncIterator]();
  const received = [(await stream.next()).value as Buffer];
  const next = stream.next();
  // By now the copy of the database is being made, in another thread.
  const [waiting] = await storage.queue.lease(1);
  assert(waiting);
  await failItem(storage, waiting, { code: 'NO_FACE' }, new Date());
  for (let step = await next; step.done !== true; step = await stream.next())
    received.push(step.value as Buffer);
  writeFileSync(bundle, Buffer.concat(received));

  const elsewhere = join(temporaryFolder(t), 'home');
  const { manifest } = await restoreBackup(openHome(elsewhere), bundle, key, CLOCK, REPEAT);
  assert.equal(manifest.images, 3);
  assert.deepEqual(manifest.lost, []);
  assert.deepEqual(await contents(elsewhere), { ...WHOLE, waiting: 0 });
});

test('an image whose file is lost or damaged is named, and the rest is saved', async (t) => {
  const { storage, folder, key } = await site(t);
  const images = join(folder, 'storage', 'company-1', 'images');
  const files = readdirSync(images, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const [lost, damaged] = files.map((one) => join(one.parentPath, one.name));
  assert(lost && damaged);
  rmSync(lost);
  const changed = readFileSync(damaged);
  changed[30]! ^= 1;
  writeFileSync(damaged, changed);
  const bundle = join(temporaryFolder(t), 'site.vouch');
  const manifest = await readBack(bundle, await backUp(storage, bundle));
  assert.deepEqual([manifest.images, manifest.lost.length, manifest.damaged.length], [3, 1, 1]);
  const home = openHome(join(temporaryFolder(t), 'home'));
  assert.equal((await restoreBackup(home, bundle, key, CLOCK, REPEAT)).manifest.images, 3);
});

test('without a backup key there is no backup, and the text says how to make one', async (t) => {
  const { storage } = await temporaryStorage(t);
  await assert.rejects(backUp(storage, join(temporaryFolder(t), 'x')), (error: Error) => {
    assert(error instanceof NoBackupKey);
    assert.match(error.message, /vouch backup-key create/);
    return true;
  });
});

test('a backup without room for the database copy is refused and not logged', async (t) => {
  const { storage, folder } = await site(t);
  t.mock.method(fs.promises, 'statfs', () => Promise.resolve({ bavail: 1, bsize: 4096 }));
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  await assert.rejects(backUp(storage, join(folder, 'x')), (error: Error) => {
    assert(error instanceof UnavailableError);
    assert.match(error.message, /has 1 MB free, and a backup needs \d+ MB there .* Free some room/);
    return true;
  });
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('snapshot-') || name === 'x'),
    [],
  );
});

test('a wrong key, damage, a newer database or a running service leave the home alone', async (t) => {
  const { storage, key } = await site(t);
  const folder = temporaryFolder(t);
  const bundle = join(folder, 'site.vouch');
  await backUp(storage, bundle);
  const whole = readFileSync(bundle);
  const second = join(folder, 'second.vouch');
  await backUp(storage, second);
  const other = readFileSync(second);

  const home = openHome(join(folder, 'home'));
  const running = await openStorage(home, CLOCK);
  await newCompany(running, home.folder, 'Other');
  await assert.rejects(restoreBackup(home, bundle, key, CLOCK, REPEAT), HomeLocked);
  await running.close();
  const before = fingerprint(home.folder);

  const refuse = async (content: Buffer, given: BackupKey, expected: RegExp) => {
    writeFileSync(bundle, content);
    await assert.rejects(restoreBackup(home, bundle, given, CLOCK, REPEAT), (error: Error) => {
      assert(error instanceof CodedError, String(error));
      assert.match(error.message, expected);
      return true;
    });
    assert.deepEqual(fingerprint(home.folder), before);
  };
  await refuse(whole, createBackupKey(), /needs the key with fingerprint/);
  await refuse(Buffer.from('a letter'), key, /not a backup/);
  // A file whose content is exchanged after its header was read: that of another backup, under the same key.
  await refuse(
    Buffer.concat([whole.subarray(0, headerBytes(whole)), other.subarray(headerBytes(other))]),
    key,
    /damaged/,
  );
  await refuse(whole.subarray(0, 20), key, /not a backup/);
  const { content: foreign } = encryptAge(
    key.publicKey,
    ['another'],
    ReadableStream.from([Buffer.from('x')]),
  );
  await refuse(await buffer(foreign), key, /not a backup/);
  const later = Buffer.from(whole);
  later.write('2', whole.indexOf('vouch-backup 1') + 'vouch-backup '.length);
  await refuse(later, key, /newer version/);
  for (const at of [60, Math.floor(whole.length / 2), whole.length - 1]) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 1;
    await refuse(changed, key, /damaged/);
    await refuse(whole.subarray(0, at), key, /damaged/);
  }
});

test('a backup cut at any boundary is refused and leaves the home as it was', async (t) => {
  const { storage, key } = await site(t, 20);
  const folder = temporaryFolder(t);
  const bundle = join(folder, 'site.vouch');
  await backUp(storage, bundle);
  const home = openHome(join(folder, 'home'));
  const running = await openStorage(home, CLOCK);
  await newCompany(running, home.folder, 'Other');
  await running.close();
  const before = fingerprint(home.folder);

  const { size } = statSync(bundle);
  const header = headerBytes(readFileSync(bundle));
  const sealedChunk = 64 * 1024 + 16;
  const cuts = new Set<number>();
  // Steps of the header, the ends of its first line, its last and the nonce, and every byte of the last tag.
  for (let at = 0; at < header; at += 7) cuts.add(at);
  for (const at of [21, 22, header - 1, header, header + 1, header + 15, header + 16]) cuts.add(at);
  for (let at = size - 20; at < size; at += 1) cuts.add(at);
  // Within a sealed chunk, of which nothing is read, one cut is like another.
  for (let at = header; at < size; at += sealedChunk / 2) cuts.add(Math.floor(at));
  for (let at = header + 16; at < size; at += sealedChunk) for (const by of [-1, 0, 1]) cuts.add(at + by);
  for (const at of [...cuts].sort((one, other) => other - one)) {
    // Photos are written while the rest is read: none may come after its folder was removed.
    const atOnce = at === size - 1 ? slowShelves() : undefined;
    truncateSync(bundle, at);
    await assert.rejects(restoreBackup(home, bundle, key, CLOCK, REPEAT), (error: Error) => {
      assert(error instanceof BackupRefused, `cut at ${at}: ${String(error)}`);
      assert.match(error.message, /Nothing was changed/);
      assert.match(error.message, at < VERSION_LINE.length ? /not a backup/ : /damaged.*truncated/);
      return true;
    });
    await atOnce?.();
    assert.deepEqual(fingerprint(home.folder), before, `cut at ${at}`);
  }
});

test('a disk that fills up during a restore is reported; the home stays as it was', async (t) => {
  const { storage, key } = await site(t);
  const folder = temporaryFolder(t);
  const bundle = join(folder, 'site.vouch');
  await backUp(storage, bundle);
  const home = openHome(join(folder, 'home'));
  await (await openStorage(home, CLOCK)).close();
  const before = fingerprint(home.folder);
  // A photo, the database, a small file: whichever is the one for which there is no room.
  for (const full of ['.vimg', 'vouch.db', 'store.key.next']) {
    const withRoom = fillDisk((path) => path.includes('restoring-') && path.endsWith(full));
    await assert.rejects(restoreBackup(home, bundle, key, CLOCK, REPEAT), (error: Error) => {
      assert(error instanceof BackupRefused, `${full}: ${String(error)}`);
      assert.match(error.message, /became full.*Nothing was changed. Free some space/);
      return true;
    });
    withRoom();
    assert.deepEqual(fingerprint(home.folder), before, full);
  }
  assert((await restoreBackup(home, bundle, key, CLOCK, REPEAT)).audit.whole);
});

test('a backup of a newer program is refused with words', async (t) => {
  const { storage, folder, key } = await site(t);
  const storeKey = Buffer.from(readFileSync(join(folder, 'store.key'), 'utf8').trim(), 'hex');
  const raw = openRaw(join(folder, 'vouch.db'), storeKey);
  raw.exec(`insert into kysely_migration (name, timestamp) values ('9999_of_the_future', '2040')`);
  raw.close();
  const bundle = join(temporaryFolder(t), 'site.vouch');
  await backUp(storage, bundle);
  const home = openHome(join(temporaryFolder(t), 'home'));
  await assert.rejects(
    restoreBackup(home, bundle, key, CLOCK, REPEAT),
    /newer version of Vouch .*\(it has 9999_of_the_future\)/,
  );
  assert(!existsSync(home.database));
});

test('a restore that is killed while it moves files is finished by the next start', async (t) => {
  const { storage, key } = await site(t);
  const folder = temporaryFolder(t);
  const bundle = join(folder, 'site.vouch');
  await backUp(storage, bundle);
  const home = openHome(join(folder, 'home'));
  const old = await openStorage(home, CLOCK);
  await newCompany(old, home.folder, 'Old');
  await old.close();
  const program = join(import.meta.dirname, '..', '..', '..', 'test', 'support', 'restoreAndDie.ts');
  const { signal, stderr } = spawnSync(process.execPath, [program, home.folder, bundle, key.text], {
    encoding: 'utf8',
  });
  assert.equal(signal, 'SIGKILL', stderr);
  assert(existsSync(join(home.folder, 'restore.json')), 'it was killed in the middle');
  assert.deepEqual(await contents(home.folder), WHOLE);
  assert.deepEqual(
    readdirSync(home.folder).filter((name) => name.startsWith('restor')),
    [],
  );
});

/** The first line of every age file. */
const VERSION_LINE = 'age-encryption.org/v1\n';

/** Length of the header of an age file, with the line of its MAC. */
function headerBytes(file: Buffer): number {
  return file.indexOf('\n', file.indexOf('\n--- ') + 1) + 1;
}

/** From now on a folder is long in the making. @returns when all were made, and the next is made as ever */
function slowShelves(): () => Promise<void> {
  const { mkdir } = fs.promises;
  const made: Promise<unknown>[] = [];
  const slowly = (path: string, options: { recursive: true; mode: number }) => {
    const work = sleep(path.includes('images') ? 50 : 0).then(() => mkdir(path, options));
    made.push(work);
    return work;
  };
  Object.assign(fs.promises, { mkdir: slowly });
  syncBuiltinESMExports();
  return async () => {
    Object.assign(fs.promises, { mkdir });
    syncBuiltinESMExports();
    assert(made.length > 0);
    await Promise.all(made);
  };
}

/** Names of what lies in a folder. */
function fingerprint(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('lock'))
    .sort();
}

test('a restore asks about rights of operators and installations lost since', async (t) => {
  const { storage, folder, company, key } = await site(t);
  const operatorOf = (name: string, role: OperatorRole) =>
    storage.operators.create(company.id, { name, nameKey: name, role, passphraseHash: 'hash' }, TEST_ACT);
  await operatorOf('stays', 'admin');
  const demoted = await operatorOf('demoted', 'admin');
  const promoted = await operatorOf('promoted', 'auditor');
  const [signingKey, receivingKey] = [randomBytes(32), randomBytes(32)];
  const north = await storage.trustedInstallations.trust(
    company.id,
    { name: 'North', signingKey, receivingKey },
    TEST_ACT,
  );
  const bundle = join(temporaryFolder(t), 'site.vouch');
  await backUp(storage, bundle);
  await storage.operators.change(company.id, demoted.id, { role: 'reviewer' }, TEST_ACT);
  await storage.operators.change(company.id, promoted.id, { role: 'admin' }, TEST_ACT);
  await storage.trustedInstallations.distrust(company.id, north.id, TEST_ACT);
  await storage.close();

  const asked: RevivedCredential[] = [];
  const home = openHome(folder);
  const credentials = (revived: readonly RevivedCredential[]) => {
    asked.push(...revived);
    return Promise.resolve(true);
  };
  await restoreBackup(home, bundle, key, CLOCK, { ...REPEAT, credentials });
  assert.deepEqual(asked, [
    { kind: 'role', company: company.name, name: 'demoted' },
    { kind: 'installation', company: company.name, name: 'North' },
  ]);
  const restored = await openStorage(home, CLOCK);
  t.after(() => restored.close());
  const operators = await restored.operators.list(company.id);
  assert.deepEqual(
    operators.map(({ role }) => role),
    ['admin', 'reviewer', 'auditor'],
  );
  assert.deepEqual(await restored.trustedInstallations.list(company.id), []);
});

test('a restore asks about credentials revoked since, and revokes them again', async (t) => {
  const { storage, folder, company, key } = await site(t);
  const addToken = async (name: string) => {
    const hash = randomBytes(32);
    await storage.apiTokens.create(company.id, { name, hash, scopes: ['enroll'], expiresAt: null }, TEST_ACT);
    return hash;
  };
  const revokedLater = await addToken('scanner');
  const kept = await addToken('gate');
  const bundle = join(temporaryFolder(t), 'site.vouch');
  await backUp(storage, bundle);
  const [token] = (await storage.apiTokens.list(company.id)).filter(({ name }) => name === 'scanner');
  assert(token);
  assert(await storage.apiTokens.revoke(company.id, token.id, TEST_ACT));
  await storage.close();

  const refusal = new Error('no person can be asked');
  const home = openHome(folder);
  const ask = (credentials: RestoreQuestions['credentials']) =>
    restoreBackup(home, bundle, key, CLOCK, { ...REPEAT, credentials });
  await assert.rejects(
    ask(() => Promise.reject(refusal)),
    refusal,
  );

  const asked: RevivedCredential[] = [];
  const { credentials } = await ask((revived) => {
    asked.push(...revived);
    return Promise.resolve(true);
  });
  assert.deepEqual(asked, [{ kind: 'token', company: company.name, name: 'scanner' }]);
  assert.deepEqual(credentials, { revived: 1, withdrawn: true });
  const restored = await openStorage(home, CLOCK);
  t.after(() => restored.close());
  assert.equal((await restored.apiTokens.findByHash(revokedLater))?.revokedAt === null, false);
  assert.equal((await restored.apiTokens.findByHash(kept))?.revokedAt, null);
});
