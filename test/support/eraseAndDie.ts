/** `eraseAndDie HOME COMPANY VALIDATION WHEN`: erases, and is killed as by a power cut at a moment of the erasure. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { trusted, type CompanyId } from '../../core/contracts/ids.ts';

const [folder = '', company, validation, when] = process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');

if (when === 'before the first file goes') {
  const { rm } = fs.promises;
  fs.promises.rm = async (path, options) => {
    if (String(path).endsWith('.vimg')) die();
    await rm(path, options);
  };
  syncBuiltinESMExports();
}
const { AuditLog } = await import('../../core/storage/audit/auditLog.ts');
/** Does `before` in front of a method of the log. */
function ahead(name: 'append' | 'sign', before: (action: string | undefined) => void): void {
  type Method = (this: unknown, ...parameters: unknown[]) => Promise<unknown>;
  const method = Reflect.get(AuditLog.prototype, name) as Method;
  const value: Method = function (...parameters) {
    before((parameters[2] as { action?: string } | undefined)?.action);
    return method.apply(this, parameters);
  };
  Object.defineProperty(AuditLog.prototype, name, { value });
}
ahead('append', (action) => {
  if (when === 'before the commit' && action === 'person.erased') die();
});
ahead('sign', () => {
  if (when === 'before the receipt is signed') die();
});

const { openErasureSite } = await import('./erasureSite.ts');
const site = await openErasureSite(folder);
const id = Number(company) as CompanyId;
const choice = {
  validations: [trusted.trustValidation(Number(validation))],
  faces: [],
  photos: [],
  comparisons: [],
};
const plan = await site.service.plan(id, choice);
await site.service.run(
  id,
  { choice, code: plan.code, copies: 'keep' },
  { by: 'local-admin', at: new Date() },
);
