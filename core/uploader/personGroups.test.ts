import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupsOfTable } from './personGroups.ts';

test('a table gives each person one group, in any order of its columns', () => {
  const table = 'Group;note;PERSON\r\nwomen;;anna\r\nwomen;again;anna\r\nmen;;ben\r\n;none;cleo\r\n';
  assert.deepEqual(groupsOfTable(table), { anna: 'women', ben: 'men' });
  assert.deepEqual(groupsOfTable('person,group\n'), {});
  assert.deepEqual(groupsOfTable(`person,group\n${'José'.normalize('NFD')},gate\n`), { José: 'gate' });
});

test('a table that cannot be trusted is refused as a whole', () => {
  for (const table of [
    undefined,
    '',
    'person,sex\nanna,f\n',
    'person,group\n"anna,f\n',
    'person,group\na,f\na,m\n',
  ])
    assert.equal(groupsOfTable(table), undefined, String(table));
});
