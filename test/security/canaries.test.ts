import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { ask, cookieOf, signIn } from '../api/access/operators.ts';
import { newSigner, signatureHeaders } from '../api/signing.ts';
import { FACES, formOf, JPEG, openSite, UPLOADS, type Answer, type TestSite } from '../api/site.ts';
import { TEST_ACT } from '../support/act.ts';

/** Something that stands nowhere by chance. */
const canary = (kind: string) => `canary-${kind}-${randomBytes(9).toString('hex')}`;

/** Planted by hand; the secrets that the service makes itself join them. */
const TYPED = {
  company: canary('company'),
  operator: canary('operator'),
  passphrase: canary('passphrase'),
  wrongPassphrase: canary('wrong passphrase'),
  passphraseAsName: canary('passphrase as name'),
  changedPassphrase: canary('changed passphrase'),
  wrongRecoveryKey: canary('wrong recovery code'),
  wrongToken: canary('wrong token').replaceAll(' ', '-'),
  fileName: canary('file name'),
  refusedFileName: canary('refused file name'),
  imageBytes: canary('image bytes'),
  refusedBytes: canary('refused bytes'),
  blacklistName: canary('blacklist name'),
  blacklistDescription: canary('blacklist description'),
  query: canary('query').replaceAll(' ', '-'),
  header: canary('header'),
};

/** Runs what there is with canaries everywhere. @returns the made secrets, and the answers of refused requests */
async function runEverything(site: TestSite): Promise<{ made: Record<string, string>; refusals: Answer[] }> {
  const refusals: Answer[] = [];
  const refused = async (answer: Promise<Answer>) => {
    refusals.push(await answer);
  };
  const made: Record<string, string> = { token: site.token };
  const { operator, passphrase } = TYPED;
  const setUp = await ask(site, 'POST', '/setup', {
    body: {
      company: TYPED.company,
      storageFolder: join(site.folder, 'storage', 'company-2'),
      operator,
      passphrase,
      features: { registration: true, blacklists: true },
    },
  });
  assert.equal(setUp.status, 200, setUp.text);
  made.recoveryCode = String(setUp.body.recoveryCode);
  const cookie = await signIn(site, operator, passphrase);
  made.session = cookie.split('=')[1]!;
  const session = (body: object) => ask(site, 'POST', '/session', { body });
  await refused(session({ operator, passphrase: TYPED.wrongPassphrase }));
  await refused(session({ operator: TYPED.passphraseAsName, passphrase: TYPED.wrongPassphrase }));
  await refused(session({ operator, passphrase: [TYPED.wrongPassphrase] }));
  await refused(
    ask(site, 'POST', '/session/recover', {
      body: { operator, recoveryCode: TYPED.wrongRecoveryKey, passphrase: TYPED.changedPassphrase },
    }),
  );
  const change = { current: passphrase, passphrase: TYPED.changedPassphrase };
  const changed = await ask(site, 'POST', '/session/passphrase', { cookie, body: change });
  assert.equal(changed.status, 204, changed.text);
  await refused(ask(site, 'GET', '/session', { cookie }));
  const again = await session({ operator, passphrase: TYPED.changedPassphrase });
  made.secondSession = cookieOf(again).split('=')[1]!;

  const signer = await newSigner(site);
  made.signingSecret = signer.secret;
  const at = Date.parse('2026-03-01T12:00:00.000Z') / 1000;
  const target = `${UPLOADS}/00000000-0000-4000-8000-000000000000`;
  const headers = signatureHeaders(signer, { method: 'GET', target, at });
  made.signature = headers['x-hmac-signature'];
  await refused(site.call(target, { token: null, headers }));
  await refused(site.call(target, { token: TYPED.wrongToken }));
  await refused(site.call(`${target}?${TYPED.query}`, { headers: { 'x-any': TYPED.header } }));
  await refused(site.call(`/${TYPED.query}`));

  const image = Buffer.concat([JPEG, Buffer.from(TYPED.imageBytes)]);
  const accepted = await site.upload(formOf({ name: `${TYPED.fileName}.jpg`, content: image }));
  assert.equal(accepted.status, 202, accepted.text);
  const bad = { name: `${TYPED.refusedFileName}.jpg`, content: Buffer.from(TYPED.refusedBytes) };
  await refused(site.upload(formOf({ name: 'fine.jpg', content: image }, bad)));
  await refused(site.call(FACES, { method: 'POST', body: TYPED.refusedBytes }));
  const { blacklists } = site.storage;
  const words = { name: TYPED.blacklistName, description: TYPED.blacklistDescription };
  await blacklists.create(site.company.id, words, TEST_ACT);
  return { made, refusals };
}

test('no secret, name or image byte appears in any log, answer, record or file', async (t) => {
  const site = await openSite(t);
  const { made, refusals } = await runEverything(site);
  const canaries = { ...TYPED, ...made };
  assert.ok(Object.keys(canaries).length >= 20);

  const files = readdirSync(site.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  assert.ok(files.some((file) => file.endsWith('vouch.db')) && files.some((file) => file.endsWith('.vimg')));
  const artefacts: Record<string, Buffer> = {
    'the log': Buffer.from(inspect(site.lines, { depth: 20, maxArrayLength: null, maxStringLength: null })),
    'the record': Buffer.from(JSON.stringify(await site.storage.audit.list(site.company.id, { limit: 500 }))),
    'the description': readFileSync(join(import.meta.dirname, '../../resources/openapi.json')),
    ...Object.fromEntries(refusals.map(({ text }, index) => [`refusal ${index}`, Buffer.from(text)])),
    ...Object.fromEntries(files.map((file) => [file, readFileSync(file)])),
  };
  assert.ok(site.lines.length > 10);
  const found = Object.entries(artefacts).flatMap(([artefact, content]) =>
    Object.entries(canaries)
      .filter(([, secret]) => content.includes(secret))
      .map(([kind]) => `${kind} in ${artefact}`),
  );
  assert.deepEqual(found, []);
  assert.ok(refusals.every(({ status }) => status >= 400 && status < 500));
});
