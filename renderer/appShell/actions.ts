import {
  IconAlertTriangle,
  IconContrast2,
  IconCopy,
  IconFolderPlus,
  IconHistory,
  IconKeyboard,
  IconKey,
  IconLanguage,
  IconListCheck,
  IconLock,
  IconMoon,
  IconRoute,
  IconShieldPlus,
  IconSignature,
  IconSun,
  IconUserPlus,
  type Icon,
} from '@tabler/icons-react';
import type { Permission } from '../../core/contracts/dashboard/permissions.ts';
import { LANGUAGES, type Language, type Session } from '../../core/contracts/dashboard/session.ts';
import type { en } from '../i18n/en.ts';
import type { useAppearance } from './useAppearance.ts';

/** The actions that can be started from every screen. */
export interface Action {
  word: keyof (typeof en)['actions'];
  Icon: Icon;
  /** The address where the action begins, or the function that runs it. */
  begin: string | (() => void);
  /** Of that language, where the action is to change it. */
  lang?: Language;
}

const PLACES: readonly (Action & {
  begin: string;
  needs: Permission;
  feature?: keyof Session['company']['features'];
})[] = [
  { word: 'enrolFolder', Icon: IconFolderPlus, begin: '/enrol', needs: 'uploads:create' },
  {
    word: 'newBlacklist',
    Icon: IconShieldPlus,
    begin: '/company/internal-biometrics/new',
    needs: 'blacklists:write',
    feature: 'blacklists',
  },
  {
    word: 'needReview',
    Icon: IconAlertTriangle,
    begin: '/validations?status=2',
    needs: 'validations:read',
  },
  {
    word: 'failedUploads',
    Icon: IconAlertTriangle,
    begin: '/enrol/failures?state=open',
    needs: 'uploads:read',
  },
  { word: 'findDuplicates', Icon: IconCopy, begin: '/duplicates/find', needs: 'duplicates:run' },
  { word: 'compareKnown', Icon: IconSignature, begin: '/signatures/known', needs: 'signatures:compare' },
  { word: 'signatureHistory', Icon: IconHistory, begin: '/signatures/history', needs: 'signatures:read' },
  { word: 'newFlow', Icon: IconRoute, begin: '/trust-flows/new', needs: 'flows:write' },
  { word: 'newCredential', Icon: IconKey, begin: '/settings/api-access/new', needs: 'tokens:write' },
  { word: 'newOperator', Icon: IconUserPlus, begin: '/settings/operators/new', needs: 'operators:write' },
  { word: 'firstSteps', Icon: IconListCheck, begin: '/?steps', needs: 'uploads:create' },
  { word: 'roles', Icon: IconUserPlus, begin: '/settings/operators/roles', needs: 'operators:read' },
];

/** The actions of the company, of the operator's role and of the app shell. */
export function actionsFor(
  { company, permissions }: Session,
  { appearance, choose }: Pick<ReturnType<typeof useAppearance>, 'appearance' | 'choose'>,
  shell: { showKeys: () => void; lock: () => void },
): Action[] {
  const other = (Object.keys(LANGUAGES) as Language[]).find((each) => each !== appearance.language);
  const dark = appearance.scheme === 'dark';
  return [
    ...PLACES.filter(
      ({ needs, feature }) =>
        permissions.includes(needs) && (feature === undefined || company.features[feature]),
    ),
    {
      word: dark ? 'light' : 'dark',
      Icon: dark ? IconSun : IconMoon,
      begin: () => choose({ scheme: dark ? 'light' : 'dark' }),
    },
    {
      word: 'highContrast',
      Icon: IconContrast2,
      begin: () => choose({ highContrast: !appearance.highContrast }),
    },
    ...(other === undefined
      ? []
      : [
          {
            word: 'otherLanguage' as const,
            Icon: IconLanguage,
            lang: other,
            begin: () => choose({ language: other }),
          },
        ]),
    { word: 'keys', Icon: IconKeyboard, begin: shell.showKeys },
    { word: 'lock', Icon: IconLock, begin: shell.lock },
  ];
}
