/** Measures the time that the indexes for sorting validations add to one enrolment: `npm run bench -- validationIndexes [validations]`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { companySettings } from '../core/contracts/settings.ts';
import { asLocalAdmin } from '../core/domain/ports/auditContext.ts';
import { openRaw } from '../core/storage/engine/sqliteFile.ts';
import { openHome, type Home } from '../core/storage/engine/home.ts';
import { openStorage } from '../core/storage/index.ts';
import { publish, table } from './report.ts';
import { keyOf, writeSite } from './siteRows.ts';

const STANDING = Number(process.argv[2] ?? 100_000);
const PAIRS = 15;
const PER_BLOCK = 1_000;
/** Those by which the list of validations is sorted. */
const INDEXES = ['trust_validation_by_end', 'trust_validation_by_name', 'trust_validation_by_score'];

const work = mkdtempSync(join(tmpdir(), 'vouch-indexes-'));
try {
  const withIndexes = await prepare('with');
  const without = await prepare('without');
  const database = openRaw(without.home.database, keyOf(without.home));
  for (const name of INDEXES) database.exec(`drop index ${name}`);
  database.close();
  const pairs = Array.from({ length: PAIRS }, (_, pair) => {
    const first = pair % 2 === 0 ? withIndexes : without;
    const second = pair % 2 === 0 ? without : withIndexes;
    const [one, other] = [add(first, PER_BLOCK), add(second, PER_BLOCK)];
    return pair % 2 === 0 ? { with: one, without: other } : { with: other, without: one };
  });
  report(pairs);
} finally {
  rmSync(work, { recursive: true, force: true });
}

interface Site {
  home: Home;
  company: number;
  flow: number;
  count: number;
}

/** A home with validations of one company. */
async function prepare(name: string): Promise<Site> {
  const home = openHome(join(work, name));
  const clock = { now: () => new Date() };
  const storage = await openStorage(home, clock);
  const company = await storage.companies.create(
    { name, settings: companySettings.parse({}) },
    asLocalAdmin(clock),
  );
  const flow = await storage.companies.systemTrustFlow(company.id);
  await storage.close();
  const site = { home, company: company.id, flow, count: 0 };
  add(site, STANDING);
  return site;
}

/** Adds validations in one transaction. @returns microseconds of one */
function add(site: Site, number: number): number {
  const start = performance.now();
  writeSite(site.home, site.company, (rows) => {
    for (let n = 0; n < number; n += 1) {
      site.count += 1;
      // Names in no order, as a folder of people has them.
      const name = `person ${(site.count * 7919) % 1_000_003}`;
      const at = 1_700_000_000_000 + site.count;
      rows.addValidation({ flow: site.flow, status: 0, name, at, duplicate: false, blacklisted: false });
    }
  });
  return ((performance.now() - start) * 1000) / number;
}

function report(pairs: readonly { with: number; without: number }[]): void {
  const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  const [indexed, bare] = [middle(pairs.map((pair) => pair.with)), middle(pairs.map((pair) => pair.without))];
  const added = middle(pairs.map((pair) => pair.with - pair.without));
  publish({
    name: 'validationIndexes',
    title: 'Validations: what the sort indexes add to an enrolment',
    args: process.argv.slice(2),
    body: [
      `Blocks of ${PER_BLOCK.toLocaleString('en')} validations are added in turn to two homes with ${STANDING.toLocaleString('en')} validations each, of which one has no index for`,
      `sorting by name, score and end. Microseconds per validation, median of ${PAIRS} pairs. Recognition of a photo takes about a thousand times as long.`,
      '',
      table(
        ['', 'µs'],
        [
          ['with the three indexes', indexed.toFixed(0)],
          ['without', bare.toFixed(0)],
          ['added (median of the differences)', added.toFixed(0)],
        ],
      ),
    ].join('\n'),
  });
}
