/** Settings of a database that several services change: `npm run test:postgres` runs it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { TEST_ACT } from '../support/act.ts';
import { photoOf } from '../support/people.ts';
import { folderBeside, openService } from '../support/severalServices.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';
import { BLACKLISTS, CREATE, FINALIZE, SELFIE, dataUri, openScreeningSite } from './screeningSite.ts';

/** The statement that compares settings, pipelines and calibrations. */
const COMPARISON = 'xmin from active_pipeline';

test('a request compares its settings with the database once', { skip: WITHOUT_SERVER }, async (t) => {
  const { newFlow, post } = await openScreeningSite(t);
  const flow = String(await newFlow());
  const { mock } = t.mock.method(pg.Client.prototype, 'query');
  const counted = async (path: string, body: object) => {
    const before = mock.callCount();
    const answer = await post(path, body);
    assert.equal(answer.status, 200, answer.text);
    const sent = mock.calls.slice(before).map((call) => JSON.stringify(call.arguments[0]));
    return { answer, comparisons: sent.filter((statement) => statement.includes(COMPARISON)).length };
  };
  const created = await counted(CREATE, { template_id: flow });
  const { id } = created.answer.body.verification as { id: string };
  const selfie = { image: dataUri(photoOf(1)), trust_flow_id: flow, trust_validation_id: id };
  const sent = await counted(SELFIE, selfie);
  const finalised = await counted(FINALIZE, { template_id: flow, verification_id: id });
  assert.deepEqual(
    [created, sent, finalised].map(({ comparisons }) => comparisons),
    [1, 1, 1],
  );
});

test('a right that another service withdrew is gone at once', { skip: WITHOUT_SERVER }, async (t) => {
  const { site } = await openScreeningSite(t);
  const other = await openService(folderBeside(t, site.folder));
  t.after(async () => {
    await other.gallery.close();
    await other.storage.close();
  });
  for (const blacklistsEnabled of [false, true, false]) {
    await other.storage.companies.changeSettings(site.company.id, { blacklistsEnabled }, TEST_ACT);
    const { status, text } = await site.call(BLACKLISTS);
    assert.equal(status, blacklistsEnabled ? 200 : 422, text);
  }
});
