import { CodedError, problem, type ErrorCode } from '../../contracts/errors/problem.ts';
import type { AuditAnchor } from '../../contracts/audit.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { Logger, Platform } from '../ports/machine.ts';
import type { KeptAnchors } from '../ports/auditEntry.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';
import type { Storage } from '../../storage/index.ts';

export type AnchorPorts = Pick<Storage, 'audit' | 'anchors'> & Pick<Platform, 'clock'>;

/** Whether an error says that the log contradicts an earlier anchor: it was truncated, changed or rolled back. */
export function isLogContradiction(error: unknown): error is CodedError {
  return error instanceof CodedError && CONTRADICTIONS.has(error.problem.code);
}
const CONTRADICTIONS = new Set<ErrorCode>(['AUDIT_ENTRY_MISSING', 'AUDIT_ENTRY_CHANGED']);

/**
 * Writes the head of the log outside the database, unless the newest anchor is of that very head.
 * @returns the newest anchor; undefined while the log has no entry
 * @throws {CodedError} when the newest anchor of a file is beyond the head, or of another entry than the log holds:
 *   a new anchor behind it would hide the contradiction
 */
export async function anchorAuditLog(ports: AnchorPorts): Promise<AuditAnchor | undefined> {
  let newest: AuditAnchor | undefined;
  await ports.anchors.next(async (files) => {
    for (const file of files) await refuseContradicted(ports.audit, file);
    newest = files[0]?.anchors.at(-1);
    const head = await ports.audit.head(ports.clock.now());
    if (head === undefined || newest?.hash === head.hash) return undefined;
    newest = head;
    return head;
  });
  return newest;
}

/** @throws {CodedError} as {@link anchorAuditLog} does; writes no anchor */
export async function checkAnchors({ audit, anchors }: AnchorPorts): Promise<void> {
  for (const file of (await anchors.read()).kept) await refuseContradicted(audit, file);
}

/**
 * A log that contradicts the anchors of its home was probably put back to an earlier state, in which withdrawn rights are valid
 * again: an administrator decides whether the service starts with it. An external anchor file alone does not keep it from
 * starting, because a restored backup always contradicts it.
 * @throws {CodedError} the log contradicts the file of the home
 */
export async function requireAnchoredLog({ audit, anchors }: AnchorPorts): Promise<void> {
  const [own] = (await anchors.read()).kept;
  const found = own && (await contradictionOf(audit, own));
  if (found === undefined) return;
  throw new CodedError(problem('AUDIT_START_REFUSED', { cause: found.problem }), { cause: found });
}

/**
 * Goes on with a log that contradicts the anchors of its home: they are set aside, and the log is anchored as it is now. The
 * entry of the act states their number.
 * @throws {CodedError} nothing contradicts the log
 */
export async function acceptLog(
  ports: AnchorPorts,
  act: AuditContext,
): Promise<{ kept: string; anchor: AuditAnchor }> {
  const [own] = (await ports.anchors.read()).kept;
  if (own === undefined || (await contradictionOf(ports.audit, own)) === undefined)
    throw new CodedError(problem('AUDIT_NOT_CONTRADICTED'));
  const kept = await ports.anchors.setAside(act.at);
  const setAside = own.anchors.length;
  await ports.audit.record(act, {
    company: null,
    action: 'audit.anchored',
    object: null,
    details: { setAside },
  });
  let anchor: AuditAnchor | undefined;
  await ports.anchors.next(async () => {
    anchor = await ports.audit.head(ports.clock.now());
    return anchor;
  });
  if (anchor === undefined) throw new Error('An audit log with an entry has no head.');
  return { kept, anchor };
}

/** Notices that the database goes back to an earlier state while the service runs. */
export class HeadWatch {
  readonly #ports: AnchorPorts;
  #newest: AuditAnchor | undefined;

  constructor(ports: AnchorPorts) {
    this.#ports = ports;
  }

  /**
   * Compares the log with the newest head that this process has seen, and the newest that it has written since.
   * @returns that head where the log no longer has it: as the newest anchor it keeps every service from starting with this
   *   database before an administrator accepts it
   */
  async lost(): Promise<AuditAnchor | undefined> {
    const { audit, clock } = this.#ports;
    for (const known of [audit.takeWritten(), this.#newest])
      if (known !== undefined && (await audit.hashOf(known.sequence)) !== known.hash) return known;
    const head = await audit.head(clock.now());
    // A head that names another entry than the newest is found by a verification.
    if (head !== undefined && (await audit.hashOf(head.sequence)) === head.hash) this.#newest = head;
    return undefined;
  }
}

async function refuseContradicted(audit: AuditLog, kept: KeptAnchors): Promise<void> {
  const found = await contradictionOf(audit, kept);
  if (found !== undefined) throw found;
}

/**
 * Compares two anchors of a file with the log: that of the highest entry, and the last, which a service wrote when its log went
 * back. The whole is compared by a verification.
 */
async function contradictionOf(
  audit: AuditLog,
  { file, anchors }: KeptAnchors,
): Promise<CodedError | undefined> {
  const highest = anchors.reduce<AuditAnchor | undefined>(
    (most, anchor) => (most === undefined || anchor.sequence >= most.sequence ? anchor : most),
    undefined,
  );
  for (const { sequence, hash } of new Set([highest, anchors.at(-1)].filter((one) => one !== undefined))) {
    const found = await audit.hashOf(sequence);
    if (found !== hash)
      return new CodedError(
        found === undefined
          ? problem('AUDIT_ENTRY_MISSING', { sequence, file })
          : problem('AUDIT_ENTRY_CHANGED', { sequence, file }),
      );
  }
  return undefined;
}

/**
 * Anchors the log and logs what keeps it from being anchored. A contradiction stops no service: it is a result of the
 * self-diagnosis, and the anchors stay as they are.
 */
export async function anchorAndReport(ports: AnchorPorts & { log: Logger }): Promise<void> {
  const { anchors, log } = ports;
  try {
    await anchorAuditLog(ports);
    const { external } = await anchors.read();
    if (external.problem !== null)
      log.warn({ ...external }, 'the external anchor file of the audit log cannot be used');
  } catch (error) {
    if (!isLogContradiction(error)) throw error;
    log.error({ err: error }, 'the audit log contradicts its anchors; no anchor was written');
  }
}
