/** A run of duplicate detection as the dashboard and programs are sent it. */
import type { DuplicateRun as DuplicateRunBody } from '../../contracts/dashboard/duplicates.ts';
import type { BlacklistId, CompanyId } from '../../contracts/ids.ts';
import type { DuplicateSearch } from '../../domain/duplicates/duplicateSearch.ts';
import type { DuplicateRun } from '../../storage/duplicates/runs.ts';
import type { PipelineRegistry } from '../../domain/recognition/pipelineRegistry.ts';
import { similarityScore } from '../../domain/scores/scores.ts';
import { ApiError } from './errors.ts';
import type { Blacklists } from '../../storage/screening/blacklists.ts';

export interface RunBodyPorts {
  duplicateSearch: DuplicateSearch;
  recognition: Pick<PipelineRegistry, 'calibrationOf'>;
}

/** All of the body but the names of its blacklists and of the account that started it. */
export function runBody(
  { duplicateSearch, recognition }: RunBodyPorts,
  run: DuplicateRun,
): Omit<DuplicateRunBody, 'blacklists' | 'startedByName'> {
  const { company, pipeline, maxDistance, blacklists: _lists, ...facts } = run;
  const { chance, rate, secondsLeft } = duplicateSearch.progress(run);
  const calibration = recognition.calibrationOf(company, pipeline);
  return {
    ...facts,
    nearFrom:
      maxDistance === null || calibration === undefined ? null : similarityScore(calibration, maxDistance),
    pipelineId: pipeline,
    expected: chance,
    facesPerSecond: rate,
    secondsLeft,
  };
}

/** @throws {ApiError} 404: the company has no such blacklist */
export async function requireBlacklists(
  blacklists: Pick<Blacklists, 'find'>,
  company: CompanyId,
  ids: readonly BlacklistId[],
): Promise<void> {
  for (const id of ids)
    if ((await blacklists.find(company, id)) === undefined) throw new ApiError('NOT_FOUND');
}
