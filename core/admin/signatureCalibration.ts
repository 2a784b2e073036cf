import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { SignaturePort } from '../domain/ports/signatures.ts';
import {
  appliedSignatureCalibration,
  type SignatureCalibrationRuns,
} from '../domain/signatures/calibrationRuns.ts';
import type { Companies } from '../storage/settings/companies.ts';
import type { SignatureCalibrations } from '../storage/screening/signatureCalibrations.ts';

export interface SignatureCalibrationCommandPorts {
  companies: Companies;
  clock: Clock;
  signatures: SignaturePort;
  signatureCalibrations: SignatureCalibrations;
  signatureCalibrationRuns: SignatureCalibrationRuns;
}

/** The handlers of `vouch signature-calibration`. */
export function signatureCalibrationCommands(
  ports: SignatureCalibrationCommandPorts,
): Pick<AdminCommandHandlers, Extract<keyof AdminCommandHandlers, `signature-calibration.${string}`>> {
  const { companies, clock, signatureCalibrationRuns: runs } = ports;
  const idOf = async (name: string) => (await companyNamed(companies, name)).id;
  return {
    async 'signature-calibration.begin'({ company }) {
      return { run: runs.begin(await idOf(company)) };
    },
    async 'signature-calibration.add'({ company, run, image, ...label }) {
      return runs.add(await idOf(company), run, { ...label, image: Buffer.from(image, 'base64') });
    },
    async 'signature-calibration.progress'({ company, run }) {
      return runs.progress(await idOf(company), run);
    },
    async 'signature-calibration.apply'({ company, run }) {
      const id = await idOf(company);
      await runs.apply(id, run, asLocalAdmin(clock));
      return appliedSignatureCalibration(ports, id);
    },
    async 'signature-calibration.show'({ company }) {
      return appliedSignatureCalibration(ports, await idOf(company));
    },
    async 'signature-calibration.reset'({ company }) {
      const id = await idOf(company);
      await ports.signatureCalibrations.reset(id, asLocalAdmin(clock));
      return appliedSignatureCalibration(ports, id);
    },
  };
}
