import assert from 'node:assert/strict';
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { faultOfPassphrase, storeKeyOf, type Protector, type Questions } from './keyVault.ts';

function newHome(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), 'vouch-vault-'));
  t.after(() => {
    rmSync(home, { recursive: true });
  });
  return home;
}

/** A key store of one account: XOR is enough to distinguish sealed from plain. */
function system(account: number, available = true): Protector {
  const turn = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ account));
  return {
    available: () => Promise.resolve(available),
    seal: (text) => Promise.resolve(turn(Buffer.from(`sealed ${text}`))),
    open: (sealed) => {
      const text = turn(sealed).toString();
      return text.startsWith('sealed ')
        ? Promise.resolve(text.slice('sealed '.length))
        : Promise.reject(new Error('another account'));
    },
  };
}

const NONE = system(1, false);
const SENTENCE = 'a sentence that is long enough';
const silent: Questions = {
  newPassphrase: () => assert.fail('nothing is to be asked'),
  passphrase: () => assert.fail('nothing is to be asked'),
  takeOver: () => assert.fail('nothing is to be asked'),
};

function answering(...answers: (string | undefined)[]): Questions & { wrong: boolean[] } {
  const wrong: boolean[] = [];
  return {
    wrong,
    newPassphrase: () => Promise.resolve(answers.shift()),
    passphrase: (isWrong) => {
      wrong.push(isWrong);
      return Promise.resolve(answers.shift());
    },
    takeOver: () => Promise.resolve(answers.shift() === 'yes'),
  };
}

function assertNowhere(home: string, key: Uint8Array): void {
  for (const name of readdirSync(home)) {
    const content = readFileSync(join(home, name));
    assert(!content.includes(Buffer.from(key)), name);
    assert(!content.includes(Buffer.from(key).toString('hex')), name);
  }
}

test('a new key is sealed by the system, nowhere in plain, and comes back', async (t) => {
  const home = newHome(t);
  const made = await storeKeyOf(home, system(7), silent);
  assert(made.kind === 'key' && made.keptBy === 'system');
  assertNowhere(home, made.key);
  assert.deepEqual(await storeKeyOf(home, system(7), silent), made);
  await assert.rejects(storeKeyOf(home, system(8), silent), /another account or machine.*backup key/);
});

test('without a key store a passphrase is asked for; a wrong one is asked for again', async (t) => {
  const home = newHome(t);
  const made = await storeKeyOf(home, NONE, answering(SENTENCE));
  assert(made.kind === 'key' && made.keptBy === 'passphrase');
  assertNowhere(home, made.key);
  const questions = answering('something else', SENTENCE);
  assert.deepEqual(await storeKeyOf(home, NONE, questions), made);
  assert.deepEqual(questions.wrong, [false, true]);
});

test('who gives no passphrase gets no home, and never a key in plain', async (t) => {
  const home = newHome(t);
  assert.deepEqual(await storeKeyOf(home, NONE, answering(undefined)), { kind: 'given-up' });
  assert.deepEqual(readdirSync(home), []);
});

test('a key file is taken over only when the operator agrees', async (t) => {
  const home = newHome(t);
  const digits = '0f'.repeat(32);
  const file = join(home, 'store.key');
  writeFileSync(file, `${digits}\n`);
  // A second name of the same content shows what is left on the disk.
  const outside = join(newHome(t), 'kept');
  linkSync(file, outside);
  assert.deepEqual(await storeKeyOf(home, NONE, silent), { kind: 'file' });
  assert.deepEqual(await storeKeyOf(home, system(7), answering('no')), { kind: 'file' });
  const taken = await storeKeyOf(home, system(7), answering('yes'));
  assert(taken.kind === 'key');
  assert.equal(Buffer.from(taken.key).toString('hex'), digits);
  assertNowhere(home, taken.key);
  assert(
    readFileSync(outside).every((byte) => byte === 0),
    'the key was overwritten before its file went',
  );
  assert.deepEqual(await storeKeyOf(home, system(7), silent), taken);
});

for (const left of ['whole', 'overwritten'])
  test(`a start removes the plain key, ${left}, that an interrupted take-over left`, async (t) => {
    const home = newHome(t);
    const made = await storeKeyOf(home, system(7), silent);
    assert(made.kind === 'key');
    const digits = Buffer.from(`${Buffer.from(made.key).toString('hex')}\n`);
    writeFileSync(join(home, 'store.key'), left === 'whole' ? digits : digits.fill(0));
    assert.deepEqual(await storeKeyOf(home, system(7), silent), made);
    assert.deepEqual(readdirSync(home), ['store.key.system']);
    const other = '0f'.repeat(32);
    writeFileSync(join(home, 'store.key'), other);
    assert.deepEqual(await storeKeyOf(home, system(7), silent), made);
    assert.equal(readFileSync(join(home, 'store.key'), 'utf8'), other);
  });

test('a key store that does not return a key gets none, and the key file stays', async (t) => {
  const home = newHome(t);
  writeFileSync(join(home, 'store.key'), '0f'.repeat(32));
  for (const open of [() => Promise.resolve(''), () => Promise.reject(new Error('lost'))])
    await assert.rejects(
      storeKeyOf(home, { ...system(7), open }, answering('yes')),
      /did not return the key/,
    );
  assert.deepEqual(readdirSync(home), ['store.key']);
  assert.deepEqual(await storeKeyOf(home, system(7), answering('no')), { kind: 'file' });
});

test('a lost key is never replaced', async (t) => {
  const home = newHome(t);
  writeFileSync(join(home, 'store.key'), 'made without the shell');
  rmSync(join(home, 'store.key'));
  writeFileSync(join(home, 'vouch.db'), '');
  await assert.rejects(storeKeyOf(home, system(7), silent), /has a database and no key/);
});

test('a new passphrase must be typed twice and be long enough', () => {
  assert.equal(faultOfPassphrase(SENTENCE, SENTENCE), undefined);
  assert.match(faultOfPassphrase(SENTENCE, `${SENTENCE}.`) ?? '', /differ/);
  assert.match(faultOfPassphrase('short', 'short') ?? '', /at least 12/);
});
