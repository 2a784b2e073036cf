import type { BackupKeyCheck } from '../../contracts/dashboard/backups.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { BackupKeys } from '../ports/backupRuns.ts';
import { refuseSeveralCompanies, type PlacePorts } from './preconditions.ts';
import { bytesOfHex, hexOf } from '../common/encoding.ts';
import type { InstallationKeys } from '../../storage/home/installationKeys.ts';

interface BackupKeyPorts {
  backupKeys: BackupKeys;
  installationKeys: InstallationKeys;
  companies: PlacePorts['companies'];
}

/** The key that opens the backups: the operator keeps it on paper, the installation its public half. */
export class BackupKeyService {
  readonly #ports: BackupKeyPorts;

  constructor(ports: BackupKeyPorts) {
    this.#ports = ports;
  }

  /** A new key pair, which is stored nowhere: {@link set} takes its public half when the operator has stored the key. */
  draft(): { text: string; publicKey: string; fingerprint: string } {
    const { text, publicKey, fingerprint } = this.#ports.backupKeys.create();
    return { text, publicKey: hexOf(publicKey), fingerprint };
  }

  /**
   * Makes a drafted key the key of later backups.
   * @param replaces fingerprint of the present key; null: there is none
   * @throws {CodedError} another key is present
   */
  async set(publicKey: string, replaces: string | null, act: AuditContext): Promise<void> {
    await refuseSeveralCompanies(this.#ports.companies);
    const { installationKeys, backupKeys } = this.#ports;
    const present = await installationKeys.recovery();
    if ((present === undefined ? null : backupKeys.fingerprintOf(present.publicKey)) !== replaces)
      throw new CodedError(problem('BACKUP_KEY_CHANGED'));
    await installationKeys.setRecovery(bytesOfHex(publicKey), act);
  }

  /** Whether a typed key opens the backups that are made now. */
  async check(typed: string): Promise<BackupKeyCheck> {
    const { installationKeys, backupKeys } = this.#ports;
    const fingerprint = backupKeys.read(typed);
    if (fingerprint === undefined) return { result: 'mistyped', fingerprint: null };
    const present = await installationKeys.recovery();
    const right = present !== undefined && backupKeys.fingerprintOf(present.publicKey) === fingerprint;
    return { result: right ? 'right' : 'other', fingerprint };
  }
}
