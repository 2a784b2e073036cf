import type { CompanyId } from '../../contracts/ids.ts';
import type { DiagnosticResult } from './checks.ts';
import type { StorageCheckPorts } from '../ports/diagnostics.ts';

/**
 * Whether each storage folder is in place and has the files of sampled images. The first folder that is not as it should
 * be decides.
 * @param only this company alone; absent: all
 */
export async function checkStorage(
  ports: StorageCheckPorts,
  only: CompanyId | undefined,
): Promise<DiagnosticResult> {
  let folders = 0;
  let sampled = 0;
  for (const { id, storageFolder } of await ports.companies.list()) {
    if (storageFolder === null || (only !== undefined && id !== only)) continue;
    const problem = await ports.storageFolders.problem(id);
    if (problem !== undefined) return { code: 'storageUnusable', facts: { problem } };
    const found = await ports.imageSamples.withoutFile(id);
    if (found.missing > 0)
      return {
        code: 'imagesMissing',
        facts: {
          folder: storageFolder,
          missing: String(found.missing),
          sampled: String(found.sampled),
        },
      };
    folders += 1;
    sampled += found.sampled;
  }
  return { code: 'storageGood', facts: { folders: String(folders), sampled: String(sampled) } };
}
