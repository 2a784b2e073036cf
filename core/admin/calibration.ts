import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import type { PipelineRegistry } from '../domain/recognition/pipelineRegistry.ts';
import type { Clock } from '../domain/ports/machine.ts';
import { appliedCalibrationOf, chooseThresholds } from '../domain/calibration/applied.ts';
import type { CalibrationRuns } from '../domain/calibration/runs.ts';
import type { CompanyCalibrations } from '../storage/faces/companyCalibrations.ts';
import type { Companies } from '../storage/settings/companies.ts';

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
      return runs.add(await companyNamed(companies, company), run, photo);
    },
    async 'calibration.report'({ company, run }) {
      return { run, ...(await runs.report(await idOf(company), run)) };
    },
    async 'calibration.apply'({ company, run }) {
      const id = await idOf(company);
      await runs.apply(id, run, asLocalAdmin(clock));
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
