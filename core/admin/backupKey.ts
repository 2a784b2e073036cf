import { problem, CodedError } from '../contracts/errors/problem.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import type { Clock } from '../domain/ports/machine.ts';
import { fingerprintOf } from '../encryption/keys.ts';
import type { InstallationKeys } from '../storage/home/installationKeys.ts';

export interface BackupKeyPorts {
  installationKeys: InstallationKeys;
  clock: Clock;
}

/** The handlers of `vouch backup-key …`. */
export function backupKeyCommands(
  ports: BackupKeyPorts,
): Pick<AdminCommandHandlers, 'backup-key.create' | 'backup-key.show'> {
  const { installationKeys, clock } = ports;
  return {
    async 'backup-key.create'({ replace, publicKey: hex }) {
      const earlier = await installationKeys.recovery();
      if (earlier !== undefined && !replace)
        throw new CodedError(problem('BACKUP_KEY_EXISTS', { fingerprint: fingerprintOf(earlier.publicKey) }));
      const publicKey = Buffer.from(hex, 'hex');
      await installationKeys.setRecovery(publicKey, asLocalAdmin(clock));
      return { fingerprint: fingerprintOf(publicKey) };
    },
    async 'backup-key.show'() {
      const key = await installationKeys.recovery();
      return {
        fingerprint: key === undefined ? null : fingerprintOf(key.publicKey),
        createdAt: key?.createdAt.toISOString() ?? null,
      };
    },
  };
}
