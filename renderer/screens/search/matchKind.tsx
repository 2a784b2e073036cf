import { IconBan, IconCircle, IconUserCheck, type Icon } from '@tabler/icons-react';
import type { SearchCandidate } from '../../../core/contracts/dashboard/search.ts';
import type { BestMatch } from '../../../core/contracts/dashboard/searchView.ts';

/** The most important match of a face, as it is marked on the photo and in the strip of faces. */
export type MatchKind = 'blacklist' | 'watchlist' | 'none';

export const MATCH_ICONS: Record<MatchKind, Icon> = {
  blacklist: IconBan,
  watchlist: IconUserCheck,
  none: IconCircle,
};

export function matchKind(best: BestMatch<SearchCandidate> | null): MatchKind {
  if (best === null) return 'none';
  return best.candidate.watchlist === 'blacklist' ? 'blacklist' : 'watchlist';
}
