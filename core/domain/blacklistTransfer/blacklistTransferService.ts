import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type {
  ImportPlan,
  ImportResult,
  InstallationTrust,
  InstallationView,
  ReceivedPackage,
  TrustedInstallationView,
  UndoResult,
  WaitingPackage,
} from '../../contracts/blacklistTransfer.ts';
import type { BlacklistId, CompanyId } from '../../contracts/ids.ts';
import type { Actor, AuditContext } from '../ports/auditContext.ts';
import { afterCommit, FOLLOWS } from '../work/afterCommit.ts';
import { exportList, type ExportPorts } from './exporting.ts';
import { installationFingerprint, installationHash } from './installationNames.ts';
import { importList, type ImportPorts } from './importing.ts';
import { planImport, MAX_PACKAGE_BYTES, MAX_WAITING, WAITING_TIME } from './planning.ts';
import type {
  OpenedPackage,
  SpooledPackage,
  TrustedInstallation,
  TransferPackages,
} from '../ports/blacklistTransfer.ts';
import { hasPassed } from '../values/time.ts';
import type { InstallationKeys } from '../../storage/home/installationKeys.ts';
import type { PackageSpool } from '../../storage/blacklistTransfer/spool.ts';
import { makeRoom } from '../work/keptRuns.ts';
import { equalBytes } from '../values/bytes.ts';
import type { TrustedInstallations } from '../../storage/blacklistTransfer/trustedInstallations.ts';
import { forget } from '../blacklists/blacklistService.ts';
import { Service, type Parts } from '../serviceParts.ts';

export interface BlacklistTransferPorts
  extends Pick<Parts, 'flows' | 'installationKeys'>, ExportPorts, ImportPorts {
  packageSpool: PackageSpool;
}

interface Waiting {
  company: CompanyId;
  spooled: SpooledPackage;
  since: Date;
  plan: ImportPlan;
  /** How many of its faces are ready; null: no import is running. While one runs, no other may start, and the package is kept. */
  taken: number | null;
  /** A person was erased during its import: it is forgotten when the import ends, also where that fails. */
  isOutlived: boolean;
}

/** Blacklists on their way to other installations, and from them. */
export class BlacklistTransferService extends Service<BlacklistTransferPorts> {
  /** By their id, the one that has waited longest first. */
  readonly #waiting = new Map<string, Waiting>();

  /** The certificate of this installation; its keys are made at first use. */
  certificate(by: Actor): Promise<InstallationView> {
    return this.ports.packages.certificate(this.#act(by));
  }

  /**
   * Trusts an installation, if its certificate has the fingerprint that its people read out.
   * @throws {CodedError} another fingerprint, a changed certificate, the own one, or a name that another installation has
   */
  async trust(
    company: CompanyId,
    wanted: InstallationTrust,
    act: AuditContext,
  ): Promise<TrustedInstallationView> {
    return this.#viewOf(await trustInstallation(this.ports, company, wanted, act));
  }

  async trusted(company: CompanyId): Promise<TrustedInstallationView[]> {
    return (await this.ports.trustedInstallations.list(company)).map((trusted) => this.#viewOf(trusted));
  }

  #viewOf(trusted: TrustedInstallation): TrustedInstallationView {
    const { id, name, trustedAt } = trusted;
    const fingerprint = installationFingerprint(this.ports.crypto, trusted);
    return { id, name, fingerprint, trustedAt: trustedAt.toISOString() };
  }

  export(
    company: CompanyId,
    wanted: { list: BlacklistId; installation: number; photos: boolean },
    by: Actor,
  ): ReturnType<typeof exportList> {
    return exportList(this.ports, company, wanted, by);
  }

  /**
   * Takes a package into the home, reads it from its first byte to its signature, and says what importing it would change.
   * It waits there, sealed as it came, until it is imported, dropped, or an hour has passed.
   * @param into a list of the company; absent: the one that this list was imported into before, else a new one
   * @throws {CodedError} why it cannot be imported; nothing of it is kept then
   */
  async receive(
    company: CompanyId,
    content: AsyncIterable<Uint8Array>,
    options: { into?: BlacklistId },
    by: Actor,
  ): Promise<ReceivedPackage> {
    await this.forgetUnused();
    const spooled = await this.ports.packageSpool.keep(content, MAX_PACKAGE_BYTES).catch((error: unknown) => {
      throw error instanceof RangeError
        ? new CodedError(problem('PACKAGE_TOO_LARGE', { gib: MAX_PACKAGE_BYTES / 1024 ** 3 }))
        : error;
    });
    try {
      const { plan } = await this.#plan(company, await this.#open(spooled, by), options, by);
      const since = this.ports.clock.now();
      this.#waiting.set(spooled.id, { company, spooled, since, plan, taken: null, isOutlived: false });
      await this.#makeRoom();
      return { packageId: spooled.id, plan };
    } catch (error) {
      await spooled.remove();
      throw error;
    }
  }

  /** Imports a package that was received. @throws {CodedError} such as NOT_FOUND: it does not wait (any more) */
  async import(
    company: CompanyId,
    id: string,
    options: { into?: BlacklistId },
    by: Actor,
  ): Promise<ImportResult> {
    const waiting = this.#waitingOf(company, id);
    if (waiting.taken !== null) throw new CodedError(problem('PACKAGE_IMPORTING_ALREADY'));
    waiting.taken = 0;
    const taken = () => {
      waiting.taken = (waiting.taken ?? 0) + 1;
    };
    try {
      const opened = await this.#open(waiting.spooled, by);
      const planned = await this.#plan(company, opened, options, by);
      const { plan } = planned;
      const { target, counts, importedAs, listedOtherwise } = plan;
      const result: ImportResult =
        importedAs !== null && target.id !== null
          ? { id: null, target: { id: target.id, name: target.name }, counts, leftOut: [], listedOtherwise }
          : await importList(this.ports, company, { opened, ...planned, taken }, this.#act(by));
      this.#waiting.delete(id);
      await afterCommit(this.ports.log, { company }, FOLLOWS.spooled, () => waiting.spooled.remove());
      return result;
    } finally {
      waiting.taken = null;
      if (waiting.isOutlived) await this.#forget(id);
    }
  }

  /** Forgets a package that was received. @throws {CodedError} it is being imported, or does not wait (any more) */
  async drop(company: CompanyId, id: string): Promise<void> {
    if (this.#waitingOf(company, id).taken !== null) throw new CodedError('PACKAGE_IMPORTING');
    await this.#forget(id);
  }

  /**
   * Forgets what waits: a person was erased, and sealed packages cannot be searched. The operator who brought a package brings it
   * again and sees a plan of the lists as they are now.
   */
  async forgetWaiting(company: CompanyId): Promise<void> {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.company !== company) continue;
      if (waiting.taken === null) await this.#forget(id);
      else waiting.isOutlived = true;
    }
  }

  /** Forgets the packages that waited too long; an import under way keeps its package. */
  async forgetUnused(): Promise<void> {
    const now = this.ports.clock.now();
    for (const [id, { since, taken }] of this.#waiting)
      if (taken === null && hasPassed(since, WAITING_TIME, now)) await this.#forget(id);
  }

  /** The received packages that wait for a decision or are being imported; the oldest first. */
  async waiting(company: CompanyId): Promise<WaitingPackage[]> {
    await this.forgetUnused();
    return [...this.#waiting].flatMap(([packageId, { company: owner, since, plan, taken }]) => {
      if (owner !== company) return [];
      const { gone: _gone, ...read } = plan.counts;
      const total = Object.values(read).reduce((sum, count) => sum + count, 0);
      const progress = taken === null ? null : { done: taken, total };
      return [{ packageId, plan, since: since.toISOString(), progress }];
    });
  }

  /** Takes an import back. @throws {CodedError} NOT_FOUND, IMPORT_UNDONE */
  async undo(company: CompanyId, id: number, by: Actor): Promise<UndoResult> {
    const inUse = await this.#listsInUse(company);
    const undone = await this.ports.transferStore.undo(company, id, inUse, this.#act(by));
    await forget(this.ports, company, undone.removed);
    return undone.result;
  }

  /** The changes that the undo of an import would make now. @throws {CodedError} NOT_FOUND, IMPORT_UNDONE */
  async undoPlan(company: CompanyId, id: number): Promise<UndoResult> {
    return this.ports.transferStore.foreseeUndo(company, id, await this.#listsInUse(company));
  }

  /** Whether a Trust Flow screens against a list. */
  async #listsInUse(company: CompanyId): Promise<(list: BlacklistId) => boolean> {
    const used = new Set<number>();
    for (const { saved } of await this.ports.flows.list(company))
      for (const list of saved?.blacklistDetection.blacklistIds ?? []) used.add(list);
    return (list) => used.has(list);
  }

  async #open(spooled: SpooledPackage, by: Actor): Promise<OpenedPackage> {
    return this.ports.packages.open(this.#act(by), () => spooled.read());
  }

  async #plan(company: CompanyId, opened: OpenedPackage, { into }: { into?: BlacklistId }, by: Actor) {
    const { signingKey } = await this.ports.packages.identity(this.#act(by));
    const own = installationHash(this.ports.crypto, signingKey);
    return planImport(this.ports, company, opened, { own, ...(into !== undefined && { into }) });
  }

  /** @throws {CodedError} the package does not wait (any more) */
  #waitingOf(company: CompanyId, id: string): Waiting {
    const waiting = this.#waiting.get(id);
    if (waiting?.company !== company) throw new CodedError('NOT_FOUND');
    return waiting;
  }

  /** Beyond the limit the company with most packages loses its oldest one, so that no company pushes out another one's. */
  async #makeRoom(): Promise<void> {
    const idle = new Map([...this.#waiting].filter(([, { taken }]) => taken === null));
    const importing = this.#waiting.size - idle.size;
    const kept = new Map(idle);
    makeRoom(kept, Math.max(1, MAX_WAITING - importing), ({ company }) => company);
    for (const id of idle.keys()) if (!kept.has(id)) await this.#forget(id);
  }

  async #forget(id: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    await waiting?.spooled.remove();
  }

  #act(by: Actor) {
    return { by, at: this.ports.clock.now() };
  }
}

/**
 * Trusts an installation's certificate if it is the one whose fingerprint was read out.
 * @throws {CodedError} another fingerprint, a changed certificate, the certificate of this installation, or a name that another installation has
 */
async function trustInstallation(
  {
    trustedInstallations,
    installationKeys,
    packages,
  }: {
    trustedInstallations: TrustedInstallations;
    installationKeys: Pick<InstallationKeys, 'identity'>;
    packages: Pick<TransferPackages, 'readCertificate'>;
  },
  company: CompanyId,
  { certificate, name, fingerprint }: InstallationTrust,
  act: AuditContext,
): Promise<TrustedInstallation> {
  const read = packages.readCertificate(certificate);
  if (spelled(fingerprint) !== spelled(read.fingerprint))
    throw new CodedError(
      problem('INSTALLATION_CERTIFICATE_FINGERPRINT_WRONG', { fingerprint: read.fingerprint }),
    );
  const { signingKey, receivingKey, name: ownName } = read;
  const own = await installationKeys.identity();
  if (own !== undefined && equalBytes(own.signing.publicKey, signingKey))
    throw new CodedError(problem('INSTALLATION_CERTIFICATE_OWN'));
  return trustedInstallations.trust(company, { name: name ?? ownName, signingKey, receivingKey }, act);
}

/** The digits of a fingerprint as people type or read it. */
function spelled(fingerprint: string): string {
  return fingerprint.toLowerCase().replaceAll(/[^0-9a-f]/g, '');
}
