import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { MEASURED_SIGNATURE_BANDS, MEASURED_SIGNATURE_RATES } from '../../core/contracts/signatures.ts';
import { signatureSettings } from '../../core/contracts/settings.ts';

test('the error rates that the signature screen shows are those of docs/signatures.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/signatures.md'), 'utf8');
  const cells = page
    .split('\n')
    .filter((line) => line.startsWith('| CEDAR') || line.startsWith('| across media,'))
    .slice(0, 6)
    .map((line) =>
      line
        .split('|')
        .filter((_, column) => column === 2 || column === 4)
        .map((cell) => Number.parseFloat(cell)),
    );
  const shown = Object.values(MEASURED_SIGNATURE_RATES).flatMap(({ match, possibleMatch }) =>
    (['strangers', 'imitations', 'genuine'] as const).map((key) => [
      Number((match[key] * 100).toFixed(1)),
      Number((possibleMatch[key] * 100).toFixed(1)),
    ]),
  );
  assert.equal(cells.length, 6);
  assert.deepEqual(cells, shown);
  assert.deepEqual(signatureSettings.parse({}), MEASURED_SIGNATURE_BANDS);
});
