import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  COMPANY_LIMITS,
  LIMIT_TEXTS,
  limitRangeText,
  limitValueText,
  limitWord,
  INSTALLATION_LIMITS,
  type CompanyLimit,
  type Limit,
  type InstallationLimit,
} from '../../core/contracts/limits/limits.ts';
import { companySettings, installationSettings } from '../../core/contracts/settings.ts';

const FILE = join(import.meta.dirname, '..', '..', 'docs', 'settings.md');

function table(limits: Readonly<Record<string, Limit>>): string {
  const rows = Object.entries(limits).map(([path, limit]) => {
    const { affects } = LIMIT_TEXTS[limitWord(path as CompanyLimit | InstallationLimit)];
    return `| \`${path}\` | ${limitValueText(limit, limit.default)} | ${limitRangeText(limit)} | ${affects} |`;
  });
  return ['| Setting | Default | Allowed | Effect |', '|---|---|---|---|', ...rows].join('\n');
}

/** VOUCH_WRITE=1 writes the tables. */
test('the tables of docs/settings.md are those of the catalogue', () => {
  const page = readFileSync(FILE, 'utf8');
  const wanted = [
    ['company', COMPANY_LIMITS],
    ['site', INSTALLATION_LIMITS],
  ] as const;
  let made = page;
  for (const [scope, limits] of wanted)
    made = made.replace(
      new RegExp(`<!-- ${scope} -->\n[^]*?<!-- end -->`),
      () => `<!-- ${scope} -->\n\n${table(limits)}\n\n<!-- end -->`,
    );
  if (process.env.VOUCH_WRITE === '1') writeFileSync(FILE, made);
  else assert.equal(page, made, 'VOUCH_WRITE=1 writes the tables');
});

test('every number of the settings is in the catalogue, except those with a command of their own', () => {
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
