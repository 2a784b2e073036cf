import type { AuditAnchor, AuditState, AuditVerdict } from '../../contracts/audit.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { systemProblem } from '../../contracts/errors/systemProblem.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { Installation } from '../../storage/settings/companies.ts';
import { acceptLog, anchorAuditLog, checkAnchors, type AnchorPorts } from './anchor.ts';

export interface AuditServicePorts extends AnchorPorts {
  installation: Installation;
}

/** The operations on the audit log: verify it and anchor it. No operation changes an entry. */
export class AuditService {
  readonly #ports: AuditServicePorts;
  #running: Promise<AuditVerdict> | undefined;

  constructor(ports: AuditServicePorts) {
    this.#ports = ports;
  }

  /**
   * Reads the whole log and compares it with itself and with all anchors. A call while that runs gets its verdict.
   * @param company of the caller; null: the local administrator
   * @param elsewhere anchors that were kept outside the home
   */
  async verify(
    company: CompanyId | null,
    act: AuditContext,
    elsewhere: readonly AuditAnchor[] = [],
  ): Promise<AuditVerdict> {
    const { audit } = this.#ports;
    const verdict = elsewhere.length > 0 ? await this.#verifyWith(elsewhere) : await this.#verifyAtHome();
    // A log that is not whole is evidence: a verification adds no entry to it.
    if (verdict.whole)
      await audit.record(act, {
        company,
        action: 'audit.verified',
        object: null,
        details: { entries: verdict.entries },
      });
    return verdict;
  }

  /**
   * Writes the head of the log outside the database, this act included.
   * @throws {CodedError} when the log contradicts an earlier anchor; then no entry and no anchor is written
   */
  async anchor(company: CompanyId | null, act: AuditContext): Promise<AuditAnchor> {
    await checkAnchors(this.#ports);
    await this.#ports.audit.record(act, { company, action: 'audit.anchored', object: null });
    const anchor = await anchorAuditLog(this.#ports);
    if (anchor === undefined) throw new Error('An audit log with an entry has no head.');
    return anchor;
  }

  /** @throws {CodedError} as {@link acceptLog} does */
  accept(act: AuditContext): Promise<{ kept: string; anchor: AuditAnchor }> {
    return acceptLog(this.#ports, act);
  }

  /**
   * Appends every anchor to a new file in a folder from now on. The first one covers the audit entry of this change.
   * @param folder absolute; null: no external anchor file
   * @throws {CodedError} the file cannot be written
   */
  async useExternalFile(folder: string | null, act: AuditContext): Promise<AuditState['external']> {
    const { anchors, installation } = this.#ports;
    if (folder === null) await installation.update({ externalAnchorFile: null }, act);
    else {
      const file = await anchors.beginExternal(folder, act.at).catch((error: unknown) => {
        throw new CodedError(problem('ANCHOR_FILE_NOT_WRITABLE', { folder, cause: systemProblem(error) }));
      });
      await installation.update({ externalAnchorFile: file }, act);
      await anchorAuditLog(this.#ports);
    }
    return (await this.state()).external;
  }

  /** The present protection of the log. */
  async state(): Promise<Pick<AuditState, 'head' | 'anchor' | 'external'>> {
    const { audit, anchors, clock } = this.#ports;
    const head = await audit.head(clock.now());
    const { kept, external } = await anchors.read();
    return { head: head ?? null, anchor: kept[0]?.anchors.at(-1) ?? null, external };
  }

  /** Anchors that a person gathered have no order of their own. */
  async #verifyWith(elsewhere: readonly AuditAnchor[]): Promise<AuditVerdict> {
    const { kept } = await this.#ports.anchors.read();
    const given = elsewhere.toSorted((a, b) => a.sequence - b.sequence);
    return this.#ports.audit.verify([...kept, { file: 'the given file', anchors: given, damaged: [] }]);
  }

  #verifyAtHome(): Promise<AuditVerdict> {
    const { audit, anchors } = this.#ports;
    this.#running ??= anchors
      .read()
      .then(({ kept }) => audit.verify(kept))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}
