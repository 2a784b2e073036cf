/** Erasing a person with proof, on galleries of growing size: `npm run bench -- erasure [sizes]`. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome, type Home } from '../../core/storage/index.ts';
import { openRaw } from '../../core/storage/engine/sqliteFile.ts';
import { openErasureSite, type ErasureSite } from '../../test/support/erasureSite.ts';
import { TEST_ACT } from '../../test/support/act.ts';
import { newCompany } from '../../test/support/site.ts';
import { publish, table } from '../report.ts';
import { keyOf } from '../siteRows.ts';
import { fill } from './fill.ts';
import { trusted, type TrustValidationId } from '../../core/contracts/ids.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

const args = process.argv.slice(2);
const SIZES = (args[0] ?? '1000,10000,100000').split(',').map(Number);
/** Persons that are erased one by one, and at once. */
const SINGLE = 5;
const TOGETHER = 100;

interface Time {
  wall: number;
  cpu: number;
}

async function timed(work: () => Promise<unknown>): Promise<Time> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

/** The peer: what SQLite itself offers to be rid of what was deleted, a copy without it. Nothing is looked for. */
function vacuum(home: Home): Promise<void> {
  const copy = `${home.database}.copy`;
  const database = openRaw(home.database, keyOf(home));
  database.exec(`vacuum into '${copy}'`);
  database.close();
  return rm(copy);
}

async function erase(site: ErasureSite, company: Company, validations: TrustValidationId[]): Promise<void> {
  const choice = { validations, faces: [], photos: [], comparisons: [] };
  const plan = await site.service.plan(company.id, choice);
  const done = await site.service.run(company.id, { choice, code: plan.code, copies: 'keep' }, TEST_ACT);
  if (done.receipt?.receipt.proof?.found !== 0) throw new Error(`Not erased: ${JSON.stringify(done)}`);
}

function median(times: readonly Time[]): Time {
  const middle = (key: keyof Time) => times.map((one) => one[key]).sort((a, b) => a - b)[times.length >> 1]!;
  return { wall: middle('wall'), cpu: middle('cpu') };
}

/** The times of one database size: the peer, one person alone, and one of many at once. */
interface Measured {
  size: number;
  bytes: number;
  peer: Time;
  one: Time;
  each: Time;
}

async function measure(size: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'vouch-bench-'));
  try {
    const empty = await openErasureSite(folder);
    const company = await newCompany(empty.storage, folder);
    const flow = await empty.storage.companies.systemTrustFlow(company.id);
    await empty.close();
    const home = openHome(folder);
    const persons = fill(home, { company: company.id, flow }, size).map(trusted.trustValidation);
    const { size: bytes } = await stat(home.database);
    const peer = median([
      await timed(() => vacuum(home)),
      await timed(() => vacuum(home)),
      await timed(() => vacuum(home)),
    ]);
    const site = await openErasureSite(folder);
    const single: Time[] = [];
    // Spread over all, as they come.
    for (let n = 0; n < SINGLE; n++)
      single.push(await timed(() => erase(site, company, [persons[Math.floor((n * size) / SINGLE) + 7]!])));
    const one = median(single);
    const many = await timed(() => erase(site, company, persons.slice(20, 20 + TOGETHER)));
    await site.close();
    const each = { wall: many.wall / TOGETHER, cpu: many.cpu / TOGETHER };
    return { size, bytes, peer, one, each };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function ms(time: number): string {
  return time.toFixed(time < 10 ? 1 : 0);
}

function row({ size, bytes, peer, one, each }: Measured): (string | number)[] {
  const cells = (time: Time) => [ms(time.wall), ms(time.cpu), (time.cpu / peer.cpu).toFixed(2)];
  return [
    size.toLocaleString('en'),
    (bytes / 2 ** 20).toFixed(0),
    ms(peer.wall),
    ms(peer.cpu),
    ...cells(one),
    ...cells(each),
  ];
}

/** Summarises the rows: growth of the time for one person with the size of the database, and the saving per person when many are erased at once. */
function inWords(all: readonly Measured[]): string[] {
  const [first, last] = [all[0]!, all.at(-1)!];
  const share = (at: Measured) => `${((100 * at.each.cpu) / at.one.cpu).toFixed(1)} %`;
  const together = `Of ${TOGETHER} at once each takes ${all.map((at) => `${share(at)} (${at.size.toLocaleString('en')})`).join(', ')} of the processor time of one alone.`;
  if (all.length < 2) return [together];
  const times = (of: (at: Measured) => number) => (of(last) / of(first)).toFixed(1);
  return [
    `From ${first.size.toLocaleString('en')} to ${last.size.toLocaleString('en')} persons the database grows ${times((at) => at.bytes)} times, erasing one takes ${times((at) => at.one.cpu)} times the processor`,
    `time, each of ${TOGETHER} ${times((at) => at.each.cpu)} times, and the peer ${times((at) => at.peer.cpu)} times. ${together}`,
  ];
}

const measured: Measured[] = [];
for (const size of SIZES) measured.push(await measure(size));
publish({
  name: 'erasure',
  title: 'Erasing a person, with proof',
  args,
  body: [
    'From the plan to the signed receipt: one transaction, the emptied log, every page of the database decrypted and',
    'searched, and the gallery. The peer is `VACUUM INTO` of the same database in the same run: what SQLite itself offers to be',
    'rid of deleted bytes, and it looks for nothing. Milliseconds, of the clock and of the processor; the ratio is that of',
    `processor times. One by one: the median of ${SINGLE}. Of ${TOGETHER} at once, as a rule of retention erases: for each.`,
    '',
    table(
      [
        'persons',
        'MiB',
        ...['VACUUM INTO', 'CPU', 'one', 'CPU', 'to VACUUM', `each of ${TOGETHER}`, 'CPU', 'to VACUUM'],
      ],
      measured.map(row),
    ),
    '',
    ...inWords(measured),
  ].join('\n'),
  peers: ['better-sqlite3-multiple-ciphers'],
});
