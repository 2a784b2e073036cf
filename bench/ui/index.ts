/** The dashboard on a large site, in Chromium: `npm run bench -- ui [validations] [blacklist faces]`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { asLocalAdmin } from '../../core/domain/ports/auditContext.ts';
import { companySettings } from '../../core/contracts/settings.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { buildDashboard, initialBytes } from '../../test/browser/built.ts';
import { findChromium, openBrowser } from '../../test/browser/browser.ts';
import { run, startService } from '../../test/support/serviceProcess.ts';
import { publish, table } from '../report.ts';
import { fill, type Size } from './fill.ts';
import {
  filterTime,
  heapAfterCollection,
  scrollFrames,
  signedInPage,
  timeToFirstRow,
  type Filtered,
  type Frames,
  type Work,
} from './measure.ts';
import { median } from '../statistics.ts';

const args = process.argv.slice(2);
const LARGE: Size = {
  validations: Number(args[0] ?? 100_000),
  blacklistFaces: Number(args[1] ?? 50_000),
};
/**
 * The same on a small site, each filter of which still fills the screen: what is not the fault of the size. With a hundred
 * validations a filter left three rows to draw, and thirty looked like the cost of a hundred thousand.
 */
const SMALL: Size = { validations: 5000, blacklistFaces: 50 };
const PASSPHRASE = 'nobody guesses this bench';
const ROUNDS = 5;
const FRAMES = 240;
/** A navigation every ten seconds for an hour. */
const NAVIGATIONS = 360;

/** Sets a control of React's as a person's typing does. */
const TYPE = `(text) => {
  const field = document.querySelector('.filters input');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}`;
const choose = (status: string) => `document.querySelector('.filters input[value="${status}"]').click()`;
const FILTERS: readonly [name: string, act: string][] = [
  ['status: Review Needed', choose('2')],
  ['status: Rejected', choose('1')],
  ['name: "Haddad 4"', `(${TYPE})('Haddad 4')`],
  ['name of one', `(${TYPE})('Amina Aalto 0')`],
];

/** Clicks the header of a column. */
const header = (name: string) =>
  `[...document.querySelectorAll('.rows-sort')].find((each) => each.textContent === '${name}').click()`;
const SORTS: readonly [name: string, act: string][] = [
  'Name',
  'Status',
  'Best score',
  'Created',
  'Finalised',
].map((name) => [`sort by ${name}`, header(name)]);
/** The actions measured in the list, and whether each is a sort. */
const ACTS = [
  ...FILTERS.map(([name, act]) => ({ name, act, sorts: false })),
  ...SORTS.map(([name, act]) => ({ name, act, sorts: true })),
];

interface Measured {
  firstRow: number;
  scroll: Frames & { work: Work };
  filters: Filtered[];
}

const chromium = findChromium({ complete: true });
if (chromium === undefined)
  throw new Error('No Chromium on this machine: install one, or name it in VOUCH_CHROMIUM.');
await buildDashboard();
const home = await mkdtemp(join(tmpdir(), 'vouch-bench-'));
try {
  await prepare();
  const service = await startService(home, 0, 1);
  const browser = await openBrowser(chromium);
  try {
    const small = await signedInPage(browser, service.address, { operator: 'small', passphrase: PASSPHRASE });
    const beside = await measure(small);
    await small.context().close();
    const page = await signedInPage(browser, service.address, { operator: 'large', passphrase: PASSPHRASE });
    const large = await measure(page);
    const heap = await heapOverAnHour(page);
    report(large, beside, heap);
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  await rm(home, { recursive: true, force: true });
}

async function prepare(): Promise<void> {
  const clock = { now: () => new Date() };
  const storage = await openStorage(openHome(home), clock);
  const made: { name: string; size: Size; ids: { company: number; flow: number; list: number } }[] = [];
  for (const [name, size] of [
    ['small', SMALL],
    ['large', LARGE],
  ] as const) {
    const company = await storage.companies.create(
      { name, settings: companySettings.parse({}) },
      asLocalAdmin(clock),
    );
    const created = await storage.blacklists.create(
      company.id,
      { name: 'Watched', description: null },
      asLocalAdmin(clock),
    );
    const list = created;
    const flow = await storage.companies.systemTrustFlow(company.id);
    made.push({ name, size, ids: { company: company.id, flow, list: list.id } });
  }
  await storage.close();
  const secret = join(home, 'passphrase');
  await writeFile(secret, `${PASSPHRASE}\n`);
  for (const { name, size, ids } of made) {
    await fill(home, ids, size);
    const { code, stderr } = await run(home, [
      ...['operator', 'create', name, '--company', name, '--role', 'admin'],
      ...['--passphrase-file', secret],
    ]);
    if (code !== 0) throw new Error(stderr);
  }
}

async function measure(page: Page): Promise<Measured> {
  const firstRows: number[] = [];
  for (let round = 0; round < ROUNDS; round++) firstRows.push(await timeToFirstRow(page));
  await page.waitForTimeout(500);
  const scroll = await scrollFrames(page, FRAMES);
  const filters: Measured['filters'] = [];
  for (const { act, sorts } of ACTS) {
    const rounds: Filtered[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await filterTime(page, act, sorts));
    filters.push({
      painted: median(rounds.map(({ painted }) => painted)),
      server: median(rounds.map(({ server }) => server)),
      work: median(rounds.map(({ work }) => work)),
    });
  }
  return { firstRow: median(firstRows), scroll, filters };
}

/** Goes from screen to screen by the sidebar, scrolling the long list each time it comes by. */
async function heapOverAnHour(page: Page): Promise<{ before: number; half: number; after: number }> {
  const heaps: number[] = [];
  // By address: a place with others below it shows those while it is open.
  await page.goto('/');
  await page.locator('.sidebar-places a[aria-current=page]').waitFor();
  const places = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.sidebar-places a')].map((link) => link.getAttribute('href'))`,
  );
  const walk = async (navigations: number) => {
    for (let step = 0; step < navigations; step++) {
      const link = page.locator(`.sidebar-places a[href="${places[step % places.length]}"]`);
      await link.click();
      await page.locator('.sidebar-places a[aria-current=page]').and(link).waitFor();
      await page.locator('main h1').waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached', timeout: 60_000 });
      if ((await page.locator('.rows').count()) > 0) await scrollFrames(page, 10);
    }
    heaps.push(await heapAfterCollection(page));
  };
  await walk(places.length * 2);
  await walk(NAVIGATIONS / 2);
  await walk(NAVIGATIONS / 2);
  const [before = 0, half = 0, after = 0] = heaps;
  return { before, half, after };
}

function report(
  large: Measured,
  small: Measured,
  heap: { before: number; half: number; after: number },
): void {
  const ms = (value: number) => value.toFixed(0);
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  const row = (name: string, big: number, little: number) => [
    name,
    ms(big),
    ms(little),
    (big / little).toFixed(2),
  ];
  const frames = (of: Frames) =>
    `p50 ${of.p50.toFixed(1)}, p95 ${of.p95.toFixed(1)}, p99 ${of.p99.toFixed(1)} ms; ${(of.inTime * 100).toFixed(1)} % in time`;
  const perFrame = ({ script, layout, all }: Work) =>
    `${all.toFixed(1)} ms of processor time (script ${script.toFixed(1)}, style and layout ${layout.toFixed(1)})`;
  publish({
    name: 'ui',
    title: 'Dashboard: a large site in the browser',
    args,
    body: [
      `Chromium without a window on the real service; ${LARGE.validations.toLocaleString('en')} validations and a blacklist of`,
      `${LARGE.blacklistFaces.toLocaleString('en')} faces, beside a company with ${SMALL.validations.toLocaleString('en')} and ${SMALL.blacklistFaces} on the same service: the last column is what the size costs.`,
      `Milliseconds, median of ${ROUNDS}. "Painted": from the choice to the frame after its rows; for names this includes the 40 ms that`,
      'the field waits for the next letter. "Server": of that, the answer of the service. "Page": of that, what the main thread of the page did.',
      '',
      table(
        ['', 'large site', 'small site', 'ratio'],
        [
          row('reload to first row', large.firstRow, small.firstRow),
          ...ACTS.flatMap(({ name }, at) => [
            row(`${name}: painted`, large.filters[at]!.painted, small.filters[at]!.painted),
            row(`${name}: server`, large.filters[at]!.server, small.filters[at]!.server),
            row(`${name}: page`, large.filters[at]!.work, small.filters[at]!.work),
          ]),
        ],
      ),
      '',
      `Scrolling by 240 pixels in each of ${FRAMES} frames, pages of 200 rows being fetched meanwhile: ${frames(large.scroll)}.`,
      `Of each frame the main thread of the page took ${perFrame(large.scroll.work)}: what bounds a machine that draws with a graphics`,
      `card, where 16.7 ms make 60 frames a second. Here frames are drawn by the processor, on cores that are shared with the service.`,
      '',
      `Heap after collection: ${mib(heap.before)} MiB at first, ${mib(heap.half)} after ${NAVIGATIONS / 2} and ${mib(heap.after)} after ${NAVIGATIONS} navigations through all screens (one in ten seconds for an hour).`,
      '',
      `Loaded before the first screen, as it is sent: ${(initialBytes() / 1024).toFixed(0)} KiB (limit 280).`,
    ].join('\n'),
  });
}
