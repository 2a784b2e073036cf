/** The filters of duplicate groups, and the file of the groups that they leave. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DUPLICATE_FILE_COLUMNS,
  duplicateRun,
  GROUP_ORDERS,
  groupPage,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { csvRows } from '../../../core/contracts/csv.ts';
import { photoOf } from '../../support/people.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { openScreeningSite } from '../screeningSite.ts';
import { formOf } from '../site.ts';
import { good } from './dashboardSite.ts';

test('groups are filtered by list, source, date, name and photo, and saved as CSV', async (t) => {
  const { site, work, newBlacklist } = await openScreeningSite(t);
  site.token = await site.newToken();
  await addOperator(site, 'admin', 'admin');
  const cookie = await signIn(site, 'admin');
  const dashboard = (method: string, path: string, body?: unknown) =>
    ask(site, method, path, { cookie, ...(body !== undefined && { body }) });
  const list = await newBlacklist('Barred persons', { people: [1] });
  const photos = [
    { name: 'Ann.jpg', content: photoOf(1, 1) },
    { name: 'Bob.jpg', content: photoOf(2) },
    { name: 'Bob again.jpg', content: photoOf(2) },
  ];
  assert.equal((await site.upload(formOf(...photos))).status, 202);
  await work();
  const search = site.engine.duplicateSearch;
  t.after(() => search.stop());
  good(await dashboard('POST', '/duplicates/runs', { blacklists: [list.id] }), duplicateRun);
  search.start();
  await search.idle();

  /** The names of the faces of each group that the filter leaves. */
  const found = async (query: string) => {
    const { items, total } = good(await dashboard('GET', `/duplicates/groups?${query}`), groupPage);
    assert.equal(total, items.length);
    return items
      .map(({ faces }) =>
        faces
          .map(({ name }) => name)
          .toSorted()
          .join(),
      )
      .toSorted();
  };
  const [ann, bob] = ['Ann,Person 1', 'Bob,Bob again'];
  const enrolled = good(await dashboard('GET', '/duplicates/groups'), groupPage).items.flatMap(({ faces }) =>
    faces.map(({ enrolledAt }) => Date.parse(enrolledAt)),
  );
  const [before, after] = [Math.min(...enrolled), Math.max(...enrolled) + 1].map((at) =>
    encodeURIComponent(new Date(at).toISOString()),
  );
  for (const [query, expected] of [
    ['', [ann, bob]],
    [`list=${list.id}`, [ann]],
    ['list=main', [ann, bob]],
    ['list=999', []],
    ['source=program', [ann, bob]],
    ['source=dashboard', []],
    [`from=${before}&until=${after}`, [ann, bob]],
    [`from=${after}`, []],
    [`until=${before}`, []],
    ['text=ann', [ann]],
    ['identical=only', [bob]],
    ['identical=none', [ann]],
    ['state=accepted', []],
  ] as const)
    assert.deepEqual(await found(query), expected, query);

  for (const order of GROUP_ORDERS) {
    const listed = good(await dashboard('GET', `/duplicates/groups?order=${order}`), groupPage).items;
    const file = await dashboard('POST', '/duplicates/export', { filter: { order } });
    const groups = csvRows(file.text.replace('\ufeff', ''))!.slice(1);
    const inFile = new Set(groups.map(({ cells }) => Number(cells[0])));
    assert.deepEqual(
      [...inFile],
      listed.map(({ id }) => id),
      order,
    );
  }

  const { status, text } = await dashboard('POST', '/duplicates/export', { filter: { list: list.id } });
  assert.equal(status, 200);
  const [columns, ...rows] = text
    .replace('\ufeff', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  assert.deepEqual(columns, DUPLICATE_FILE_COLUMNS);
  const cell = (row: string[], column: (typeof DUPLICATE_FILE_COLUMNS)[number]) =>
    row[DUPLICATE_FILE_COLUMNS.indexOf(column)];
  assert.deepEqual(rows.map((row) => [cell(row, 'name'), cell(row, 'list'), cell(row, 'state')]).toSorted(), [
    ['Ann', '', 'proposed'],
    ['Person 1', 'Barred persons', 'proposed'],
  ]);
  const [entry] = await site.storage.audit.list(site.company.id, {
    filter: { action: 'export.taken' },
    limit: 1,
  });
  assert.match(entry?.details ?? '', /duplicateGroups/);
});
