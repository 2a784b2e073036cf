/** Companies whose pipeline cannot be run: no face can be compared there until it can, or another one is active. */
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { MissingPipeline, MissingPorts } from '../ports/pipelines.ts';

/** @param installed ids that can be run. @param only this company; absent: all */
export async function missingPipelines(
  { companies, pipelines }: MissingPorts,
  installed: ReadonlySet<PipelineId>,
  only?: CompanyId,
): Promise<MissingPipeline[]> {
  const gone = (await pipelines.active()).filter(({ pipeline }) => !installed.has(pipeline));
  if (gone.length === 0) return [];
  const names = new Map((await companies.list()).map(({ id, name }) => [id, name]));
  const targets = new Map((await pipelines.migrations()).map(({ company, target }) => [company, target]));
  const missing: MissingPipeline[] = [];
  for (const { company, pipeline } of gone) {
    const name = names.get(company);
    if (name === undefined || (only !== undefined && company !== only)) continue;
    const target = targets.get(company);
    const counts = target === undefined ? undefined : await pipelines.counts(company, target);
    const change = counts === undefined ? null : { extracted: counts.extracted, total: counts.total };
    missing.push({ company: name, pipeline, change });
  }
  return missing;
}
