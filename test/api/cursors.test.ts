/** Cursors that no page gave: the answer is the same on both databases, and never an error of the service. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { personCursorOf } from '../../core/api/http/personParts.ts';
import { PERSON_LIMITS } from '../../core/contracts/dashboard/persons.ts';
import { VALIDATION_SORTS } from '../../core/contracts/dashboard/validations.ts';
import { pathId } from '../../core/contracts/ids.ts';
import { addOperator, ask, signIn } from './access/operators.ts';
import { openSite } from './site.ts';

const POSITIONS = [
  '["a\\u0000b",1]',
  '["\\ud800",1]',
  '["a",9007199254740991]',
  '["text",1]',
  '[1.5,1]',
  '[1e300,1]',
  '[-1,1]',
  '[1,1e300,1]',
  '[1e308,1,1]',
  '[0.5,9007199254740991,1]',
  '[0.5,-1,1]',
  '[0.5,1.5,1]',
  '[null,null]',
  '{}',
  'no JSON',
];

test('a cursor that no page gave is a page or names its field, in each list', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ada', 'admin');
  const cookie = await signIn(site, 'Ada');
  const lists = [
    ...VALIDATION_SORTS.map((sort) => `/api/dashboard/validations?sort=${sort}`),
    '/api/dashboard/persons?order=name',
    '/api/dashboard/persons?order=newest',
    '/api/dashboard/duplicates/groups?order=certainty',
    '/api/dashboard/duplicates/groups?order=size',
    '/api/v3/persons?limit=1',
    '/api/v3/duplicate-detection/groups?limit=1',
    '/api/v3/duplicate-detection/runs?limit=1',
  ];
  for (const list of lists)
    for (const position of POSITIONS) {
      const cursor = list.includes('validations')
        ? encodeURIComponent(position)
        : Buffer.from(position).toString('base64url');
      const path = `${list}&cursor=${cursor}`;
      const answer = list.startsWith('/api/v3')
        ? await site.call(path)
        : await ask(site, 'GET', path.replace('/api/dashboard', ''), { cookie });
      assert.ok([200, 422].includes(answer.status), `${path} ${position}: ${answer.text}`);
    }
});

test('a list of persons goes on after the longest name, whatever its characters', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ada', 'admin');
  const cookie = await signIn(site, 'Ada');
  for (const character of ['a', 'ب', '漢', '"']) {
    const name = character.repeat(PERSON_LIMITS.name);
    const cursor = personCursorOf({ name, id: pathId.person.parse('2147483647') });
    const page = await site.call(`/api/v3/persons?cursor=${cursor}`);
    assert.equal(page.status, 200, page.text);
    const rows = await ask(site, 'GET', `/persons?order=name&cursor=${cursor}`, { cookie });
    assert.equal(rows.status, 200, rows.text);
  }
});

/** Numbers that are no integers of the columns, and texts that are no numbers. */
const NUMBERS = [
  '9007199254740991',
  '4294967296',
  '2147483648',
  '-9007199254740991',
  '0',
  '1e400',
  'NaN',
  'null',
];

test('a number beyond every row in a query or a path finds nothing', async (t) => {
  const site = await openSite(t);
  await addOperator(site, 'Ada', 'admin');
  const cookie = await signIn(site, 'Ada');
  for (const number of NUMBERS)
    for (const path of [
      `/validations?status=${number}`,
      `/validations?flow=${number}`,
      `/duplicates/groups?list=${number}`,
      `/duplicates/groups?certainty=${number}`,
      `/failures?list=${number}`,
      `/failures?cursor=${number}`,
      `/signatures?cursor=${number}`,
      `/duplicates/runs?cursor=${number}`,
      `/pipelines/refused?cursor=${number}`,
      `/face-comparisons?cursor=${number}`,
      `/audit?before=${number}`,
      `/runs?cursor=${number}.11111111-2222-4333-8444-555555555555`,
      `/persons/${number}`,
      `/persons/${number}/specimens`,
      `/duplicates/groups/${number}`,
      `/signatures/${number}`,
      `/face-comparisons/${number}`,
      `/faces/${number}`,
      `/erasures/${number}`,
    ]) {
      const answer = await ask(site, 'GET', path, { cookie });
      assert.ok([200, 404, 422].includes(answer.status), `${path}: ${answer.text}`);
    }
});
