import type { ImportView, TrustedInstallationView } from '../../contracts/blacklistTransfer.ts';
import { installationFingerprint } from './installationIdentity.ts';
import type { ListImport, TrustedInstallation } from '../ports/blacklistTransfer.ts';

export function trustedInstallationView(site: TrustedInstallation): TrustedInstallationView {
  const { id, name, trustedAt } = site;
  return { id, name, fingerprint: installationFingerprint(site), trustedAt: trustedAt.toISOString() };
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
