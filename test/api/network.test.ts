/** The network listener. */
import { CodedError } from '../../core/contracts/errors/problem.ts';
import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { test, type TestContext } from 'node:test';
import { text } from 'node:stream/consumers';
import assert from 'node:assert/strict';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { NetworkListenerServer } from '../../core/api/http/networkListener.ts';
import { issueCertificate } from '../../core/platform/certificate.ts';
import { hostNamesIn, networkAccessRequest, type NetworkAccessState } from '../../core/contracts/network.ts';
import { NetworkAccessService } from '../../core/domain/network/networkAccessService.ts';
import { TEST_ACT } from '../support/act.ts';
import { askOverTls, freePort, type Sent } from '../support/network.ts';
import { addOperator, ask, PASSPHRASE, signIn } from './access/operators.ts';
import { openSite, type TestSite } from './site.ts';
import { PLATFORM } from '../../core/platform/platform.ts';

const NAME = 'vouch.test.lan';
const PAST = new Date('2026-03-01T12:00:00.000Z');
const CLOCK = { now: () => new Date() };

interface NetworkSite {
  site: TestSite;
  service: NetworkAccessService;
  networkListener: NetworkListenerServer;
  port: number;
}

/** A site with the network listener, closed at first. */
async function openNetworkSite(t: TestContext): Promise<NetworkSite> {
  const networkListener = new NetworkListenerServer();
  const site = await openSite(t, () => ({ networkListener }));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const service = new NetworkAccessService({
    ...PLATFORM,
    ...site.storage,
    networkSocket: networkListener,
    issueCertificate,
    clock: CLOCK,
    log,
  });
  return { site, service, networkListener, port: await freePort() };
}

function askOver({ port }: NetworkSite, ca: string, sent: Sent = {}) {
  return askOverTls({ name: NAME, port, ca }, sent);
}

function turnOn({ service, port }: NetworkSite, names = [NAME]): Promise<NetworkAccessState> {
  return service.open(networkAccessRequest.parse({ names, address: '127.0.0.1', port }), undefined, TEST_ACT);
}

test('nothing listens on the network until enabled; then only TLS, to its names', async (t) => {
  const network = await openNetworkSite(t);
  await assert.rejects(askOver(network, ''), { code: 'ECONNREFUSED' });
  const { listener } = await turnOn(network);
  assert.ok(listener);
  assert.deepEqual(listener.addresses, [`https://${NAME}:${network.port}`]);
  assert.equal(listener.selfSigned, true);
  assert.equal(listener.fingerprint, new X509Certificate(listener.certificate).fingerprint256);
  assert.equal((await askOver(network, listener.certificate)).status, 200);
  const hosts = [
    '',
    NAME,
    `localhost:${network.port}`,
    `127.0.0.1:${network.port}`,
    `other.lan:${network.port}`,
  ];
  for (const host of hosts) {
    const headers = { host };
    assert.equal((await askOver(network, listener.certificate, { headers })).status, 421, host);
  }
  for (const origin of [
    `http://${NAME}:${network.port}`,
    'https://other.lan',
    `http://127.0.0.1:${network.site.port}`,
  ]) {
    const headers = { origin };
    assert.equal((await askOver(network, listener.certificate, { headers })).status, 403, origin);
  }
  const plain = connect(network.port, '127.0.0.1');
  plain.end(`GET /health HTTP/1.1\r\nHost: ${NAME}:${network.port}\r\n\r\n`);
  assert.doesNotMatch(await text(plain).catch(() => ''), /200|alive|version/);
});

test('the loopback listener answers to none of the names of the other', async (t) => {
  const network = await openNetworkSite(t);
  await turnOn(network);
  const { status } = await network.site.call('/health', {
    headers: { origin: `https://${NAME}:${network.port}` },
  });
  assert.equal(status, 403);
});

test('remote programs and operators work as local ones, with a TLS-only cookie', async (t) => {
  const network = await openNetworkSite(t);
  const { listener } = await turnOn(network);
  const ca = listener?.certificate ?? '';
  await addOperator(network.site, 'Ana', 'admin');
  const authorization = `Bearer ${network.site.token}`;
  const listed = await askOver(network, ca, {
    path: '/api/v3/biometric-blacklists',
    headers: { authorization },
  });
  assert.equal(listed.status, 200);
  const page = JSON.parse(listed.body) as { links: { first: string } };
  assert.match(page.links.first, new RegExp(`^https://${NAME}:${network.port}/api/v3/`));
  const signedIn = await askOver(network, ca, {
    method: 'POST',
    path: '/api/dashboard/session',
    headers: { 'content-type': 'application/json', origin: `https://${NAME}:${network.port}` },
    body: JSON.stringify({ operator: 'Ana', passphrase: PASSPHRASE }),
  });
  assert.equal(signedIn.status, 204);
  assert.match(String(signedIn.headers['set-cookie']), /; Secure/);
});

test('what is on stays on over a restart, off stays off, and each is in the audit log', async (t) => {
  const network = await openNetworkSite(t);
  const on = await turnOn(network);
  const again = await turnOn(network);
  assert.equal(again.listener?.fingerprint, on.listener?.fingerprint, 'who trusts it need not trust another');
  const wider = await turnOn(network, [NAME, 'second.lan']);
  assert.notEqual(wider.listener?.fingerprint, on.listener?.fingerprint);
  assert.deepEqual(await network.service.state(), wider);
  const off = await network.service.close(TEST_ACT);
  assert.deepEqual(off, { listener: null, problem: null });
  await assert.rejects(askOver(network, ''), { code: 'ECONNREFUSED' });
  await network.service.start();
  await assert.rejects(askOver(network, ''), { code: 'ECONNREFUSED' });
  await turnOn(network);
  const entries = await network.site.storage.audit.list(null, { limit: 20 });
  const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('network.'));
  assert.deepEqual(actions, [
    'network.enabled',
    'network.disabled',
    'network.enabled',
    'network.enabled',
    'network.enabled',
  ]);
});

test('a listener that cannot be had is refused in words, and the one before goes on', async (t) => {
  const network = await openNetworkSite(t);
  const { listener } = await turnOn(network);
  const open = (wanted: object, given?: { certificate: string; privateKey: string }) =>
    network.service.open(
      networkAccessRequest.parse({ names: [NAME], address: '127.0.0.1', port: network.port, ...wanted }),
      given,
      TEST_ACT,
    );
  const right = await issueCertificate({ names: [NAME], from: new Date(0), to: new Date('2040-01-01') });
  const other = await issueCertificate({
    names: ['x.lan'],
    from: new Date(0),
    to: new Date('2040-01-01'),
  });
  const old = await issueCertificate({ names: [NAME], from: new Date(0), to: PAST });
  const refusals: [RegExp, () => Promise<unknown>][] = [
    [/Another program uses port \d+/, () => open({ port: network.site.port })],
    [/192\.0\.2\.1 is not an address of this machine/, () => open({ address: '192.0.2.1' })],
    [/certificate is not readable/, () => open({}, { ...right, certificate: 'no PEM' })],
    [/private key is not readable/, () => open({}, { ...right, privateKey: 'no PEM' })],
    [/does not belong to the certificate/, () => open({}, { ...right, privateKey: other.privateKey })],
    [/does not cover vouch\.test\.lan\. It covers DNS:x\.lan/, () => open({}, other)],
    [/valid from .* not now/, () => open({}, old)],
  ];
  for (const [words, refusal] of refusals)
    await assert.rejects(refusal, (error) => error instanceof CodedError && words.test(error.message));
  assert.equal((await askOver(network, listener?.certificate ?? '')).status, 200);
  assert.equal(
    (await open({}, right)).listener?.fingerprint,
    new X509Certificate(right.certificate).fingerprint256,
  );
});

test('a certificate made here is renewed on request, one of an authority is not', async (t) => {
  const network = await openNetworkSite(t);
  await assert.rejects(network.service.renew(TEST_ACT), /Network access is off/);
  const { listener: before } = await turnOn(network);
  assert.ok(before);
  assert.ok(before.daysLeft > 800);
  const { listener: now } = await network.service.renew(TEST_ACT);
  assert.ok(now);
  assert.notEqual(now.fingerprint, before.fingerprint);
  assert.deepEqual([now.names, now.port], [before.names, before.port]);
  assert.equal((await askOver(network, now.certificate)).status, 200);
  await assert.rejects(askOver(network, before.certificate), 'who trusts the one before is not let in');
  const request = networkAccessRequest.parse({ names: [NAME], address: '127.0.0.1', port: network.port });
  await network.service.open(request, await signedByAnAuthority(), TEST_ACT);
  await assert.rejects(
    network.service.renew(TEST_ACT),
    /your own certificate authority\. .*vouch network enable vouch\.test\.lan/,
  );
});

/** As a site's own authority gives it. */
async function signedByAnAuthority(): Promise<{ certificate: string; privateKey: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const [own, authority] = await Promise.all(
    [0, 1].map(() => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])),
  );
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=vouch',
    issuer: 'CN=authority',
    notBefore: new Date(0),
    notAfter: new Date('2040-01-01'),
    publicKey: own!.publicKey,
    signingKey: authority!.privateKey,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: NAME }])],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', own!.privateKey)).toString('base64');
  return {
    certificate: certificate.toString('pem'),
    privateKey: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`,
  };
}

test('a change that cannot be reverted gives both reasons and stays visible', async (t) => {
  const network = await openNetworkSite(t);
  const taken = await freePort();
  const blocker = createServer().listen(taken, '127.0.0.1');
  t.after(() => blocker.close());
  const { listener } = await turnOn(network);
  assert.ok(listener);
  // Another program takes the port between the end of the old listener and its return.
  const own = await network.site.storage.networkListeners.find();
  assert.ok(own);
  const shifting = { ...own };
  await network.networkListener.open(shifting);
  shifting.port = taken;
  await assert.rejects(
    network.service.open(
      networkAccessRequest.parse({ names: [NAME], address: '192.0.2.1', port: network.port }),
      undefined,
      TEST_ACT,
    ),
    (error) =>
      error instanceof CodedError &&
      /192\.0\.2\.1 is not an address.*Restoring the earlier settings also failed: Another program uses port \d+/.test(
        error.message,
      ),
  );
  assert.equal((await network.service.state()).problem?.code, 'NETWORK_NOT_RESTORED');
  await network.service.renew(TEST_ACT);
  assert.equal(network.service.problem, null);
});

test('a listener that cannot be logged does not stay open', async (t) => {
  const networkListener = new NetworkListenerServer();
  const site = await openSite(t, () => ({ networkListener }));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const networkListeners = {
    find: () => Promise.resolve(undefined),
    keep: () => Promise.reject(new Error('The disk is full.')),
    drop: () => Promise.resolve(false),
  };
  const service = new NetworkAccessService({
    ...PLATFORM,
    networkListeners,
    networkSocket: networkListener,
    issueCertificate,
    clock: CLOCK,
    log,
  });
  const network = { site, service, networkListener, port: await freePort() };
  await assert.rejects(turnOn(network), /The disk is full/);
  await assert.rejects(askOver(network, ''), { code: 'ECONNREFUSED' });
});

test('a change that cannot be logged leaves the earlier listener', async (t) => {
  const network = await openNetworkSite(t);
  const { listener } = await turnOn(network);
  const before = await network.site.storage.networkListeners.find();
  assert.ok(before);
  const failing = () => Promise.reject(new Error('The disk is full.'));
  const renamed = { ...before, names: ['other.lan'] };
  await assert.rejects(network.networkListener.open(renamed, failing), /The disk is full/);
  assert.deepEqual(network.networkListener.names, before.names);
  assert.equal((await askOver(network, listener?.certificate ?? '')).status, 200);
});

test('names are DNS names and IPv4 addresses that other machines can mean', () => {
  const good = ['vouch', 'VOUCH.site.lan', '10.1.2.3', 'a-b.c'];
  assert.deepEqual(hostNamesIn(`  ${good.join(' , ')},\n`), good);
  for (const name of good) assert.ok(networkAccessRequest.safeParse({ names: [name] }).success, name);
  const bad = [
    '',
    'https://vouch',
    'vouch:4611',
    'localhost',
    '127.0.0.1',
    '127.8.8.8',
    'a.localhost',
    '1.2.3',
    'ä.network',
    '-a',
    '*.network',
    '::1',
  ];
  for (const name of bad) assert.ok(!networkAccessRequest.safeParse({ names: [name] }).success, name);
});

test('the dashboard turns it on with a fresh passphrase and words for what is wrong', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ana', 'admin');
  const cookie = await signIn(site, 'Ana');
  const put = (body: object) => ask(site, 'PUT', '/system/network', { cookie, body });
  const wrong = await put({ names: ['localhost'] });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /means the calling machine itself/);
  const on = await put({ names: ['vouch.lan'], port: 4699 });
  assert.equal(on.status, 200, on.text);
  assert.deepEqual((await ask(site, 'GET', '/system/network', { cookie })).body, on.body);
  assert.doesNotMatch(on.text, /PRIVATE KEY/);
  const off = await ask(site, 'DELETE', '/system/network', { cookie });
  assert.deepEqual(off.body, { listener: null, problem: null });
});
