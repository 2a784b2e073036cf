import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamedAuditRow } from '../../../core/contracts/audit.ts';
import { auditLines, partyAddress } from './objects.ts';

const entry = (sequence: number, more: Partial<NamedAuditRow> = {}): NamedAuditRow => ({
  sequence,
  at: '2026-03-02T06:00:00.000Z',
  actor: 'operator:1',
  action: 'image.read',
  object: `face:${sequence}`,
  outcome: 'done',
  details: {},
  actorName: null,
  objectName: null,
  objectBlacklist: null,
  ...more,
});

test('consecutive views of one actor are one line, and nothing else is joined', () => {
  const rows = [
    entry(9),
    entry(8),
    entry(7, { actor: 'operator:2' }),
    entry(6),
    entry(5, { action: 'validation.viewed' }),
    entry(4, { action: 'validation.decided' }),
    entry(3, { action: 'validation.decided' }),
  ];
  assert.deepEqual(
    auditLines(rows).map(({ entries }) => entries.map(({ sequence }) => sequence)),
    [[9, 8], [7], [6], [5], [4], [3]],
  );
});

test('a line joins at most 100 views, so that a list of views can be filled', () => {
  const lines = auditLines(Array.from({ length: 250 }, (_, n) => entry(1_000 - n)));
  assert.deepEqual(
    lines.map(({ entries }) => entries.length),
    [100, 100, 50],
  );
});

test('an object leads to its screen; one that no screen shows leads nowhere', () => {
  assert.equal(partyAddress('validation:12'), '/validations/12');
  assert.equal(partyAddress('face:5', 2), '/company/internal-biometrics/2?face=5');
  for (const party of ['face:5', 'service', 'local-admin', 'pipeline:x', 'validation'])
    assert.equal(partyAddress(party), null, party);
});
