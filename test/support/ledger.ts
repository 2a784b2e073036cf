import { readdir } from 'node:fs/promises';
import type { PipelineId } from '../../core/contracts/ids.ts';
import { validationQuery } from '../../core/contracts/validations.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';

/** Counts of a company's store from different sources; they must agree after every sequence of operations. */
export interface Ledger {
  /** Trust Validations of bulk enrolment, by name. */
  validations: string[];
  /** Faces that the gallery would hold. */
  faces: number;
  /** Image files on disk. */
  files: number;
  /** Of them, those that decrypt and belong to a face. */
  readable: number;
  waiting: number;
}

/** Opens a home on which no service runs, sweeps as a start does, and counts. */
export async function readLedger(
  homeFolder: string,
  companyName: string,
  pipeline: PipelineId,
): Promise<Ledger> {
  const storage = await openStorage(openHome(homeFolder), { now: () => new Date() });
  try {
    const company = await storage.companies.findByName(companyName);
    if (company?.storageFolder == null) throw new Error(`There is no company ${companyName} with storage.`);
    await storage.sweepOrphans(0);
    const faceIds = (await Array.fromAsync(storage.faces.all(company.id, pipeline)))
      .flat()
      .map((one) => one.faceId);
    let readable = 0;
    for (const face of faceIds) {
      const [summary] = await storage.faces.summaries(company.id, [face]);
      if (summary !== undefined && (await storage.images.read(company.id, summary.imageId)) !== undefined)
        readable += 1;
    }
    const entries = await readdir(company.storageFolder, { recursive: true, withFileTypes: true });
    return {
      validations: await allValidationNames(storage, company.id),
      faces: faceIds.length,
      files: entries.filter(({ name }) => name.endsWith('.vimg')).length,
      readable,
      waiting: await storage.queue.waiting(),
    };
  } finally {
    await storage.close();
  }
}

async function allValidationNames(
  storage: Awaited<ReturnType<typeof openStorage>>,
  company: Parameters<typeof storage.validations.list>[0],
): Promise<string[]> {
  const names: string[] = [];
  let after: number | undefined;
  for (;;) {
    const page = await storage.validations.list(company, validationQuery.parse({ limit: 200, after }));
    names.push(...page.map((one) => one.name));
    after = page.at(-1)?.id;
    if (after === undefined) return names;
  }
}
