import { byOwner, CommandRefused, type Handlers } from '../commands.ts';
import type { Clock } from '../ports/machine.ts';
import { fingerprintOf } from '../sealing/keys.ts';
import { makeRecoveryKey } from '../sealing/recoveryKey.ts';
import type { SiteKeys } from './ports.ts';

export interface RecoveryPorts {
  siteKeys: SiteKeys;
  clock: Clock;
}

/** The key on paper with which backups are opened. */
export function recoveryCommands(ports: RecoveryPorts): Pick<Handlers, 'recovery.create' | 'recovery.show'> {
  const { siteKeys, clock } = ports;
  return {
    async 'recovery.create'({ replace }) {
      const earlier = await siteKeys.recovery();
      if (earlier !== undefined && !replace)
        throw new CommandRefused(
          `There is a backup key already (${fingerprintOf(earlier.publicKey)}). --replace makes another for the backups to come; those made so far still need the earlier one.`,
        );
      const { key, publicKey } = makeRecoveryKey();
      await siteKeys.setRecovery(publicKey, byOwner(clock));
      return { recoveryKey: key, fingerprint: fingerprintOf(publicKey) };
    },
    async 'recovery.show'() {
      const key = await siteKeys.recovery();
      return {
        fingerprint: key === undefined ? null : fingerprintOf(key.publicKey),
        createdAt: key?.createdAt.toISOString() ?? null,
      };
    },
  };
}
