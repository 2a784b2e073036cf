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

/** Ordered by the work: the daily work first, then administration. */
const DESTINATIONS: readonly NavigationItem[] = [
  {
    path: '/',
    help: 'guides/first-day',
    key: 'h',
    word: 'overview',
    Icon: IconLayoutDashboard,
    needs: 'session',
  },
  {
    path: '/verify',
    help: 'guides/verify-a-person#run-a-verification-in-the-dashboard',
    key: 'w',
    word: 'verify',
    Icon: IconUserScan,
    needs: 'verifications:create',
  },
  {
    path: '/enrol',
    help: 'guides/enrol-photos#in-the-dashboard',
    key: 'e',
    word: 'enrol',
    Icon: IconUpload,
    needs: 'uploads:create',
  },
  {
    path: '/review',
    help: 'guides/investigate#review-a-case',
    key: 'r',
    word: 'review',
    Icon: IconClipboardCheck,
    needs: 'validations:decide',
  },
  {
    path: '/validations',
    help: 'guides/investigate#work-on-several-validations',
    key: 'v',
    word: 'validations',
    Icon: IconListDetails,
    needs: 'validations:read',
  },
  {
    path: '/search',
    help: 'guides/investigate#search-with-a-photo',
    key: 's',
    word: 'search',
    Icon: IconSearch,
    needs: 'search:run',
  },
  {
    path: '/persons',
    help: 'guides/find-duplicates#work-with-persons',
    key: 'l',
    word: 'persons',
    Icon: IconAddressBook,
    needs: 'persons:read',
  },
  {
    path: '/duplicates',
    help: 'guides/find-duplicates',
    key: 'm',
    word: 'duplicates',
    Icon: IconCopy,
    needs: 'duplicates:read',
  },
  {
    path: '/company/internal-biometrics',
    help: 'guides/blacklists#create-a-blacklist-and-add-faces',
    key: 'b',
    word: 'blacklists',
    Icon: IconUserOff,
    needs: 'blacklists:read',
    feature: 'blacklists',
  },
  {
    path: '/exchange',
    help: 'guides/share-blacklists',
    key: 'x',
    word: 'exchange',
    Icon: IconArrowsExchange,
    needs: 'blacklists:read',
    feature: 'blacklists',
    within: 'blacklists',
  },
  {
    path: '/compare',
    help: 'guides/compare-faces#compare-two-faces-in-the-dashboard',
    key: 'f',
    word: 'compare',
    Icon: IconUsersGroup,
    needs: 'faces:compare',
  },
  {
    path: '/signatures',
    help: 'guides/compare-signatures',
    key: 'i',
    word: 'signatures',
    Icon: IconSignature,
    needs: 'signatures:read',
  },
  {
    path: '/trust-flows',
    help: 'guides/blacklists#publish-a-trust-flow',
    key: 't',
    word: 'flows',
    Icon: IconRoute,
    needs: 'flows:read',
  },
  {
    path: '/audit',
    help: 'guides/verify-the-audit-log',
    key: 'u',
    word: 'audit',
    Icon: IconFileCertificate,
    needs: 'audit:read',
    afterLine: true,
  },
  {
    path: '/erasures',
    help: 'guides/erase-a-person',
    key: 'd',
    word: 'erasures',
    Icon: IconEraser,
    needs: 'audit:read',
    within: 'audit',
  },
  {
    path: '/settings',
    help: 'reference/settings',
    key: 'n',
    word: 'settings',
    Icon: IconAdjustments,
    needs: 'session',
  },
  {
    path: '/settings/company',
    help: 'reference/settings#limits-of-a-company',
    word: 'company',
    Icon: IconBuilding,
    needs: 'settings:read',
    within: 'settings',
  },
  {
    path: '/settings/limits',
    help: 'reference/settings#limits-of-a-company',
    word: 'limits',
    Icon: IconGauge,
    needs: 'settings:read',
    within: 'settings',
  },
  {
    path: '/settings/retention',
    help: 'guides/erase-a-person#how-long-records-are-kept',
    word: 'retention',
    Icon: IconCalendarX,
    needs: 'settings:write',
    within: 'settings',
  },
  {
    path: '/settings/backup',
    help: 'guides/back-up-and-restore#in-the-dashboard',
    word: 'backup',
    Icon: IconArchive,
    needs: 'system:read',
    within: 'settings',
  },
  {
    path: '/settings/network',
    help: 'guides/network-access',
    word: 'network',
    Icon: IconNetwork,
    needs: 'system:read',
    within: 'settings',
  },
  {
    path: '/settings/pipelines',
    help: 'guides/change-pipeline',
    key: 'p',
    word: 'pipelines',
    Icon: IconReplace,
    needs: 'system:read',
    within: 'settings',
  },
  {
    path: '/settings/calibration',
    help: 'guides/calibrate',
    key: 'c',
    word: 'calibration',
    Icon: IconChartDots,
    needs: 'system:read',
    within: 'settings',
  },
  {
    path: '/settings/api-access',
    help: 'guides/manage-operators#credentials-for-programs',
    key: 'a',
    word: 'apiAccess',
    Icon: IconKey,
    needs: 'tokens:read',
    within: 'settings',
  },
  {
    path: '/settings/operators',
    help: 'guides/manage-operators#operators',
    key: 'o',
    word: 'operators',
    Icon: IconUsers,
    needs: 'operators:read',
    within: 'settings',
  },
  {
    path: '/system',
    help: 'guides/operate#when-something-is-wrong',
    key: 'y',
    word: 'system',
    Icon: IconServerCog,
    needs: 'system:read',
  },
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
