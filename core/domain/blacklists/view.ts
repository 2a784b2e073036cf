import type { BlacklistView } from '../../contracts/blacklists.ts';
import { BLACKLIST_STATUS_LABEL } from '../../contracts/codes.ts';
import type { Blacklist } from '../ports/screening.ts';

/** A blacklist as programs and the terminal read it. */
export function blacklistView(blacklist: Blacklist): BlacklistView {
  return {
    id: blacklist.id,
    name: blacklist.name,
    description: blacklist.description,
    status: blacklist.status,
    statusLabel: BLACKLIST_STATUS_LABEL[blacklist.status],
    enrolledFacesCount: blacklist.enrolledFaces,
    createdAt: blacklist.createdAt.toISOString(),
    updatedAt: blacklist.updatedAt.toISOString(),
  };
}
