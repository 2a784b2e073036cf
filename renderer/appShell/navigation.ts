import {
  IconAddressBook,
  IconAdjustments,
  IconArchive,
  IconArrowsExchange,
  IconBuilding,
  IconCalendarX,
  IconChartDots,
  IconClipboardCheck,
  IconCopy,
  IconEraser,
  IconFileCertificate,
  IconGauge,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconNetwork,
  IconReplace,
  IconRoute,
  IconSearch,
  IconServerCog,
  IconSignature,
  IconUpload,
  IconUserOff,
  IconUserScan,
  IconUsers,
  IconUsersGroup,
  type Icon,
} from '@tabler/icons-react';
import type { Permission } from '../../core/contracts/dashboard/permissions.ts';
import type { Session } from '../../core/contracts/dashboard/session.ts';
import type { nav } from '../i18n/frame.en.ts';

/** A screen in the sidebar and the palette. */
export interface NavigationItem {
  path: string;
  word: keyof typeof nav;
  /** The entry under which the sidebar shows this one, while the address is in that group. */
  within?: 'blacklists' | 'audit' | 'settings';
  /** Its page of the manual, with the section where the page has others before it. */
  help: string;
  /** After `g`. The palette alone leads to a screen without a key. */
  key?: string;
  Icon: Icon;
  /** The permission that the screen needs. */
  needs: Permission | 'session';
  /** Absent from the dashboard where the company does not have the feature. */
  feature?: keyof Session['company']['features'];
  /** The sidebar draws a line above: administration follows the daily work. */
  afterLine?: true;
}

/**
 * @param key after `g`; empty: the palette alone leads to the screen
 * @param more the page of the manual, and what else differs from the other screens
 */
function destination(
  key: string,
  path: string,
  word: NavigationItem['word'],
  Icon: Icon,
  needs: NavigationItem['needs'],
  more: Pick<NavigationItem, 'help' | 'within' | 'feature' | 'afterLine'>,
): NavigationItem {
  const group = path.startsWith('/settings/') ? { within: 'settings' as const } : {};
  return { path, word, Icon, needs, ...(key !== '' && { key }), ...group, ...more };
}

/** Ordered by the work: the daily work first, then administration. */
const DESTINATIONS: readonly NavigationItem[] = [
  destination('h', '/', 'overview', IconLayoutDashboard, 'session', { help: 'guides/first-day' }),
  destination('w', '/verify', 'verify', IconUserScan, 'verifications:create', {
    help: 'guides/verify-a-person#run-a-verification-in-the-dashboard',
  }),
  destination('e', '/enrol', 'enrol', IconUpload, 'uploads:create', {
    help: 'guides/enrol-photos#in-the-dashboard',
  }),
  destination('r', '/review', 'review', IconClipboardCheck, 'validations:decide', {
    help: 'guides/investigate#review-a-case',
  }),
  destination('v', '/validations', 'validations', IconListDetails, 'validations:read', {
    help: 'guides/investigate#work-on-several-validations',
  }),
  destination('s', '/search', 'search', IconSearch, 'search:run', {
    help: 'guides/investigate#search-with-a-photo',
  }),
  destination('l', '/persons', 'persons', IconAddressBook, 'persons:read', {
    help: 'guides/find-duplicates#work-with-persons',
  }),
  destination('m', '/duplicates', 'duplicates', IconCopy, 'duplicates:read', {
    help: 'guides/find-duplicates',
  }),
  destination('b', '/company/internal-biometrics', 'blacklists', IconUserOff, 'blacklists:read', {
    help: 'guides/blacklists#create-a-blacklist-and-add-faces',
    feature: 'blacklists',
  }),
  destination('x', '/exchange', 'exchange', IconArrowsExchange, 'blacklists:read', {
    help: 'guides/share-blacklists',
    within: 'blacklists',
    feature: 'blacklists',
  }),
  destination('f', '/compare', 'compare', IconUsersGroup, 'faces:compare', {
    help: 'guides/compare-faces#compare-two-faces-in-the-dashboard',
  }),
  destination('i', '/signatures', 'signatures', IconSignature, 'signatures:read', {
    help: 'guides/compare-signatures',
  }),
  destination('t', '/trust-flows', 'flows', IconRoute, 'flows:read', {
    help: 'guides/blacklists#publish-a-trust-flow',
  }),
  destination('u', '/audit', 'audit', IconFileCertificate, 'audit:read', {
    help: 'guides/verify-the-audit-log',
    afterLine: true,
  }),
  destination('d', '/erasures', 'erasures', IconEraser, 'audit:read', {
    help: 'guides/erase-a-person',
    within: 'audit',
  }),
  destination('n', '/settings', 'settings', IconAdjustments, 'session', { help: 'reference/settings' }),
  destination('', '/settings/company', 'company', IconBuilding, 'settings:read', {
    help: 'reference/settings#limits-of-a-company',
  }),
  destination('', '/settings/limits', 'limits', IconGauge, 'settings:read', {
    help: 'reference/settings#limits-of-a-company',
  }),
  destination('', '/settings/retention', 'retention', IconCalendarX, 'settings:write', {
    help: 'guides/erase-a-person#how-long-records-are-kept',
  }),
  destination('', '/settings/backup', 'backup', IconArchive, 'system:read', {
    help: 'guides/back-up-and-restore#in-the-dashboard',
  }),
  destination('', '/settings/network', 'network', IconNetwork, 'system:read', {
    help: 'guides/network-access',
  }),
  destination('p', '/settings/pipelines', 'pipelines', IconReplace, 'system:read', {
    help: 'guides/change-pipeline',
  }),
  destination('c', '/settings/calibration', 'calibration', IconChartDots, 'system:read', {
    help: 'guides/calibrate',
  }),
  destination('a', '/settings/api-access', 'apiAccess', IconKey, 'tokens:read', {
    help: 'guides/manage-operators#credentials-for-programs',
  }),
  destination('o', '/settings/operators', 'operators', IconUsers, 'operators:read', {
    help: 'guides/manage-operators#operators',
  }),
  destination('y', '/system', 'system', IconServerCog, 'system:read', {
    help: 'guides/operate#when-something-is-wrong',
  }),
];

const isWithin = (address: string, path: string) =>
  address === path || (path !== '/' && address.startsWith(`${path}/`));

/** Every screen that this company and this role have. The Settings entry is absent where its group would be empty. */
export function navigationFor({ company, permissions }: Session): NavigationItem[] {
  const open = DESTINATIONS.filter(
    ({ feature, needs }) =>
      (feature === undefined || company.features[feature]) &&
      (needs === 'session' || permissions.includes(needs)),
  );
  return open.filter(({ word }) => word !== 'settings' || hasSettings(permissions));
}

/** Whether a role has any screen of the Settings group. */
function hasSettings(permissions: Session['permissions']): boolean {
  return DESTINATIONS.some(
    ({ within, needs }) => within === 'settings' && needs !== 'session' && permissions.includes(needs),
  );
}

/**
 * The entries of the sidebar at an address: the top level, and the group that the address is in.
 * @param items the screens of this company and this role
 * @param address path of the screen that is open
 */
export function sidebarAt(items: readonly NavigationItem[], address: string): NavigationItem[] {
  const open = placeOf(address);
  const opener = open?.within ?? open?.word;
  return items.filter(({ within }) => within === undefined || within === opener);
}

/** @param address path of a screen. @returns the screen that it belongs to: the one with the longest matching path */
export function placeOf(address: string): NavigationItem | undefined {
  return DESTINATIONS.filter(({ path }) => isWithin(address, path)).sort(
    (one, other) => other.path.length - one.path.length,
  )[0];
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
  { path: '/enrol/uploads', needs: 'uploads:read', help: 'guides/enrol-photos#runs' },
  { path: '/enrol/failures', needs: 'uploads:read', help: 'guides/enrol-photos#fix-failed-photos' },
  { path: '/company/internal-biometrics/new', needs: 'blacklists:write' },
  { path: '/trust-flows/new', needs: 'flows:write' },
  { path: '/settings/api-access/new', needs: 'tokens:write' },
  { path: '/settings/operators/new', needs: 'operators:write' },
  { path: '/signatures/known', help: 'guides/compare-signatures#several-known-signatures' },
  { path: '/signatures/calibration', help: 'guides/calibrate#signatures' },
];

/**
 * The screen at an address, where the role of the session excludes it: its content must not be shown.
 * @param address path of a screen. @returns undefined: the role includes the screen, or no screen has this address
 */
export function refusedScreen(
  address: string,
  permissions: Session['permissions'],
): NavigationItem | undefined {
  const screen = placeOf(address);
  if (screen === undefined) return undefined;
  if (screen.word === 'settings') return hasSettings(permissions) ? undefined : screen;
  const needs = innerAt(address)?.needs ?? screen.needs;
  return needs === 'session' || permissions.includes(needs) ? undefined : screen;
}

function innerAt(address: string) {
  return INNER.find(({ path }) => isWithin(address, path));
}

/** @param address path of a screen. @returns the address of its section of the manual, else of the manual's first page */
export function manualPageOf(address: string): string {
  const [page = 'index', section] = (innerAt(address)?.help ?? placeOf(address)?.help ?? 'index').split('#');
  return `/manual/${page}.html${section === undefined ? '' : `#${section}`}`;
}
