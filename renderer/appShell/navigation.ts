import {
  IconAdjustments,
  IconArrowsExchange,
  IconChartDots,
  IconClipboardCheck,
  IconEraser,
  IconFileCertificate,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconReplace,
  IconRoute,
  IconSearch,
  IconServerCog,
  IconShieldOff,
  IconSignature,
  IconUpload,
  IconUsers,
  type Icon,
} from '@tabler/icons-react';
import type { Permission } from '../../core/contracts/dashboard/permissions.ts';
import type { Session } from '../../core/contracts/dashboard/session.ts';

export interface NavigationItem {
  path: string;
  /** Its page of the manual. */
  help: string;
  /** After `g`. */
  key: string;
  word:
    | 'overview'
    | 'apiAccess'
    | 'operators'
    | 'audit'
    | 'enrol'
    | 'review'
    | 'validations'
    | 'search'
    | 'blacklists'
    | 'signatures'
    | 'flows'
    | 'pipelines'
    | 'calibration'
    | 'exchange'
    | 'erasures'
    | 'settings'
    | 'system';
  Icon: Icon;
  /** The permission that the screen needs. */
  needs: Permission | 'session';
  /** Absent from the dashboard where the company does not have the feature. */
  feature?: keyof Session['company']['features'];
  /** Not in the sidebar, which has the daily work. The System screen, the palette and the keys lead there. */
  aside?: true;
}

/** Ordered by the work. */
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
    path: '/enrol',
    help: 'guides/enrol-photos',
    key: 'e',
    word: 'enrol',
    Icon: IconUpload,
    needs: 'uploads:create',
  },
  {
    path: '/review',
    help: 'guides/investigate',
    key: 'r',
    word: 'review',
    Icon: IconClipboardCheck,
    needs: 'validations:decide',
  },
  {
    path: '/validations',
    help: 'guides/investigate',
    key: 'v',
    word: 'validations',
    Icon: IconListDetails,
    needs: 'validations:read',
  },
  {
    path: '/search',
    help: 'guides/investigate',
    key: 's',
    word: 'search',
    Icon: IconSearch,
    needs: 'search:run',
  },
  {
    path: '/company/internal-biometrics',
    help: 'explanation/screening',
    key: 'b',
    word: 'blacklists',
    Icon: IconShieldOff,
    needs: 'blacklists:read',
    feature: 'blacklists',
  },
  {
    path: '/signatures',
    help: 'explanation/signatures',
    key: 'i',
    word: 'signatures',
    Icon: IconSignature,
    needs: 'signatures:read',
  },
  {
    path: '/trust-flows',
    help: 'explanation/screening',
    key: 't',
    word: 'flows',
    Icon: IconRoute,
    needs: 'flows:read',
  },
  {
    path: '/api-access',
    help: 'guides/manage-operators',
    key: 'a',
    word: 'apiAccess',
    Icon: IconKey,
    needs: 'tokens:read',
  },
  {
    path: '/operators',
    help: 'guides/manage-operators',
    key: 'o',
    word: 'operators',
    Icon: IconUsers,
    needs: 'operators:read',
  },
  {
    path: '/audit',
    help: 'guides/verify-the-audit-log',
    key: 'u',
    word: 'audit',
    Icon: IconFileCertificate,
    needs: 'audit:read',
  },
  {
    path: '/settings',
    help: 'reference/settings',
    key: 'n',
    word: 'settings',
    Icon: IconAdjustments,
    needs: 'settings:read',
  },
  {
    path: '/system',
    help: 'guides/operate',
    key: 'y',
    word: 'system',
    Icon: IconServerCog,
    needs: 'system:read',
  },
  {
    path: '/exchange',
    help: 'guides/share-blacklists',
    key: 'x',
    word: 'exchange',
    Icon: IconArrowsExchange,
    needs: 'blacklists:read',
    feature: 'blacklists',
    aside: true,
  },
  {
    path: '/erasures',
    help: 'guides/erase-a-person',
    key: 'd',
    word: 'erasures',
    Icon: IconEraser,
    needs: 'audit:read',
    aside: true,
  },
  {
    path: '/pipelines',
    help: 'guides/change-pipeline',
    key: 'p',
    word: 'pipelines',
    Icon: IconReplace,
    needs: 'system:read',
    aside: true,
  },
  {
    path: '/calibration',
    help: 'guides/calibrate',
    key: 'c',
    word: 'calibration',
    Icon: IconChartDots,
    needs: 'system:read',
    aside: true,
  },
];

/** The screens that are there for this company and this role. */
export function navigationFor({ company, permissions }: Session): NavigationItem[] {
  return DESTINATIONS.filter(
    ({ feature, needs }) =>
      (feature === undefined || company.features[feature]) &&
      (needs === 'session' || permissions.includes(needs)),
  );
}

/** Addresses inside a screen that need another permission than the screen itself. */
const NARROWER: readonly { path: string; needs: Permission }[] = [
  { path: '/enrol/uploads', needs: 'uploads:read' },
  { path: '/company/internal-biometrics/new', needs: 'blacklists:write' },
  { path: '/trust-flows/new', needs: 'flows:write' },
  { path: '/api-access/new', needs: 'tokens:write' },
  { path: '/operators/new', needs: 'operators:write' },
];

const isWithin = (address: string, path: string) =>
  address === path || (path !== '/' && address.startsWith(`${path}/`));

/**
 * The screen at an address, where the role of the session excludes it: its content must not be shown.
 * @param address path of a screen. @returns undefined: the role includes the screen, or no screen has this address
 */
export function refusedScreen(
  address: string,
  permissions: Session['permissions'],
): NavigationItem | undefined {
  const screen = DESTINATIONS.find(({ path }) => isWithin(address, path));
  if (screen === undefined) return undefined;
  const { needs } = NARROWER.find(({ path }) => isWithin(address, path)) ?? screen;
  return needs === 'session' || permissions.includes(needs) ? undefined : screen;
}

/** @param address path of a screen. @returns the address of its page of the manual, else of the manual's first page */
export function manualPageOf(address: string): string {
  const screen = DESTINATIONS.find(({ path }) => isWithin(address, path));
  return screen === undefined ? '/manual/index.html' : `/manual/${screen.help}.html`;
}
