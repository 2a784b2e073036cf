/** A process that dies by SIGKILL between the COMMIT of a finalisation and the gallery's append. */
import type { CompanyId, TrustFlowId, TrustValidationId } from '../../core/contracts/ids.ts';
import { Verifications } from '../../core/domain/screening/verifications.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { RememberingGallery, SILENT_LOG } from './fakes.ts';
import { visionOfPeople } from './people.ts';

class DeadlyGallery extends RememberingGallery {
  override append(): void {
    process.kill(process.pid, 'SIGKILL');
  }
}

const [home = '', company, flow, validation] = process.argv.slice(2);
const clock = { now: () => new Date() };
const storage = await openStorage(openHome(home), clock);
const verifications = new Verifications({
  ...storage,
  vision: visionOfPeople(),
  gallery: new DeadlyGallery(),
  clock,
  log: SILENT_LOG,
});
const owner = await storage.companies.find(Number(company) as CompanyId);
if (owner === undefined) throw new Error('This company no longer exists.');
await verifications.finalise(
  owner,
  {
    flowId: Number(flow) as TrustFlowId,
    id: Number(validation) as TrustValidationId,
  },
  'local-admin',
);
