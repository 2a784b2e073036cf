import type { TransferPackages } from '../domain/ports/blacklistTransfer.ts';
import { certificateOf, ownKeys, readCertificate } from './installationIdentity.ts';
import { openPackage } from './packageReader.ts';
import { writePackage } from './packageWriter.ts';
import type { InstallationKeys } from '../storage/home/installationKeys.ts';
import type { Installation } from '../storage/settings/companies.ts';

/** Writes and opens transfer packages with the keys of this installation, which stay in here. */
export function transferPackages(ports: {
  installationKeys: InstallationKeys;
  installation: Installation;
}): TransferPackages {
  return {
    async identity(act) {
      const { name, signing, receiving } = await ownKeys(ports, act);
      return { name, signingKey: signing.publicKey, receivingKey: receiving.publicKey };
    },
    certificate: async (act) => certificateOf(await ownKeys(ports, act)),
    readCertificate: (certificate) => readCertificate(JSON.stringify(certificate)),
    write: async (act, receiver, list, faces) =>
      writePackage(await ownKeys(ports, act), receiver, { list, at: act.at }, faces),
    open: async (act, read) => openPackage(read, (await ownKeys(ports, act)).receiving),
  };
}
