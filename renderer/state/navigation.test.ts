import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERMISSIONS, type Permission } from '../../core/contracts/dashboard/permissions.ts';
import type { Session } from '../../core/contracts/dashboard/session.ts';
import { entryAt, manualPageOf, menuFor, placeOf, sidebarAt, tabsAt } from './navigation.ts';

const sessionWith = (permissions: Permission[]): Session => ({
  operator: { id: 1, name: 'Noor', role: 'admin' },
  permissions,
  company: {
    id: 1,
    name: 'Harbour Registry',
    features: { registration: true, blacklists: true },
    storageConfigured: true,
    signatureSpecimens: false,
  },
});
const everything = menuFor(sessionWith(Object.keys(PERMISSIONS) as Permission[]));
const screens = everything.flatMap((entry) => entry.screens);
const wordsAt = (address: string) => sidebarAt(everything, address).map(({ word }) => word);
const tabs = (address: string) => tabsAt(everything, address).map(({ path }) => path);

test('every address of a screen has its place in the menu and among its tabs', () => {
  for (const { path, word } of screens) {
    assert.equal(placeOf(path)?.word, word);
    const entry = entryAt(everything, path);
    assert.ok(entry !== undefined && wordsAt(path).includes(entry.word), `the menu has ${path}`);
    assert.ok(
      tabsAt(everything, path).some((tab) => tab.word === word),
      path,
    );
  }
  assert.equal(placeOf('/settings/operators/7')?.word, 'operators');
  assert.equal(placeOf('/enrol/uploads/9')?.word, 'runs');
  assert.equal(placeOf('/no-such-screen'), undefined);
  assert.deepEqual(tabs('/no-such-screen'), []);
});

test('the menu has nine entries, and those of Settings only while it is open', () => {
  assert.deepEqual(wordsAt('/review'), [
    'overview',
    'verifying',
    'enrol',
    'search',
    'persons',
    'blacklists',
    'comparing',
    'audit',
    'settings',
  ]);
  for (const address of ['/settings/limits', '/trust-flows/3', '/system', '/signatures/calibration'])
    assert.equal(wordsAt(address).length, 16, address);
});

test('screens of one entry are tabs of each other', () => {
  assert.deepEqual(tabs('/review/7'), ['/verify', '/review', '/validations']);
  assert.deepEqual(tabs('/duplicates'), ['/persons', '/duplicates']);
  // The comparisons of faces and of signatures share a tab.
  const comparing = [
    '/compare',
    '/signatures',
    '/signatures/known',
    '/examinations',
    '/case-folders',
    '/compare/history',
  ];
  assert.deepEqual(tabs('/signatures/history/4'), comparing);
});

test('an entry opens the first screen that the role has', () => {
  const menu = menuFor(sessionWith(['validations:read', 'signatures:read']));
  const first = menu.map(({ word, screens: open }) => [word, ...open.slice(0, 1).map(({ path }) => path)]);
  assert.deepEqual(first, [
    ['overview', '/'],
    ['verifying', '/validations'],
    ['comparing', '/signatures/history'],
    ['settings', '/settings'],
    ['recognition', '/signatures/calibration'],
  ]);
});

test('a role without any screen of Settings has no Settings entry', () => {
  const words = menuFor(sessionWith(['validations:read'])).map(({ word }) => word);
  assert.deepEqual(words, ['overview', 'verifying']);
});

test('no two screens have the same key', () => {
  const keys = screens.flatMap(({ key }) => key ?? []);
  assert.equal(new Set(keys).size, keys.length);
});

test('help opens the page of the innermost screen', () => {
  assert.equal(manualPageOf('/settings/network'), '/manual/guides/network-access.html');
  assert.equal(manualPageOf('/settings/operators/7'), '/manual/guides/manage-operators.html#operators');
  assert.equal(manualPageOf('/no-such-screen'), '/manual/index.html');
});
