import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { chromium, type Page } from 'playwright-core';
import { addOperator, ask, PASSPHRASE, signIn } from '../api/access/operators.ts';
import { openSite, type TestSite } from '../api/site.ts';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Another program's page on this machine: same site for the browser's cookies, another origin. */
async function foreignOrigin(t: TestContext): Promise<{ address: string; cookies: string[] }> {
  const cookies: string[] = [];
  const server = createServer((request, response) => {
    cookies.push(request.headers.cookie ?? '');
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>foreign</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cookies };
}

async function browserPage(t: TestContext): Promise<Page> {
  assert.ok(CHROMIUM !== undefined);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--host-resolver-rules=MAP rebound.example 127.0.0.1'],
  });
  t.after(() => browser.close());
  return browser.newPage();
}

/** The foreign page's script; each attempt returns the data that it could read, or null. It is text because it runs in the page. */
const ATTACKS = `(async (target) => {
  const textOf = async (answer) => (await (await answer).text()) || null;
  const seen = (attempt) => attempt.catch(() => null);
  const load = (element, source) => new Promise((resolve) => {
    element.onload = () => resolve('loaded');
    element.onerror = () => resolve(null);
    element.src = source;
    document.head.append(element);
  });
  const session = target + '/api/dashboard/session';
  const pause = target + '/api/dashboard/queue/pause';
  const plain = { method: 'POST', body: '{}', mode: 'no-cors', headers: { 'content-type': 'text/plain' } };
  return {
    read: await seen(textOf(fetch(session, { credentials: 'include' }))),
    opaque: await seen(textOf(fetch(session, { credentials: 'include', mode: 'no-cors' }))),
    plain: await seen(textOf(fetch(pause, { credentials: 'include', ...plain }))),
    image: await load(document.createElement('img'), target + '/api/dashboard/faces/1/image'),
    script: await load(document.createElement('script'), session),
    socket: await new Promise((resolve) => {
      const socket = new WebSocket(target.replace('http', 'ws') + '/api/dashboard/events');
      socket.onopen = () => resolve('open');
      socket.onerror = () => resolve(null);
    }),
  };
})`;

/** Everything that a request could have changed. */
async function stateOf(site: TestSite, cookie: string) {
  return {
    site: await site.storage.installation.settings(),
    operators: await site.storage.operators.list(site.company.id),
    session: (await ask(site, 'GET', '/session', { cookie })).status,
    record: (await site.storage.audit.list(site.company.id, { limit: 500 })).length,
  };
}

const WITHOUT_BROWSER = { skip: CHROMIUM === undefined && 'this machine has no Chromium' };

test(
  'a page of another origin reads and changes nothing, despite the session',
  WITHOUT_BROWSER,
  async (t) => {
    const site = await openSite(t);
    await addOperator(site, 'Ana', 'admin');
    const page = await browserPage(t);
    const cookie = await signIn(site, 'Ana', PASSPHRASE);
    const [name, value] = cookie.split('=');
    await page.context().addCookies([
      {
        name: name!,
        value: value!,
        domain: '127.0.0.1',
        path: '/api/dashboard',
        httpOnly: true,
        sameSite: 'Strict',
      },
    ]);
    const before = await stateOf(site, cookie);
    assert.equal(before.session, 200);

    const foreign = await foreignOrigin(t);
    await page.goto(`${foreign.address}/api/dashboard/any`);
    // SameSite does not separate these two origins, so the service checks Origin.
    assert.deepEqual(foreign.cookies.slice(0, 1), [cookie]);
    const got = await page.evaluate(`${ATTACKS}(${JSON.stringify(site.address)})`);
    assert.deepEqual(got, { read: null, opaque: null, plain: null, image: null, script: null, socket: null });

    await t.test('a form that is sent from there signs no operator out', async () => {
      const answered = page.waitForResponse((response) => response.request().method() === 'POST');
      await page.setContent(
        `<form method="post" action="${site.address}/api/dashboard/session/confirm" enctype="text/plain">
         <input name='{"passphrase":"' value='"}'></form><script>document.forms[0].submit()</script>`,
      );
      assert.equal((await answered).status(), 403);
    });

    await t.test('a name that was made to point here is not this listener', async () => {
      const rebound = site.address.replace('127.0.0.1', 'rebound.example');
      assert.equal((await page.goto(`${rebound}/api/dashboard/setup`))?.status(), 421);
    });
    assert.deepEqual(await stateOf(site, cookie), before);
  },
);
