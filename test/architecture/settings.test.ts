import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMPANY_LIMITS, INSTALLATION_LIMITS } from '../../core/contracts/limits/limits.ts';
import { companySettings, installationSettings } from '../../core/contracts/settings.ts';

test('every setting with a number is in the catalogue or has its own command', () => {
  const numbers = (settings: object, path = ''): string[] =>
    Object.entries(settings).flatMap(([key, value]: [string, unknown]) =>
      typeof value === 'number'
        ? [path + key]
        : typeof value === 'object' && value !== null
          ? numbers(value, `${path}${key}.`)
          : [],
    );
  // Its rules are confirmed with a preview.
  assert.deepEqual(
    numbers(companySettings.omit({ retention: true }).parse({})).sort(),
    Object.keys(COMPANY_LIMITS).sort(),
  );
  assert.deepEqual(
    [...numbers(installationSettings.parse({})), 'galleryMemoryMiB'].sort(),
    Object.keys(INSTALLATION_LIMITS).sort(),
  );
});
