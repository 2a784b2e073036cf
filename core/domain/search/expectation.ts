/** The use of a company in the last weeks, and the shares of people whom its thresholds find. */
import { USE_WEEKS, type Expectation } from '../../contracts/expectation.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';
import type { TrustFlows } from '../../storage/screening/trustFlows.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import type { Clock } from '../ports/machine.ts';
import type { PipelineRegistry } from '../recognition/pipelineRegistry.ts';
import { searchedRate } from '../scores/scores.ts';

const WEEK = 7 * 24 * 60 * 60_000;

interface ExpectationPorts {
  audit: Pick<AuditLog, 'count'>;
  clock: Clock;
  companies: Pick<Companies, 'find'>;
  flows: Pick<TrustFlows, 'verificationsSince'>;
  recognition: Pick<PipelineRegistry, 'pipelineOf' | 'calibrationOf'>;
}

export async function expectationOf(ports: ExpectationPorts, company: CompanyId): Promise<Expectation> {
  const { audit, clock, companies, flows, recognition } = ports;
  const now = clock.now().getTime();
  const age = (now - ((await companies.find(company))?.createdAt.getTime() ?? now)) / WEEK;
  const from = new Date(now - USE_WEEKS * WEEK);
  const calibration = recognition.calibrationOf(company, recognition.pipelineOf(company));
  const { found } = calibration ?? {};
  return {
    weeks: Math.min(USE_WEEKS, age),
    searches: await audit.count(company, { action: 'search.run', from: from.toISOString() }),
    verifications: await flows.verificationsSince(company, from),
    found:
      calibration === undefined || found === undefined
        ? null
        : {
            people: found.people,
            rows: found.rows.map(({ distance, found: shares }) => ({
              falseMatchRate: searchedRate(calibration, distance),
              found: [...shares],
            })),
          },
  };
}
