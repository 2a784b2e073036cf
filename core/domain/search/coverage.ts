import { BLACKLIST_STATUS } from '../../contracts/codes.ts';
import type { BlacklistId, CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { NewAuditEntry } from '../ports/auditEntry.ts';
import type { Parts } from '../serviceParts.ts';
import type { GalleryPort, Watchlist } from '../ports/gallery.ts';
import type { Persons } from '../../storage/persons/persons.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import type { Blacklists } from '../../storage/screening/blacklists.ts';

/** The coverage of a search beyond the enrolled faces and the active blacklists of a company. */
interface CoverageOptions {
  /** Blacklists that were deactivated. */
  inactiveLists: boolean;
  /** Blacklists of a company that has the feature switched off. */
  listsWithoutFeature: boolean;
}

/** A person looks for a face: at the dashboard or the terminal. */
export const SEARCH: CoverageOptions = { inactiveLists: false, listsWithoutFeature: false };
/** For the erasure of a person: all stored faces count, also those that cannot be matched. */
export const ERASURE: CoverageOptions = { inactiveLists: true, listsWithoutFeature: true };

export type SearchCoverage = Awaited<ReturnType<typeof searchCoverage>>;

interface CoveragePorts {
  companies: Pick<Companies, 'find'>;
  blacklists: Pick<Blacklists, 'all'>;
  gallery: Pick<GalleryPort, 'ready' | 'size'>;
}

/**
 * How many persons each watchlist has: its faces in the gallery, less the further photos of persons, which the store counts
 * now and then. A face that was enrolled since counts as a person.
 * @param lists ids of blacklists with their faces; null: the enrolled faces
 */
export async function withPersons<L extends { id: BlacklistId | null; faces: number }>(
  persons: Pick<Persons, 'furtherPhotos'>,
  company: CompanyId,
  pipeline: PipelineId,
  lists: readonly L[],
): Promise<(L & { persons: number })[]> {
  const further = await persons.furtherPhotos(company, pipeline);
  return lists.map((list) => ({ ...list, persons: Math.max(0, list.faces - (further.get(list.id) ?? 0)) }));
}

/** The one rule for which watchlists of a company a search covers. */
export async function searchCoverage(
  { companies, blacklists, gallery }: CoveragePorts,
  company: CompanyId,
  { inactiveLists, listsWithoutFeature }: CoverageOptions,
) {
  const enabled = (await companies.find(company))?.settings.blacklistsEnabled === true;
  const lists = enabled || listsWithoutFeature ? await blacklists.all(company) : [];
  const covered = lists.filter(({ status }) => inactiveLists || status === BLACKLIST_STATUS.Active);
  const watchlists: Watchlist[] = [
    { kind: 'duplicate' },
    ...covered.map(({ id }) => ({ kind: 'blacklist', blacklistId: id }) as const),
  ];
  await gallery.ready();
  const searched = await Promise.all(
    watchlists.map(async (watchlist, index) => ({
      id: covered[index - 1]?.id ?? null,
      name: covered[index - 1]?.name ?? null,
      faces: await gallery.size(company, watchlist),
    })),
  );
  return {
    watchlists,
    /** The watchlists with their names and sizes, in the same order; nulls: the enrolled faces of duplicate detection. */
    searched,
    /** Names of the blacklists among them. */
    names: new Map(covered.map(({ id, name }) => [id, name])),
    /** Faces in all of them together. */
    faces: searched.reduce((sum, { faces }) => sum + faces, 0),
  };
}

/** The blacklists among some watchlists by their ids, as the audit log has them; null: duplicate detection. */
export const listIds = (watchlists: readonly Watchlist[]) =>
  watchlists.map((each) => (each.kind === 'blacklist' ? each.blacklistId : null));

/**
 * Adds a search to the audit log: what was searched, and how long it took until now, milliseconds.
 * @param more what else is recorded of it
 */
export async function recordSearch(
  { audit, clock }: Pick<Parts, 'clock'> & { audit: Pick<Parts['audit'], 'record'> },
  by: Actor,
  company: CompanyId,
  { watchlists, faces, began }: { watchlists: readonly Watchlist[]; faces: number; began: Date },
  { object = null, details }: Partial<Pick<NewAuditEntry, 'object' | 'details'>> = {},
): Promise<void> {
  const at = clock.now();
  const took = at.getTime() - began.getTime();
  const searched = { watchlists: listIds(watchlists), faces, took };
  await audit.record(
    { by, at },
    { company, action: 'search.run', object, details: { ...searched, ...details } },
  );
}
