import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { dashboardEvent, type EventTopic } from '../../../core/contracts/dashboard/work.ts';
import type { CompanyId } from '../../../core/contracts/ids.ts';
import { TEST_ACT } from '../../support/act.ts';
import { addOperator, ask, PASSPHRASE, signIn } from '../access/operators.ts';
import { openSite, type TestSite } from '../site.ts';

/** The topics of the events that an operator's page receives, one event after another. */
async function openEvents(t: TestContext, site: TestSite, cookie: string) {
  const abort = new AbortController();
  t.after(() => {
    abort.abort();
  });
  const response = await fetch(`${site.address}/api/dashboard/events`, {
    headers: { cookie },
    signal: abort.signal,
  });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.ok(response.headers.has('x-request-id'));
  return eventsOf(response.body!.pipeThrough(new TextDecoderStream()));
}

async function* eventsOf(body: ReadableStream<string>): AsyncGenerator<EventTopic[], undefined> {
  let text = '';
  for await (const piece of body) {
    text += piece;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data !== undefined) yield dashboardEvent.parse(JSON.parse(data)).topics;
    }
  }
}

test('a page receives the changes of its company and of no other company', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'reviewer', 'reviewer');
  const events = await openEvents(t, site, await signIn(site, 'reviewer'));
  const other = await site.newCompany();
  const addList = (company: CompanyId) =>
    site.storage.blacklists.create(company, { name: 'A list', description: null }, TEST_ACT);
  await addList(other.id);
  await site.storage.installation.update({ paused: true }, TEST_ACT);
  assert.deepEqual((await events.next()).value, ['queue']);
  await addList(site.company.id);
  assert.deepEqual((await events.next()).value, ['blacklists']);
});

for (const [cause, end] of Object.entries({
  'a sign-out': (site, cookie) => ask(site, 'DELETE', '/session', { cookie }),
  'another passphrase': (site, cookie) => {
    const body = { current: PASSPHRASE, passphrase: 'another harbour at ten' };
    return ask(site, 'POST', '/session/passphrase', { cookie, body });
  },
  'another role': async (site) => {
    const { id } = (await site.storage.operators.findByName('bruno'))!.operator;
    return site.storage.operators.change(site.company.id, id, { role: 'auditor' }, TEST_ACT);
  },
  'a deactivation': async (site) => {
    const { id } = (await site.storage.operators.findByName('bruno'))!.operator;
    return site.storage.operators.change(site.company.id, id, { active: false }, TEST_ACT);
  },
} satisfies Record<string, (site: TestSite, cookie: string) => Promise<unknown>>))
  test(`${cause} ends the live updates at once`, async (t) => {
    const site = await openSite(t);
    await addOperator(site, 'Ana', 'admin');
    await addOperator(site, 'Bruno', 'reviewer');
    const cookie = await signIn(site, 'Bruno');
    const events = await openEvents(t, site, cookie);
    const others = await openEvents(t, site, await signIn(site, 'Ana'));
    await end(site, cookie);
    await site.storage.installation.update({ paused: true }, TEST_ACT);
    assert.deepEqual((await others.next()).value, ['queue']);
    assert.equal((await events.next()).done, true);
  });
