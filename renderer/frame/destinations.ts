import {
  IconClipboardCheck,
  IconFaceId,
  IconListDetails,
  IconSearch,
  IconShieldOff,
  IconUpload,
  type Icon,
} from '@tabler/icons-react';
import type { Session } from '../../core/contracts/dashboard/session.ts';

export interface Destination {
  path: string;
  /** After `g`. */
  key: string;
  word: 'enrol' | 'review' | 'validations' | 'search' | 'blacklists' | 'trustFlows' | 'access';
  Icon: Icon;
  /** Absent from the dashboard where the company does not have the feature (service.md 5.4). */
  feature?: keyof Session['company']['features'];
}

/** Ordered by the work. */
export const DESTINATIONS: readonly Destination[] = [
  { path: '/enrol', key: 'e', word: 'enrol', Icon: IconUpload },
  { path: '/review', key: 'r', word: 'review', Icon: IconClipboardCheck },
  { path: '/validations', key: 'v', word: 'validations', Icon: IconListDetails },
  { path: '/search', key: 's', word: 'search', Icon: IconSearch },
  {
    path: '/company/internal-biometrics',
    key: 'b',
    word: 'blacklists',
    Icon: IconShieldOff,
    feature: 'blacklists',
  },
];

export const MarkIcon = IconFaceId;

export function destinationsFor({ company }: Session): Destination[] {
  return DESTINATIONS.filter(({ feature }) => feature === undefined || company.features[feature]);
}
