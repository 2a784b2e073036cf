import { problem, CodedError } from '../contracts/errors/problem.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import type { PipelineRegistry } from '../domain/recognition/pipelineRegistry.ts';
import type { Companies } from '../domain/ports/companies.ts';
import type { Clock } from '../domain/ports/machine.ts';
import { appliedCalibrationOf, chooseThresholds } from '../domain/calibration/applied.ts';
import type { CompanyCalibrations } from '../domain/ports/calibration.ts';
import { MOST_PHOTOS, type CalibrationRuns } from '../domain/calibration/runs.ts';

export interface CalibrationCommandPorts {
  companies: Companies;
  clock: Clock;
  calibrationRuns: CalibrationRuns;
  companyCalibrations: CompanyCalibrations;
  recognition: PipelineRegistry;
}

/** The handlers of `vouch calibration …`. */
export function calibrationCommands(
  ports: CalibrationCommandPorts,
): Pick<AdminCommandHandlers, Extract<keyof AdminCommandHandlers, `calibration.${string}`>> {
  const { companies, clock, calibrationRuns: runs } = ports;
  const idOf = async (name: string) => (await companyNamed(companies, name)).id;
  return {
    async 'calibration.begin'({ company }) {
      return { run: runs.begin(await idOf(company)) };
    },
    async 'calibration.add'({ company, run, person, file, image }) {
      const photo = { person, file, image: Buffer.from(image, 'base64') };
      const added = await runs.add(await companyNamed(companies, company), run, photo);
      if (added.kind === 'unknown-run') throw new CodedError(UNKNOWN_RUN);
      if (added.kind === 'full') throw new CodedError(problem('CALIBRATION_FULL', { most: MOST_PHOTOS }));
      return {
        refused: added.kind === 'refused' ? added.code : null,
        sameAs: added.kind === 'same-photo' ? added.as : null,
      };
    },
    async 'calibration.report'({ company, run }) {
      const report = await runs.report(await idOf(company), run);
      if (report === undefined) throw new CodedError(UNKNOWN_RUN);
      return { run, ...report };
    },
    async 'calibration.apply'({ company, run }) {
      const id = await idOf(company);
      const outcome = await runs.apply(id, run, asLocalAdmin(clock));
      if (outcome === 'unknown-run') throw new CodedError(UNKNOWN_RUN);
      if (outcome === 'mislabelled') throw new CodedError(problem('CALIBRATION_MISLABELLED'));
      if (outcome === 'too-few') throw new CodedError(problem('CALIBRATION_TOO_FEW'));
      return appliedCalibrationOf(ports, id);
    },
    async 'calibration.show'({ company }) {
      return appliedCalibrationOf(ports, await idOf(company));
    },
    async 'calibration.profile'({ company, thresholds }) {
      const id = await idOf(company);
      await chooseThresholds(ports, id, thresholds, asLocalAdmin(clock));
      return appliedCalibrationOf(ports, id);
    },
    async 'calibration.reset'({ company }) {
      const id = await idOf(company);
      await ports.companyCalibrations.reset(id, asLocalAdmin(clock));
      return appliedCalibrationOf(ports, id);
    },
  };
}

const UNKNOWN_RUN = problem('CALIBRATION_RUN_UNKNOWN');
