/**
 * Every screen of the dashboard and the states that it comes to after an action, on the mock API server. The steps name
 * roles, addresses, icons and keys, never words, so that they reach a state in each language.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { choose, eventually } from './browser.ts';
import { drawPhoto } from './drawnFaces.ts';
import { drawnSignature } from './drawnSignatures.ts';
import { RECEIPT } from './fixtureErasure.ts';
import { personName, rowOf, SESSION } from './fixtures.ts';
import { drawnGroup } from './fixtureSearch.ts';
import type { MockBehaviour } from './mockApiServer.ts';

/** How a state is shown: joined by `-`, it ends the name of the picture; `light` has no ending. */
export type Look =
  | 'light'
  | `${'small-' | ''}${'dark-' | ''}arabic`
  | `${'small-' | ''}dark`
  | 'small'
  | 'wide';

/** Answers the first pair of a practice. */
async function practise(page: Page): Promise<void> {
  await iconButton(page, 'player-play').click();
  await answerPractice(page);
}

/** Says of the pair on screen that it shows one person, when both photos are on screen. */
async function answerPractice(page: Page): Promise<void> {
  const solution = page.locator('.sample [role=status].card');
  await eventually(async () => {
    await page.keyboard.press('s');
    await solution.waitFor({ timeout: 500 });
  });
}

/** Answers all pairs of a practice from the second one on. */
async function practiseOn(page: Page): Promise<void> {
  const pairs = page.locator('.sample');
  for (;;) {
    await page.keyboard.press('n');
    await page.locator('.sample [role=status].card').waitFor({ state: 'detached' });
    if ((await pairs.count()) === 0) return;
    await answerPractice(page);
  }
}

export interface ScreenState {
  name: string;
  path: string;
  behaviour?: Partial<MockBehaviour>;
  /** The steps of an operator on the screen that lead to the state. */
  reach?: (page: Page) => Promise<unknown>;
  /** The program or the browser keeps the state when the operator leaves the screen. */
  stays?: boolean;
  /** The looks in which its picture is taken. */
  pictures?: readonly Look[];
}

/** The file name of a picture. @param look joined words of {@link Look} */
export const pictureFile = ({ name }: ScreenState, look: string) =>
  `${look === 'light' ? name : `${name}-${look}`}.png`;

const pngOf = (svg: string) => sharp(Buffer.from(svg)).png().toBuffer();
const photoFile = async (name: string, svg: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await pngOf(svg),
});
const portrait = await photoFile('probe.png', drawPhoto(21, 2).svg);
const group = await photoFile('probe.png', drawnGroup());
const signatures = await Promise.all(
  [0, 1, 1.5, 2, 3, 2.5].map((variation, n) =>
    photoFile(`signature-${n + 1}.png`, drawnSignature(variation)),
  ),
);
const photos = await Promise.all(
  Array.from({ length: 44 }, async (_, person) => ({
    name: `photo-${String(person + 1).padStart(3, '0')}.jpg`,
    mimeType: 'image/jpeg',
    buffer: await sharp(Buffer.from(drawPhoto(person).svg))
      .resize(240)
      .jpeg()
      .toBuffer(),
  })),
);

/** The button with this icon. */
const iconButton = (page: Page, icon: string) => page.locator(`button:has(.tabler-icon-${icon}):visible`);
const dialog = (page: Page) => page.locator('dialog[open]').last();
const openByIcon = async (page: Page, icon: string) => {
  await iconButton(page, icon).first().click();
  await dialog(page).waitFor();
};

const search = async (page: Page) => {
  await page.setInputFiles('input[type=file]', portrait);
  await page.locator('.found-report, .page-title').first().waitFor();
};
const searchFound = async (page: Page) => {
  await page.setInputFiles('input[type=file]', portrait);
  await page.locator('.found-report').waitFor();
};
const searchToAdd = async (page: Page) => {
  await searchFound(page);
  await iconButton(page, 'user-plus').click();
  await dialog(page).locator('.addition-photo img').waitFor();
};
/** The field of a side goes once it has its image, so the next one is always the first that is left. */
const comparePhotos = async (page: Page) => {
  for (const side of [0, 1]) {
    await page.locator('input[type=file]').first().setInputFiles(portrait);
    await page.locator('.photo-field img').nth(side).waitFor();
  }
  await page.locator('main form button[type=submit]').click();
  await page.locator('.face-result-side, .face-choice').first().waitFor();
};
const measureLine = async (page: Page) => {
  await page.locator('.compare-panes .pane-window img').first().waitFor();
  await page.keyboard.press('m');
  const face = page.locator('.measure-field').first();
  await face.click({ position: { x: 60, y: 80 } });
  await face.click({ position: { x: 120, y: 80 } });
};
const moveFace = async (page: Page) => {
  await page.locator('.face-cell').nth(1).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await openByIcon(page, 'arrow-move-right');
};
const live = async (page: Page) => {
  await page.context().grantPermissions(['camera']);
  await page.locator('.drop-ways button').nth(1).click();
  await page.locator('.camera-check-good').first().waitFor();
};
const verify = async (page: Page) => {
  await page.setInputFiles('input[type=file]', portrait);
  await page.locator('.verify-form input:not([type=file])').first().fill('Ahmed Haddad');
  await page.locator('.verify-form button[type=submit]').click();
  await page.locator('.verify-outcome h2').first().waitFor();
};
const compare = async (page: Page) => {
  await page.locator('.page-body button.mantine-Button-root[data-size=md]').click();
  await page.locator('.signature-result').waitFor();
};
const sign = async (page: Page) => {
  for (const side of [0, 1]) {
    const field = page.locator('.page-body input[type=file]').first();
    await field.setInputFiles(signatures[side] ?? []);
    await page.locator('.side-image img').nth(side).waitFor();
  }
  await compare(page);
};
const signKnown = async (page: Page) => {
  const [questioned, ...known] = signatures;
  await page
    .locator('.specimens input[type=file]')
    .first()
    .setInputFiles(questioned ?? []);
  await page.locator('.known-drop input[type=file]').setInputFiles(known);
  await page.locator('.strip .specimen').nth(4).waitFor();
};
/** Shows the ink of both signatures, aligned: the last of the views. */
const overlay = (page: Page) => page.locator('.signature-main input[type=radio]').last().press('Space');

const plan = async (page: Page) => {
  await page.setInputFiles('input[type=file] >> nth=0', [
    ...photos,
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') },
  ]);
  await iconButton(page, 'player-play').waitFor();
};
/** The persons of the operator's own files. */
export const CHOSEN_NAMES = ['Ada Brandt', 'Jonas Weil', 'Maren Holt'] as const;
const [ada, jonas, maren] = CHOSEN_NAMES;
/** The plan with a table of persons, two rows of which name none. */
const planPersons = async (page: Page) => {
  await plan(page);
  await page.locator('.plan-persons select').selectOption('file');
  const rows = [
    'file,name,external id',
    `${photos[0]?.name ?? ''},${ada},E-1042`,
    `${photos[1]?.name ?? ''},${ada},E-1042`,
    `gone.jpg,${jonas},E-1043`,
    `${photos[1]?.name ?? ''},${maren},E-1044`,
  ];
  await page.setInputFiles('.plan-persons input[type=file]', {
    name: 'persons.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rows.join('\r\n')),
  });
  await page.locator('.plan-person-summary summary').click();
};
const enrol = async (page: Page) => {
  await plan(page);
  await iconButton(page, 'player-play').click();
  await page.locator('.run-counts').waitFor();
  await iconButton(page, 'download').first().waitFor();
};
/** Stores the beginning of an upload whose window was closed. */
export const UNFINISHED = `localStorage.setItem('vouch-unfinished-run', JSON.stringify({ run: '0d1f5a3e-6c0b-4c57-9d0a-5f0f5e3f2a11', companyId: ${SESSION.company.id}, blacklistId: null, listing: null, severalFaces: 'refuse', personSource: 'none', startedAt: Date.parse('2026-03-02T07:12:00Z'), total: 20480, sent: 7650, list: '' }))`;

/** The folder of the failed photos, once for this process. */
let failedFolder: string | undefined;
const failedPhotos = async (page: Page) => {
  if (failedFolder === undefined) {
    const root = mkdtempSync(join(tmpdir(), 'vouch-failed-'));
    process.once('exit', () => rmSync(root, { recursive: true }));
    failedFolder = join(root, 'gate');
    mkdirSync(failedFolder);
    const photo = await sharp(Buffer.from(drawnGroup())).resize(300, 200, { fit: 'fill' }).png().toBuffer();
    for (const name of ['group-4.png', 'group-3.png', 'sideways-2.png'])
      writeFileSync(join(failedFolder, name), photo);
  }
  await page.locator('.rows-row').first().waitFor();
  await page.setInputFiles('input[type=file]', failedFolder);
  await page.locator('.rows-row img').first().waitFor();
};
const correct = async (page: Page) => {
  await failedPhotos(page);
  await page.getByText('group-4.png').first().click();
  await page.locator('.fix-photo').waitFor();
  await page.keyboard.press('2');
};

const planErasure = async (page: Page) => {
  await openByIcon(page, 'eraser');
  await dialog(page).locator('.erasure-record').first().waitFor();
};
const ERASED = 239_960;
const erase = async (page: Page) => {
  await planErasure(page);
  await dialog(page).locator('input[type=text], input:not([type])').last().fill(personName(ERASED));
  await dialog(page).locator('button[type=submit]').click();
  await dialog(page).locator('.erasure-record').first().waitFor({ state: 'detached' });
};
/** A case whose person is cleared only after a confirmation. */
const BARRED = Array.from({ length: 3000 }, (_, index) => rowOf(index)).find(
  ({ status, blacklistDetected }) => status === 2 && blacklistDetected,
);

const menu = async (page: Page, icon: string) => {
  await iconButton(page, icon).first().click();
  await page.locator('[role=menu]').waitFor();
};
const alerts = async (page: Page) => {
  await menu(page, 'user-circle');
  await page.locator('[role=menuitem]:has(.tabler-icon-bell)').click();
  await dialog(page).waitFor();
};
const manual = async (page: Page) => {
  await page.locator('header.top').locator('button:has(.tabler-icon-help)').click();
  await page.frameLocator('iframe.manual').locator('h1').waitFor();
};
const palette = async (page: Page) => {
  await page.keyboard.press('Control+k');
  await page.locator('input.mantine-Spotlight-search').fill('haddad');
  await page.locator('.mantine-Spotlight-action img').first().waitFor();
};
/** A package that was handed in waits at the service: later visits find it there. */
const handIn = async (page: Page) => {
  await page.locator('.package-drop, .panel dl').first().waitFor();
  const drop = page.locator('.package-drop input[type=file]');
  if ((await drop.count()) === 0) return;
  await drop.setInputFiles({
    name: 'ferry-thieves.vouchlist',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('age-encryption.org/v1'),
  });
  await page.locator('.panel dl').first().waitFor();
};
const markPairs = async (page: Page) => {
  await page.locator('.pair-marks').first().waitFor();
  for (const key of ['r', 'r', 'v']) await page.keyboard.press(key);
  await page.locator('.pair-reject').nth(1).waitFor();
};
const select = async (page: Page) => {
  await page.locator('.rows-row').nth(3).waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
};
const merge = async (page: Page) => {
  await openByIcon(page, 'arrows-join-2');
  await dialog(page).locator('button:has(img)').nth(1).click();
  await dialog(page).locator('.merge-sides').waitFor();
};

const plain = (name: string, path: string, pictures?: readonly Look[]): ScreenState => ({
  ...{ name, path },
  ...(pictures === undefined ? {} : { pictures }),
});

/** Two neighbours without steps are never of one screen (`goWithin`). */
export const SCREEN_STATES: readonly ScreenState[] = [
  plain('overview-idle', '/'),
  plain('runs', '/enrol/uploads'),
  plain('failures', '/enrol/failures'),
  plain('verify', '/verify?flow=7', ['light']),
  plain('compare', '/compare', ['light']),
  plain('flow-draft', '/trust-flows/8', ['light', 'arabic']),
  plain('signatures', '/signatures', ['light']),
  plain('validations', '/validations', ['light', 'dark', 'arabic']),
  plain('signature-comparisons', '/signatures/history'),
  plain('flows', '/trust-flows', ['light']),
  plain('signature-history', '/signatures/history/6', ['light']),
  plain('review', '/review', ['light', 'dark']),
  plain('signature-calibration', '/signatures/calibration', ['light']),
  plain('review-pairs', '/review/pairs?band=strong', ['light', 'small-dark-arabic']),
  plain('validation', '/validations/239991', ['light', 'small-dark']),
  plain('enrol-idle', '/enrol'),
  plain('search-idle', '/search'),
  plain('duplicates', '/duplicates', ['light']),
  plain('persons-list', '/persons'),
  plain('duplicates-group', '/duplicates/302', ['light', 'small-dark-arabic']),
  plain('persons', '/persons/21', ['light', 'dark-arabic', 'small-dark']),
  plain('duplicates-sample', '/duplicates/sample'),
  plain('search-history', '/search/history', ['light']),
  plain('examinations', '/examinations', ['light']),
  plain('practice', '/examinations/practice', ['light', 'small-dark-arabic']),
  plain('examination-analysis', '/examinations/1', ['light', 'arabic']),
  plain('case-folders', '/case-folders', ['light']),
  plain('examination-comparison', '/examinations/2', ['light', 'arabic', 'small-dark-arabic']),
  plain('examination-unfinished', '/examinations/5'),
  plain('case-folder', '/case-folders/1', ['light', 'arabic', 'dark-arabic', 'small-dark-arabic']),
  plain('examination-verification', '/examinations/3', ['light', 'arabic']),
  plain('case-folder-broken', '/case-folders/2', ['light']),
  plain('examination-settlement', '/examinations/4', ['light', 'arabic']),
  plain('compare-record', '/compare/history/4'),
  plain('examination-settlement-third', '/examinations/8', ['light', 'dark-arabic']),
  plain('examination-signatures', '/examinations/6', ['light', 'small-dark-arabic']),
  plain('examination-signatures-settlement', '/examinations/7', ['light', 'dark-arabic']),
  plain('duplicates-awaiting', '/duplicates/303'),
  plain('signatures-known-idle', '/signatures/known'),
  plain('blacklists', '/company/internal-biometrics', ['light']),
  plain('audit', '/audit', ['light']),
  plain('blacklist-faces', '/company/internal-biometrics/11', ['light', 'dark']),
  plain('exchange', '/exchange/imports/2', ['light']),
  plain('flow-new', '/trust-flows/new'),
  plain('blacklist-new', '/company/internal-biometrics/new'),
  plain('api-access-key', '/settings/api-access/key-2'),
  plain('operators', '/settings/operators/1', ['light']),
  plain('api-access', '/settings/api-access/token-7', ['light']),
  plain('operators-roles', '/settings/operators/roles', ['arabic']),
  plain('api-access-list', '/settings/api-access'),
  plain('operators-recovery', '/settings/operators/recovery-code'),
  plain('api-access-new', '/settings/api-access/new', ['dark']),
  plain('limits', '/settings/limits', ['light', 'small-dark-arabic']),
  plain('company', '/settings/company', ['light']),
  plain('retention', '/settings/retention', ['light']),
  plain('backup', '/settings/backup', ['light']),
  plain('network', '/settings/network', ['light']),
  {
    name: 'network-failing',
    path: '/settings/network',
    behaviour: { network: 'failing' },
  },
  plain('system-idle', '/system'),
  plain('audit-entry', '/audit/47990'),
  plain('pipelines-idle', '/settings/pipelines', ['small-arabic']),
  plain('exchange-installations', '/exchange/installations/own', ['dark']),
  plain('calibration', '/settings/calibration', ['light', 'small-arabic']),
  plain('erasures', `/erasures/${RECEIPT}`, ['light']),
  plain('uploads', '/enrol/uploads/6f4d7a52-1f0e-4c7c-9d9e-0a2b8f1c3d55', ['light']),
  plain('compare-history', '/compare/history/2', ['light', 'small-dark-arabic']),
  plain('duplicates-find', '/duplicates/find', ['light']),
  plain('blacklist-face', '/company/internal-biometrics/11?face=5002', ['light']),
  plain('exchange-new-installation', '/exchange/installations/new', ['small-arabic']),
  plain('flow', '/trust-flows/7', ['small-dark']),
  plain('erasures-list', '/erasures', ['small-dark']),
  plain('review-overlay', '/review', ['wide']),

  {
    name: 'blacklist-face-portrait',
    path: '/company/internal-biometrics/11?face=5002',
    reach: async (page) => {
      await page.locator('.face-detail button:has(.tabler-icon-ruler-measure)').click();
      await page.locator('.face-detail table tbody tr').nth(18).waitFor();
    },
  },
  { name: 'palette', path: '/validations', reach: palette, pictures: ['light'] },
  {
    name: 'validations-preview',
    path: '/validations',
    reach: async (page) => {
      await page.locator('.rows-row .face-thumbnail').nth(2).hover();
      await page.locator('.hover-preview').waitFor();
    },
    pictures: ['dark'],
  },
  { name: 'validations-selected', path: '/validations?status=2', reach: select },
  { name: 'validations-views', path: '/validations', reach: (page) => menu(page, 'bookmark') },
  {
    name: 'validations-decide',
    path: '/validations?status=2',
    reach: async (page) => {
      await select(page);
      await page.locator('.bulk-bar button').first().click();
      await dialog(page).waitFor();
    },
  },
  { name: 'review-measured', path: '/review', reach: measureLine, pictures: ['light', 'small-dark-arabic'] },
  {
    name: 'review-clear',
    path: `/review/${BARRED?.id ?? 0}`,
    reach: async (page) => {
      await page.locator('.compare-panes .pane-window img').nth(1).waitFor();
      await page.keyboard.press('v');
      await dialog(page).waitFor();
    },
  },
  { name: 'review-pairs-marked', path: '/review/pairs?band=strong', reach: markPairs },
  { name: 'keys', path: '/review', reach: (page) => page.keyboard.press('?'), pictures: ['light'] },
  { name: 'account', path: '/settings/limits', reach: (page) => menu(page, 'user-circle') },
  { name: 'alerts', path: '/signatures', reach: alerts, pictures: ['light'] },
  {
    name: 'manual',
    path: '/settings/calibration',
    reach: manual,
    stays: true,
    pictures: ['light', 'small-dark-arabic'],
  },
  {
    name: 'search',
    path: '/search',
    behaviour: { candidates: 'group' },
    reach: async (page) => {
      await page.setInputFiles('input[type=file]', group);
      await page.locator('.found-report').waitFor();
    },
    pictures: ['light', 'arabic'],
  },
  {
    name: 'examination-replace',
    path: '/examinations/5',
    reach: async (page) => {
      await page.locator('.examination-side button').first().click();
      await dialog(page).waitFor();
    },
    pictures: ['light'],
  },
  {
    name: 'practice-answered',
    path: '/examinations/practice',
    reach: practise,
    pictures: ['light', 'dark-arabic'],
  },
  {
    name: 'practice-result',
    path: '/examinations/practice',
    reach: async (page) => {
      await practise(page);
      await practiseOn(page);
    },
    pictures: ['light', 'small-dark-arabic'],
  },
  {
    name: 'case-folder-removal',
    path: '/case-folders/1',
    reach: async (page) => {
      await page.locator('.case-folder tbody button').first().click();
      await dialog(page).waitFor();
    },
  },
  {
    name: 'search-examine',
    path: '/search',
    reach: async (page) => {
      await searchFound(page);
      await page.keyboard.press('c');
      await page.locator('.compare-facts').first().waitFor();
      await openByIcon(page, 'microscope');
    },
    pictures: ['light'],
  },
  {
    name: 'search-side-by-side',
    path: '/search',
    reach: async (page) => {
      await searchFound(page);
      await page.keyboard.press('c');
      await page.locator('.compare-facts').first().waitFor();
    },
    pictures: ['light'],
  },
  {
    name: 'search-per-search',
    path: '/search?per=search&oneIn=1000',
    reach: searchFound,
    pictures: ['light', 'small-dark-arabic'],
  },
  {
    name: 'search-below',
    path: '/search?oneIn=1000&below=true',
    reach: searchFound,
    pictures: ['small-dark'],
  },
  {
    name: 'search-no-match',
    path: '/search',
    behaviour: { candidates: 'none' },
    reach: searchFound,
    pictures: ['dark'],
  },
  {
    name: 'search-no-face',
    path: '/search',
    behaviour: { candidates: 'refused' },
    reach: search,
    pictures: ['light'],
  },
  { name: 'search-add', path: '/search', reach: searchToAdd, pictures: ['light'] },
  {
    name: 'search-add-refused',
    path: '/search',
    behaviour: { addition: 'refused' },
    reach: async (page) => {
      await searchToAdd(page);
      await choose(dialog(page).getByRole('combobox').first(), 'Document fraud');
      await dialog(page).getByRole('textbox').first().fill('فلان');
      await dialog(page).locator('button[type=submit]').click();
      await dialog(page).locator('[role=alert]').waitFor();
    },
    pictures: ['arabic'],
  },
  {
    name: 'verify-camera',
    path: '/verify?flow=7',
    behaviour: { frame: ['FACE_TOO_SMALL', 'TOO_DARK'] },
    reach: live,
    pictures: ['light', 'arabic'],
  },
  { name: 'verify-camera-good', path: '/verify?flow=7', reach: live, pictures: ['small-dark'] },
  { name: 'verify-result', path: '/verify?flow=7', reach: verify, pictures: ['light'] },
  {
    name: 'verify-clear',
    path: '/verify?flow=7',
    behaviour: { candidates: 'none' },
    reach: verify,
    pictures: ['small-dark'],
  },
  {
    name: 'verify-refused',
    path: '/verify?flow=7',
    behaviour: { candidates: 'refused' },
    reach: verify,
    pictures: ['arabic'],
  },
  {
    name: 'blacklist-move',
    path: '/company/internal-biometrics/11',
    reach: moveFace,
    pictures: ['light', 'small-dark-arabic'],
  },
  {
    name: 'blacklist-delete',
    path: '/company/internal-biometrics/11',
    reach: (page) => openByIcon(page, 'trash'),
  },
  { name: 'failed-photos', path: '/enrol/failures?state=open', reach: failedPhotos, stays: true },
  { name: 'failed-photo', path: '/enrol/failures?state=open', reach: correct, stays: true },
  {
    name: 'failed-photos-main-faces',
    path: '/enrol/failures?state=open',
    reach: async (page) => {
      await failedPhotos(page);
      await page.locator('.page-action button:has(.tabler-icon-folder-open) ~ button').first().click();
      await dialog(page).locator('img').first().waitFor();
    },
    stays: true,
  },
  {
    name: 'failed-photos-selected',
    path: '/enrol/failures?state=open',
    reach: async (page) => {
      await page.locator('.rows-row').first().waitFor();
      await page.keyboard.press('Control+a');
    },
  },
  {
    name: 'duplicates-sampled',
    path: '/duplicates/sample',
    reach: async (page) => {
      await iconButton(page, 'player-play').click();
      await page.locator('.sample-faces img').first().waitFor();
    },
  },
  { name: 'persons-merge', path: '/persons/21', reach: merge },
  { name: 'erase-plan', path: `/validations/${ERASED}?tab=summary`, reach: planErasure },
  { name: 'erase-done', path: `/validations/${ERASED}?tab=summary`, reach: erase },
  { name: 'exchange-plan', path: '/exchange/import', reach: handIn, pictures: ['light', 'small-dark'] },
  { name: 'compare-result', path: '/compare', reach: comparePhotos, pictures: ['light'] },
  {
    name: 'compare-choose',
    path: '/compare',
    behaviour: { faces: 'several' },
    reach: comparePhotos,
    pictures: ['small-dark-arabic'],
  },
  { name: 'signatures-compared', path: '/signatures', reach: sign, pictures: ['light'] },
  {
    name: 'signatures-aligned',
    path: '/signatures',
    behaviour: { verdict: 'MATCH' },
    reach: async (page) => {
      await sign(page);
      await overlay(page);
    },
    pictures: ['dark'],
  },
  {
    name: 'signatures-unusable',
    path: '/signatures',
    behaviour: { verdict: 'INCONCLUSIVE' },
    reach: sign,
    pictures: ['small'],
  },
  { name: 'signatures-known', path: '/signatures/known', reach: signKnown, pictures: ['light'] },
  {
    name: 'signatures-known-compared',
    path: '/signatures/known',
    reach: async (page) => {
      await signKnown(page);
      await compare(page);
    },
    pictures: ['light', 'small-dark-arabic'],
  },
  {
    name: 'credential-revoke',
    path: '/settings/api-access/token-7',
    reach: (page) => openByIcon(page, 'ban'),
  },
  {
    name: 'pipeline-choose',
    path: '/settings/pipelines',
    reach: async (page) => {
      await page.locator('.pipeline-act button').first().click();
      await dialog(page).waitFor();
    },
  },
  {
    name: 'audit-filter',
    path: '/audit',
    reach: async (page) => {
      await page.locator('input[aria-haspopup=listbox]').first().click();
      await page.locator('[role=option]').first().waitFor();
    },
  },
  {
    name: 'audit-damaged',
    path: '/audit',
    behaviour: { whole: false },
    reach: async (page) => {
      await iconButton(page, 'shield-check').click();
      await page.locator('.proof-verdict > *').first().waitFor();
    },
    pictures: ['small-dark'],
  },
  { name: 'enrol-plan', path: '/enrol', reach: plan, stays: true, pictures: ['light'] },
  {
    ...{ name: 'enrol-persons', path: '/enrol', reach: planPersons, stays: true },
    pictures: ['light', 'small-dark-arabic'],
  },
  { name: 'enrol-done', path: '/enrol', reach: enrol, stays: true, pictures: ['dark'] },
  {
    name: 'enrol-unfinished',
    path: '/enrol',
    reach: async (page) => {
      await page.evaluate(UNFINISHED);
      await page.reload();
    },
    stays: true,
    pictures: ['light'],
  },

  { name: 'overview', path: '/', behaviour: { waiting: 212 }, pictures: ['light'] },
  { name: 'overview-paused', path: '/', behaviour: { paused: true }, pictures: ['small-arabic'] },
  { name: 'system', path: '/system', behaviour: { waiting: 320 }, pictures: ['light'] },
  {
    name: 'system-services',
    path: '/system',
    behaviour: { waiting: 320, services: true },
    pictures: ['light', 'small-dark-arabic'],
  },
  {
    name: 'system-failing',
    path: '/system',
    behaviour: { waiting: 320, health: 'bad' },
    pictures: ['dark'],
  },
  {
    name: 'pipelines',
    path: '/settings/pipelines',
    behaviour: { change: 'extracting' },
    pictures: ['light'],
  },
  {
    name: 'pipelines-refused',
    path: '/settings/pipelines',
    behaviour: { change: 'refused' },
    pictures: ['dark'],
  },
  {
    name: 'calibration-shipped',
    path: '/settings/calibration',
    behaviour: { calibrated: false },
    pictures: ['dark'],
  },
  {
    name: 'signature-calibration-shipped',
    path: '/signatures/calibration',
    behaviour: { signaturesCalibrated: false },
    pictures: ['small-dark-arabic'],
  },
  { name: 'sign-in', path: '/', behaviour: { signedIn: false }, pictures: ['light'] },
  { name: 'set-up', path: '/', behaviour: { signedIn: false, setupNeeded: true }, pictures: ['light'] },
  {
    name: 'set-up-folder-refused',
    path: '/',
    behaviour: { signedIn: false, setupNeeded: true, folderUsable: false },
    reach: async (page) => {
      await page.locator('form input').first().fill('Harbour');
      await page.locator('form button[type=submit]').click();
      await page.locator('.error-line').waitFor();
    },
  },
];

/** Screens without an entry, failing, and not allowed: for pictures. Each screen is checked so in states/arabic.test.ts. */
export const BAD_STATES: readonly ScreenState[] = [
  { name: 'validations-empty', path: '/validations', behaviour: { rows: 0 }, pictures: ['light'] },
  { name: 'validations-failing', path: '/validations', behaviour: { answer: 503 }, pictures: ['light'] },
  { name: 'review-empty', path: '/review', behaviour: { rows: 0 }, pictures: ['light'] },
  { name: 'enrol', path: '/enrol', behaviour: { rows: 0 }, pictures: ['light'] },
  { name: 'duplicates-empty', path: '/duplicates', behaviour: { rows: 0 }, pictures: ['light'] },
  { name: 'exchange-empty', path: '/exchange', behaviour: { rows: 0 }, pictures: ['small'] },
  { name: 'erasures-empty', path: '/erasures', behaviour: { rows: 0 }, pictures: ['arabic'] },
  { name: 'overview-empty', path: '/', behaviour: { rows: 0 }, pictures: ['dark'] },
  { name: 'flows-empty', path: '/trust-flows', behaviour: { rows: 0 }, pictures: ['light'] },
  { name: 'flows-failing', path: '/trust-flows', behaviour: { answer: 503 }, pictures: ['small'] },
  {
    name: 'signature-history-empty',
    path: '/signatures/history',
    behaviour: { rows: 0 },
    pictures: ['dark'],
  },
  {
    name: 'not-allowed',
    path: '/company/internal-biometrics',
    behaviour: { answer: 403 },
    pictures: ['small'],
  },
];
