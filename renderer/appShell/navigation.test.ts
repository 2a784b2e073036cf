import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERMISSIONS, type Permission } from '../../core/contracts/dashboard/permissions.ts';
import type { Session } from '../../core/contracts/dashboard/session.ts';
import { manualPageOf, navigationFor, placeOf, sidebarAt } from './navigation.ts';

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
const everything = navigationFor(sessionWith(Object.keys(PERMISSIONS) as Permission[]));
const wordsAt = (address: string) => sidebarAt(everything, address).map(({ word }) => word);

test('every address of a screen has its place in the sidebar', () => {
  for (const { path, word } of everything) {
    assert.equal(placeOf(path)?.word, word);
    assert.ok(wordsAt(path).includes(word), `the sidebar shows ${path} while it is open`);
  }
  assert.equal(placeOf('/settings/operators/7')?.word, 'operators');
  assert.equal(placeOf('/enrol/uploads/9')?.word, 'enrol');
  assert.equal(placeOf('/no-such-screen'), undefined);
});

test('the sidebar shows the screens of a group only while the address is in the group', () => {
  assert.ok(!wordsAt('/review').includes('pipelines'));
  assert.ok(!wordsAt('/review').includes('exchange'));
  assert.ok(wordsAt('/review').includes('persons'), 'persons are daily work, and belong to no group');
  assert.ok(wordsAt('/settings/limits').includes('pipelines'));
  assert.ok(wordsAt('/company/internal-biometrics/12').includes('exchange'));
  assert.ok(wordsAt('/erasures').includes('audit'));
});

test('a role without any screen of Settings has no Settings entry', () => {
  const words = navigationFor(sessionWith(['validations:read'])).map(({ word }) => word);
  assert.deepEqual(words, ['overview', 'validations']);
});

test('no two screens have the same key', () => {
  const keys = everything.flatMap(({ key }) => key ?? []);
  assert.equal(new Set(keys).size, keys.length);
});

test('help opens the page of the innermost screen', () => {
  assert.equal(manualPageOf('/settings/network'), '/manual/guides/network-access.html');
  assert.equal(manualPageOf('/settings/operators/7'), '/manual/guides/manage-operators.html#operators');
  assert.equal(manualPageOf('/no-such-screen'), '/manual/index.html');
});
