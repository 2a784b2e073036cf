import type { DatabaseServerFacts } from '../ports/diagnostics.ts';
import type { DiagnosticResult } from './checks.ts';

/** Seconds by which the clocks of two machines may differ. */
const CLOCK_TOLERANCE = 60;
/** Seconds. No work of the service keeps a transaction open for so long. */
const OLD_TRANSACTION = 3_600;
/** Seconds. */
const LAG_TOLERANCE = 30;
/** The share of the connections beyond which another service may find none. */
const FULL = 0.9;

/** The worst finding about the server of the database. @param facts undefined: the database is a file */
export function judgeServer(facts: DatabaseServerFacts | undefined): DiagnosticResult {
  if (facts === undefined) return { code: 'serverNone', facts: {} };
  return failureOf(facts) ?? warningOf(facts) ?? goodServer(facts);
}

function goodServer({
  version,
  connections,
  maxConnections,
  standbys,
}: DatabaseServerFacts): DiagnosticResult {
  return {
    code: 'serverGood',
    facts: {
      version,
      connections: String(connections),
      most: String(maxConnections),
      standbys: String(standbys.length),
    },
  };
}

function failureOf(facts: DatabaseServerFacts): DiagnosticResult | undefined {
  const { unsafeSettings, otherCollations, clockDifference, awaitedStandbys, standbys, seesActivity } = facts;
  if (unsafeSettings.length > 0)
    return { code: 'serverUnsafe', facts: { settings: unsafeSettings.join(', ') } };
  if (otherCollations.length > 0)
    return { code: 'serverCollation', facts: { columns: otherCollations.slice(0, 5).join(', ') } };
  if (Math.abs(clockDifference) > CLOCK_TOLERANCE)
    return { code: 'serverClock', facts: { seconds: whole(Math.abs(clockDifference)) } };
  if (awaitedStandbys !== '' && seesActivity && !standbys.some(({ isSynchronous }) => isSynchronous))
    return { code: 'serverStandbyLost', facts: { names: awaitedStandbys } };
  return undefined;
}

function warningOf(facts: DatabaseServerFacts): DiagnosticResult | undefined {
  const { role, standbys, connections, maxConnections, oldestTransaction } = facts;
  if (facts.services > 1 && !facts.sharesImages)
    return { code: 'serverImages', facts: { services: String(facts.services) } };
  const late = standbys.find(({ lag }) => (lag ?? 0) > LAG_TOLERANCE);
  if (late !== undefined)
    return { code: 'serverStandbyLags', facts: { name: late.name, seconds: whole(late.lag ?? 0) } };
  if (connections > FULL * maxConnections)
    return {
      code: 'serverConnections',
      facts: { connections: String(connections), most: String(maxConnections) },
    };
  if (oldestTransaction > OLD_TRANSACTION)
    return { code: 'serverTransaction', facts: { minutes: whole(oldestTransaction / 60) } };
  if (facts.ownsAuditLog) return { code: 'serverOwner', facts: { role } };
  if (!facts.hasNameIndex) return { code: 'serverNameIndex', facts: {} };
  if (!facts.hasChecksums) return { code: 'serverChecksums', facts: {} };
  if (!facts.seesActivity) return { code: 'serverHidden', facts: { role } };
  return undefined;
}

function whole(value: number): string {
  return String(Math.round(value));
}
