import type { AuditAnchor } from '../../contracts/audit.ts';
import type { Clock, Logger } from '../ports/machine.ts';
import type { AuditAnchors, AuditLog } from './ports.ts';

/** How long an entry may stand unanchored while the service runs, milliseconds. */
const INTERVAL = 10 * 60_000;

export interface AnchorPorts {
  audit: AuditLog;
  anchors: AuditAnchors;
  clock: Clock;
}

/**
 * Writes the head of the log outside the database, unless the newest anchor is of that very head.
 * @returns the newest anchor; undefined while nothing was recorded
 */
export async function anchorAudit(ports: AnchorPorts): Promise<AuditAnchor | undefined> {
  const head = await ports.audit.head(ports.clock.now());
  const newest = (await ports.anchors.read()).anchors.at(-1);
  if (head === undefined || newest?.hash === head.hash) return newest;
  await ports.anchors.add(head);
  return head;
}

/** Anchors the log now, from time to time, and at the end. @returns `close` resolves when the last anchor is durable */
export async function keepAnchored(
  ports: AnchorPorts & { log: Logger },
): Promise<{ close(): Promise<void> }> {
  await anchorAudit(ports);
  const timer = setInterval(() => {
    anchorAudit(ports).catch((error: unknown) => {
      ports.log.error({ err: error }, 'the audit log could not be anchored');
    });
  }, INTERVAL);
  return {
    async close() {
      clearInterval(timer);
      await anchorAudit(ports);
    },
  };
}
