import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { PERMISSIONS, type Permission } from '../../../core/contracts/dashboard/permissions.ts';
import { OPERATOR_ROLES } from '../../../core/contracts/dashboard/session.ts';
import { FRESH_PERMISSIONS, mayRole } from '../../../core/domain/identity/roles.ts';

test('docs/access.md shows the table of roles that the code obeys', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/access.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const [head, , ...lines] = rows;
  assert.deepEqual(head?.slice(2), [...OPERATOR_ROLES]);
  const expected = (Object.keys(PERMISSIONS) as Permission[]).map((permission) => [
    `\`${permission}\`${FRESH_PERMISSIONS.has(permission) ? ' ⟳' : ''}`,
    PERMISSIONS[permission],
    ...OPERATOR_ROLES.map((role) => (mayRole(role, permission) ? '✓' : '')),
  ]);
  assert.deepEqual(lines, expected);
});
