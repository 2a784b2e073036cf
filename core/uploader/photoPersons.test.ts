/** Persons of a run, from a table or from folders. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvRows } from '../contracts/csv.ts';
import {
  countPersons,
  encodingOf,
  personsOfFolders,
  personsOfTable,
  type PhotoPersons,
} from './photoPersons.ts';

const PATHS = ['a.jpg', 'gate/b.jpg', 'gate/c.jpg', 'yard/c.jpg', 'Zoe\u0308.jpg'];

function read(table: string, paths: readonly string[] = PATHS): PhotoPersons {
  const found = personsOfTable(table, paths);
  if ('unusable' in found) throw new Error(found.unusable);
  return found;
}
const unusable = (table: string | undefined) => {
  const found = personsOfTable(table, PATHS);
  return 'unusable' in found ? found.unusable : null;
};

test('cells come back as they were written, with commas and semicolons', () => {
  const cell = fc.string().map((text) => text.replaceAll('\r', '').trim());
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(table, fc.constantFrom(',', ';'), fc.constantFrom('\n', '\r\n'), (rows, separator, end) => {
      const written = [['file', 'name'], ...rows]
        .map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(separator))
        .join(end);
      const expected = rows
        .map((cells, index) => ({ number: index + 2, cells }))
        .filter(({ cells }) => cells.some((text) => text !== ''));
      assert.deepEqual(csvRows(written)?.slice(1), expected);
    }),
    { numRuns: 200 },
  );
});

test('a row names a photo by its path or its file name, in any spelling of accents', () => {
  const table = [
    'External ID;File;Department;Name\r\n',
    '17;a.jpg;Gate;"Smith; Ann"\r\n',
    '\r\n',
    ';.\\gate\\b.jpg;;Bea\r\n',
    '18;yard/c.jpg\r\n',
    '19;Zo\u00eb.jpg;;Zo\u00eb',
  ];
  const { persons, faults } = read(table.join(''));
  assert.deepEqual(
    [...persons],
    [
      ['a.jpg', { name: 'Smith; Ann', externalId: '17' }],
      ['gate/b.jpg', { name: 'Bea', externalId: null }],
      ['yard/c.jpg', { name: null, externalId: '18' }],
      ['Zoe\u0308.jpg', { name: 'Zo\u00eb', externalId: '19' }],
    ],
  );
  assert.deepEqual(faults, []);
});

test('each row that names no person says why, and the others count', () => {
  const { persons, faults } = read(
    [
      'file,name,external_id',
      'a.jpg,Ann,17',
      'b.jpg,,',
      ',Bea,18',
      'gone.jpg,Cleo,19',
      'c.jpg,Cleo,19',
      'a.jpg,Dora,20',
      'b.jpg,Anna,17',
      `b.jpg,Bea,${'8'.repeat(101)}`,
      'gate/c.jpg,,17',
    ].join('\n'),
  );
  assert.deepEqual(
    faults.map(({ row, kind, earlier }) => [row, kind, earlier]),
    [
      [3, 'unnamed', undefined],
      [4, 'noFile', undefined],
      [5, 'noPhoto', undefined],
      [6, 'severalPhotos', undefined],
      [7, 'photoRepeated', 2],
      [8, 'otherName', 2],
      [9, 'tooLong', undefined],
    ],
  );
  assert.deepEqual([...persons.keys()], ['a.jpg', 'gate/c.jpg']);
});

test('a table without the columns, without rows or in another encoding is not used', () => {
  assert.equal(unusable('a.jpg,Ann,17\n'), 'header');
  assert.equal(unusable('file,department\na.jpg,Gate\n'), 'header');
  assert.equal(unusable('file,name,name\na.jpg,Ann,Bea\n'), 'header');
  assert.equal(unusable(''), 'header');
  assert.equal(unusable('file,name\n\n'), 'empty');
  assert.equal(unusable('file,name\na.jpg,"Ann\n'), 'quotes');
  // Longer than the stack of a regular expression.
  assert.equal(unusable(`file,name\na.jpg,"${'""'.repeat(10_000_000)}\n`), 'quotes');
  assert.equal(unusable(undefined), 'encoding');
});

test('a folder directly in the chosen one is a person, with all photos below it', () => {
  const long = 'x'.repeat(101);
  const found = personsOfFolders(['loose.jpg', 'Ann/1.jpg', 'Ann/left/2.jpg', 'Bea/1.jpg', `${long}/1.jpg`]);
  assert.deepEqual(found.faults, [{ kind: 'tooLong', row: null, file: long }]);
  assert.deepEqual(countPersons(found), {
    persons: 2,
    photos: 3,
    examples: [
      { name: 'Ann', externalId: 'Ann', photos: 2 },
      { name: 'Bea', externalId: 'Bea', photos: 1 },
    ],
  });
});

test('a name alone counts as one person for each photo', () => {
  const found = read('file,name,external id\na.jpg,Ann,\nb.jpg,Ann,\nZo\u00eb.jpg,,7\ngate/c.jpg,Zoe,7\n');
  const { persons, photos, examples } = countPersons(found);
  assert.deepEqual([persons, photos], [3, 4]);
  assert.deepEqual(examples[2], { name: 'Zoe', externalId: '7', photos: 2 });
});

test('a table separated by tabs, or with the separator in its first row, is read', () => {
  const rows = [
    ['file', 'name'],
    ['a.jpg', 'Ann; A, B'],
  ];
  const tabs = rows.map((row) => row.join('\t')).join('\n');
  for (const table of [tabs, `sep=\t\r\n${tabs}`, 'sep=;\r\nfile;name\r\na.jpg;"Ann; A, B"']) {
    const found = personsOfTable(table, ['a.jpg']);
    assert.ok(!('unusable' in found), table);
    assert.deepEqual([...found.persons], [['a.jpg', { name: 'Ann; A, B', externalId: null }]]);
  }
});

test('folders whose names differ in spaces alone are one person', () => {
  const { persons } = personsOfFolders(['A B/1.jpg', 'A  B/2.jpg', ' A B /3.jpg']);
  assert.deepEqual(new Set([...persons.values()].map(({ externalId }) => externalId)), new Set(['A B']));
  assert.equal(persons.size, 3);
});

test('a table in UTF-16 is recognised with its mark and without one', () => {
  const text = 'file,name\na.jpg,Zo\u00eb\n';
  for (const mark of ['', '\ufeff']) {
    const little = Buffer.from(mark + text, 'utf16le');
    const big = Buffer.from(little).swap16();
    assert.equal(encodingOf(little), 'utf-16le');
    assert.equal(encodingOf(big), 'utf-16be');
    assert.equal(encodingOf(Buffer.from(mark + text)), 'utf-8');
    for (const bytes of [little, big])
      assert.equal(new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes), text);
  }
});
