import {
  IconAddressBook,
  IconAdjustments,
  IconArchive,
  IconArrowsDiff,
  IconBuilding,
  IconFileCertificate,
  IconKey,
  IconLayoutDashboard,
  IconNetwork,
  IconReplace,
  IconRoute,
  IconSearch,
  IconServerCog,
  IconUpload,
  IconUserOff,
  IconUserScan,
  type Icon,
} from '@tabler/icons-react';
import type { Permission } from '../../core/contracts/dashboard/permissions.ts';
import type { Session } from '../../core/contracts/dashboard/session.ts';
import type { nav } from '../i18n/frame.en.ts';

/** A screen: a tab of its menu entry, and an entry of the command palette. */
export interface Screen {
  path: string;
  /** Its title. Screens of one menu entry with the same title share a tab. */
  word: keyof typeof nav;
  /** Its page of the manual, with the section where the page has others before it. */
  help: string;
  /** After `g`. A tab or the palette leads to a screen without a key. */
  key?: string;
  /** The permission that the screen needs. */
  needs: Permission | 'session';
  /** Absent from the dashboard where the company does not have the feature. */
  feature?: keyof Session['company']['features'];
}

/** An entry of the menu. It opens its first screen that the role has. */
export interface MenuEntry {
  word: keyof typeof nav;
  Icon: Icon;
  /** Shown only while the address is in Settings. */
  inSettings?: true;
  screens: readonly Screen[];
}

/**
 * @param key after `g`; empty: none
 * @param more the page of the manual, and what else differs from the other screens
 */
function screen(
  key: string,
  path: string,
  word: Screen['word'],
  needs: Screen['needs'],
  more: Pick<Screen, 'help' | 'feature'>,
): Screen {
  return { path, word, needs, ...(key !== '' && { key }), ...more };
}

const entry = (word: MenuEntry['word'], Icon: Icon, ...screens: Screen[]): MenuEntry => ({
  word,
  Icon,
  screens,
});
const setting = (...of: Parameters<typeof entry>): MenuEntry => ({ ...entry(...of), inSettings: true });

/** Ordered by the work: the daily work first, then administration. */
const MENU: readonly MenuEntry[] = [
  entry(
    'overview',
    IconLayoutDashboard,
    screen('h', '/', 'overview', 'session', { help: 'guides/first-day' }),
  ),
  entry(
    'verifying',
    IconUserScan,
    screen('w', '/verify', 'verify', 'verifications:create', {
      help: 'guides/verify-a-person#run-a-verification-in-the-dashboard',
    }),
    screen('r', '/review', 'review', 'validations:decide', { help: 'guides/investigate#review-a-case' }),
    screen('v', '/validations', 'validations', 'validations:read', {
      help: 'guides/investigate#work-on-several-validations',
    }),
  ),
  entry(
    'enrol',
    IconUpload,
    screen('e', '/enrol', 'enrol', 'uploads:create', { help: 'guides/enrol-photos#in-the-dashboard' }),
    screen('', '/enrol/uploads', 'runs', 'uploads:read', { help: 'guides/enrol-photos#runs' }),
    screen('', '/enrol/failures', 'failedPhotos', 'uploads:read', {
      help: 'guides/enrol-photos#fix-failed-photos',
    }),
  ),
  entry(
    'search',
    IconSearch,
    screen('s', '/search', 'search', 'search:run', { help: 'guides/investigate#search-with-a-photo' }),
  ),
  entry(
    'persons',
    IconAddressBook,
    screen('l', '/persons', 'persons', 'persons:read', { help: 'guides/find-duplicates#work-with-persons' }),
    screen('m', '/duplicates', 'duplicates', 'duplicates:read', { help: 'guides/find-duplicates' }),
  ),
  entry(
    'blacklists',
    IconUserOff,
    screen('b', '/company/internal-biometrics', 'blacklists', 'blacklists:read', {
      help: 'guides/blacklists#create-a-blacklist-and-add-faces',
      feature: 'blacklists',
    }),
    screen('x', '/exchange', 'exchange', 'blacklists:read', {
      help: 'guides/share-blacklists',
      feature: 'blacklists',
    }),
  ),
  entry(
    'comparing',
    IconArrowsDiff,
    screen('f', '/compare', 'compare', 'faces:compare', {
      help: 'guides/compare-faces#compare-two-faces-in-the-dashboard',
    }),
    screen('i', '/signatures', 'signatures', 'signatures:compare', { help: 'guides/compare-signatures' }),
    screen('', '/signatures/known', 'knownSignatures', 'signatures:compare', {
      help: 'guides/compare-signatures#several-known-signatures',
    }),
    screen('', '/examinations', 'examinations', 'faces:examine', { help: 'guides/examine-a-pair' }),
    screen('', '/case-folders', 'caseFolders', 'faces:examine', { help: 'guides/keep-a-case-folder' }),
    screen('', '/compare/history', 'comparisons', 'faces:compare', {
      help: 'guides/compare-faces#compare-two-faces-in-the-dashboard',
    }),
    screen('', '/signatures/history', 'comparisons', 'signatures:read', {
      help: 'guides/compare-signatures',
    }),
  ),
  entry(
    'audit',
    IconFileCertificate,
    screen('u', '/audit', 'audit', 'audit:read', { help: 'guides/verify-the-audit-log' }),
    screen('d', '/erasures', 'erasures', 'audit:read', { help: 'guides/erase-a-person' }),
  ),
  entry(
    'settings',
    IconAdjustments,
    screen('n', '/settings', 'settings', 'session', { help: 'reference/settings' }),
  ),
  setting(
    'company',
    IconBuilding,
    screen('', '/settings/company', 'company', 'settings:read', {
      help: 'reference/settings#limits-of-a-company',
    }),
    screen('', '/settings/limits', 'limits', 'settings:read', {
      help: 'reference/settings#limits-of-a-company',
    }),
    screen('', '/settings/retention', 'retention', 'settings:write', {
      help: 'guides/erase-a-person#how-long-records-are-kept',
    }),
  ),
  setting(
    'flows',
    IconRoute,
    screen('t', '/trust-flows', 'flows', 'flows:read', { help: 'guides/blacklists#publish-a-trust-flow' }),
  ),
  setting(
    'recognition',
    IconReplace,
    screen('p', '/settings/pipelines', 'pipelines', 'system:read', { help: 'guides/change-pipeline' }),
    screen('c', '/settings/calibration', 'calibration', 'system:read', { help: 'guides/calibrate' }),
    screen('', '/signatures/calibration', 'signatureCalibration', 'signatures:read', {
      help: 'guides/calibrate#signatures',
    }),
  ),
  setting(
    'backup',
    IconArchive,
    screen('', '/settings/backup', 'backup', 'system:read', {
      help: 'guides/back-up-and-restore#in-the-dashboard',
    }),
  ),
  setting(
    'network',
    IconNetwork,
    screen('', '/settings/network', 'network', 'system:read', { help: 'guides/network-access' }),
  ),
  setting(
    'access',
    IconKey,
    screen('a', '/settings/api-access', 'apiAccess', 'tokens:read', {
      help: 'guides/manage-operators#credentials-for-programs',
    }),
    screen('o', '/settings/operators', 'operators', 'operators:read', {
      help: 'guides/manage-operators#operators',
    }),
  ),
  setting(
    'system',
    IconServerCog,
    screen('y', '/system', 'system', 'system:read', { help: 'guides/operate#when-something-is-wrong' }),
  ),
];

const SCREENS = MENU.flatMap(({ screens }) => screens);

const isWithin = (address: string, path: string) =>
  address === path || (path !== '/' && address.startsWith(`${path}/`));

/** The menu of this company and this role. An entry without screens is absent, and so is Settings where it would be empty. */
export function menuFor({ company, permissions }: Session): MenuEntry[] {
  const has = ({ feature, needs }: Screen) =>
    (feature === undefined || company.features[feature]) &&
    (needs === 'session' || permissions.includes(needs));
  const open = MENU.map((each) => ({ ...each, screens: each.screens.filter(has) })).filter(
    ({ screens }) => screens.length > 0,
  );
  const settings = open.some(({ inSettings }) => inSettings);
  return open.filter(({ word }) => word !== 'settings' || settings);
}

/** Every screen that this company and this role have. */
export const screensFor = (session: Session): Screen[] => menuFor(session).flatMap(({ screens }) => screens);

/** @param address path of a screen. @returns the screen that it belongs to: the one with the longest matching path */
export function placeOf(address: string): Screen | undefined {
  return SCREENS.filter(({ path }) => isWithin(address, path)).sort(
    (one, other) => other.path.length - one.path.length,
  )[0];
}

/** @returns the entry of a menu that an address is in. The menu may leave out the screen at the address itself */
export function entryAt(menu: readonly MenuEntry[], address: string): MenuEntry | undefined {
  const path = placeOf(address)?.path;
  const entryOf = MENU.find(({ screens }) => screens.some((each) => each.path === path));
  return menu.find(({ word }) => word === entryOf?.word);
}

/** The entries that the sidebar shows at an address: those of the first level, and of Settings while it is open. */
export function sidebarAt(menu: readonly MenuEntry[], address: string): MenuEntry[] {
  const open = entryAt(menu, address);
  const inSettings = open?.word === 'settings' || open?.inSettings === true;
  return menu.filter((each) => each.inSettings === undefined || inSettings);
}

/** The tabs of the entry that an address is in: its screens, one for each title. */
export function tabsAt(menu: readonly MenuEntry[], address: string): Screen[] {
  const { screens = [] } = entryAt(menu, address) ?? {};
  return screens.filter(({ word }, index) => screens.findIndex((each) => each.word === word) === index);
}

/** Addresses inside a screen that differ from it: in the permission that they need, or in their section of the manual. */
const INNER: readonly { path: string; needs?: Permission; help?: string }[] = [
  { path: '/review/pairs', help: 'guides/investigate#view-as-pairs' },
  { path: '/duplicates/find', needs: 'duplicates:run', help: 'guides/find-duplicates#start-a-search' },
  {
    path: '/duplicates/sample',
    needs: 'duplicates:review',
    help: 'guides/find-duplicates#accept-many-groups-at-once',
  },
  { path: '/company/internal-biometrics/new', needs: 'blacklists:write' },
  { path: '/exchange/export', needs: 'blacklists:exchange' },
  { path: '/exchange/import', needs: 'blacklists:exchange' },
  { path: '/exchange/installations/new', needs: 'blacklists:exchange' },
  { path: '/trust-flows/new', needs: 'flows:write' },
  { path: '/settings/api-access/new', needs: 'tokens:write' },
  { path: '/settings/operators/new', needs: 'operators:write' },
];

/** Every address with a section of the manual, or a permission, declared for it. */
export const DECLARED: readonly string[] = [...SCREENS, ...INNER].map(({ path }) => path);

/**
 * The screen at an address, where the role of the session excludes it: its content must not be shown.
 * @param address path of a screen, also with a query. @returns undefined: the role includes the screen, or no screen has this address
 */
export function refusedScreen(address: string, permissions: Session['permissions']): Screen | undefined {
  const [path = ''] = address.split('?');
  const at = placeOf(path);
  const mayOpen = (needs: Screen['needs']) => needs === 'session' || permissions.includes(needs);
  const open =
    at?.word === 'settings'
      ? MENU.some(({ inSettings, screens }) => inSettings && screens.some(({ needs }) => mayOpen(needs)))
      : at === undefined || mayOpen(innerAt(path)?.needs ?? at.needs);
  return open ? undefined : at;
}

function innerAt(address: string) {
  return INNER.find(({ path }) => isWithin(address, path));
}

/** @param address path of a screen. @returns the address of its section of the manual, else of the manual's first page */
export function manualPageOf(address: string): string {
  const [page = 'index', section] = (innerAt(address)?.help ?? placeOf(address)?.help ?? 'index').split('#');
  return `/manual/${page}.html${section === undefined ? '' : `#${section}`}`;
}
