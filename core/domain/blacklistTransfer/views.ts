import type { ImportView, TrustedSiteView } from '../../contracts/blacklistTransfer.ts';
import { siteFingerprint } from './installationIdentity.ts';
import type { ListImport, TrustedSite } from '../ports/blacklistTransfer.ts';

export function trustedSiteView(site: TrustedSite): TrustedSiteView {
  const { id, name, trustedAt } = site;
  return { id, name, fingerprint: siteFingerprint(site), trustedAt: trustedAt.toISOString() };
}

export function importView(made: ListImport): ImportView {
  const { id, senderName, blacklistId, blacklistName, exportedAt, importedAt, added, renamed, holds } = made;
  return {
    ...{ id, sender: senderName, blacklist: { id: blacklistId, name: blacklistName } },
    exportedAt: exportedAt.toISOString(),
    importedAt: importedAt.toISOString(),
    ...{ added, renamed, holds, undoneAt: made.undoneAt?.toISOString() ?? null },
  };
}
