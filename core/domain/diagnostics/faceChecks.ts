/** Checks of what is stored of faces: every template, and the content of sampled images. */
import type { CompanyId } from '../../contracts/ids.ts';
import type { DiagnosticResult } from './checks.ts';
import type { OpenStore } from '../ports/diagnostics.ts';

/** So many faces are named in a finding. */
const MAX_NAMED = 20;

/** Whether every template can be compared. @param only this company alone; absent: all */
export async function checkTemplates(
  { storeHealth, companies }: Pick<OpenStore, 'storeHealth' | 'companies'>,
  only: CompanyId | undefined,
): Promise<DiagnosticResult> {
  const { read, damaged, faces } = await storeHealth.damagedTemplates(only);
  if (damaged === 0) return { code: 'facesGood', facts: { read: String(read) } };
  const names = new Map((await companies.list()).map(({ id, name }) => [Number(id), name]));
  const [first] = faces;
  const company = names.get(first?.company ?? 0) ?? String(first?.company);
  const ofCompany = faces.filter((face) => face.company === first?.company);
  return { code: 'facesDamaged', facts: { damaged: String(damaged), company, faces: named(ofCompany) } };
}

/** Whether sampled images are as they were stored. The first company with a damaged one decides. */
export async function checkImages(
  {
    companies,
    imageContents,
    storageFolders,
  }: Pick<OpenStore, 'companies' | 'imageContents' | 'storageFolders'>,
  only: CompanyId | undefined,
): Promise<DiagnosticResult> {
  let all = 0;
  for (const { id, name, storageFolder } of await companies.list()) {
    if (storageFolder === null || (only !== undefined && id !== only)) continue;
    // The check of the storage folders reports this one.
    if ((await storageFolders.problem(id)) !== undefined) continue;
    const { sampled, damaged } = await imageContents.sample(id);
    if (damaged.length > 0)
      return {
        code: 'imagesDamaged',
        facts: {
          company: name,
          damaged: String(damaged.length),
          sampled: String(sampled),
          faces: named(damaged),
        },
      };
    all += sampled;
  }
  return { code: 'imagesGood', facts: { sampled: String(all) } };
}

/** As `vouch erase plan` takes them. */
function named(faces: readonly { face: number | null; validation: number | null }[]): string {
  const options = faces.flatMap(({ face, validation }) =>
    validation !== null ? `--validation ${validation}` : face !== null ? `--face ${face}` : [],
  );
  const more = options.length - MAX_NAMED;
  return options.slice(0, MAX_NAMED).join(' ') + (more > 0 ? ` (and ${more} more)` : '');
}
