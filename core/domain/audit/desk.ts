import type { AuditAnchor, AuditState, AuditVerdict } from '../../contracts/audit.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Act } from '../actor.ts';
import { anchorAudit, type AnchorPorts } from './anchor.ts';

/** What people may do with the audit log: verify it and anchor it. Nobody may change it. */
export class AuditDesk {
  readonly #ports: AnchorPorts;
  #running: Promise<AuditVerdict> | undefined;

  constructor(ports: AnchorPorts) {
    this.#ports = ports;
  }

  /**
   * Reads the whole log and compares it with itself and with all anchors. Who asks while that runs gets its verdict.
   * @param company of whoever asks; null: the owner of the machine
   * @param elsewhere anchors that were kept outside the home
   */
  async verify(
    company: CompanyId | null,
    act: Act,
    elsewhere: readonly AuditAnchor[] = [],
  ): Promise<AuditVerdict> {
    const { audit } = this.#ports;
    const verdict = elsewhere.length > 0 ? await this.#verifyWith(elsewhere) : await this.#verifyAtHome();
    // A log that is not whole is evidence: nothing more is written to it by looking at it.
    if (verdict.whole)
      await audit.record(act, {
        company,
        action: 'audit.verified',
        object: null,
        facts: { entries: verdict.entries },
      });
    return verdict;
  }

  /**
   * Writes the head of the log outside the database, this act included. A backup calls it before it copies, and keeps
   * what it returns with the copy.
   */
  async anchor(company: CompanyId | null, act: Act): Promise<AuditAnchor> {
    await this.#ports.audit.record(act, { company, action: 'audit.anchored', object: null });
    const anchor = await anchorAudit(this.#ports);
    if (anchor === undefined) throw new Error('An audit log with an entry has no head.');
    return anchor;
  }

  /** What protects the log now. */
  async state(): Promise<Pick<AuditState, 'head' | 'anchor'>> {
    const { audit, anchors, clock } = this.#ports;
    const head = await audit.head(clock.now());
    return { head: head ?? null, anchor: (await anchors.read()).anchors.at(-1) ?? null };
  }

  async #verifyWith(elsewhere: readonly AuditAnchor[]): Promise<AuditVerdict> {
    const { anchors, damaged } = await this.#ports.anchors.read();
    return this.#ports.audit.verify({ anchors: [...anchors, ...elsewhere], damaged });
  }

  #verifyAtHome(): Promise<AuditVerdict> {
    const { audit, anchors } = this.#ports;
    this.#running ??= anchors
      .read()
      .then((known) => audit.verify(known))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}
