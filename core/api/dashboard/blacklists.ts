import { blacklistApi, type BlacklistRow } from '../../contracts/dashboard/blacklists.ts';
import type { FastifyInstance } from 'fastify';
import { BLACKLIST_STATUS, type ItemStatus } from '../../contracts/codes.ts';
import { type BlacklistId, type CompanyId } from '../../contracts/ids.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { isOperator } from '../../domain/ports/auditContext.ts';
import { hasExpired } from '../../contracts/faceListing.ts';
import { deleteBlacklist, deleteListedFace } from '../../domain/blacklists/blacklistService.ts';
import { blacklistEdit, blacklistFields } from '../../contracts/blacklists.ts';
import { checked } from '../../contracts/errors/problem.ts';
import { serve } from './access/guard.ts';
import { ApiError, existing } from '../http/errors.ts';
import { cursorAfter } from '../http/paging.ts';
import { pictureUrl } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { TrustFlows } from '../../storage/screening/trustFlows.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import type { Blacklist, Blacklists } from '../../storage/screening/blacklists.ts';

/** Internal blacklists and their faces: dashboard only. */
export function blacklistRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { blacklists, clock, faceListingService, flows } = ports;
  serve(app, blacklistApi.list, async ({ operator }) => {
    const { companyId } = operator;
    await requireFeature(ports.companies, operator);
    const { rows } = await blacklists.list(companyId, { offset: 0 });
    const users = await usersOf(flows, companyId);
    return { items: rows.map((row) => rowBody(row, users)) };
  });
  serve(app, blacklistApi.create, async ({ operator, companyId, act, body }) => {
    await requireFeature(ports.companies, operator);
    const made = await blacklists.create(companyId, checked(blacklistFields, body), act);
    return rowBody(made, await usersOf(flows, companyId));
  });
  serve(app, blacklistApi.change, async ({ operator, companyId, act, params: { id }, body }) => {
    await requireFeature(ports.companies, operator);
    const { status, ...words } = body;
    if (Object.keys(words).length > 0)
      await blacklists.update(companyId, id, checked(blacklistEdit, words), act);
    if (status !== undefined) {
      const { Active, Inactive } = BLACKLIST_STATUS;
      await blacklists.setStatus(companyId, id, status === Active ? Active : Inactive, act);
    }
    const changed = existing(await blacklists.find(companyId, id));
    return rowBody(changed, await usersOf(flows, companyId));
  });
  serve(app, blacklistApi.delete, async ({ companyId, act, params: { id } }) => {
    if (!(await deleteBlacklist(ports, companyId, id, act))) throw new ApiError('NOT_FOUND');
  });
  serve(app, blacklistApi.removeFaces, async ({ companyId, act, params: { id }, body: { ids } }) => {
    await findBlacklist(ports.blacklists, companyId, id);
    // One that another operator removed meanwhile is gone, as intended.
    for (const face of ids) await deleteListedFace(ports, companyId, { id, face }, act);
  });
  serve(app, blacklistApi.faces, async ({ operator, params, query: { status, cursor, limit } }) => {
    await findBlacklist(blacklists, operator.companyId, params.id);
    const photos = await blacklists.photos(operator.companyId, params.id, {
      limit,
      status: status as ItemStatus | undefined,
      before: cursor,
    });
    const now = clock.now();
    const items = photos.map(({ id, faceId, listing, ...photo }) => ({
      ...photo,
      id: faceId,
      itemId: id,
      thumbnailUrl: pictureUrl(operator, faceId, 'thumbnail'),
      listing,
      expired: listing !== null && hasExpired(listing, now),
    }));
    return { items, nextCursor: cursorAfter(photos, limit, ({ id }) => String(id)) };
  });
  // Severity, reason and expiry of listed faces.
  serve(app, blacklistApi.changeListings, async ({ companyId, actor, params: { id: list }, body }) => {
    await findBlacklist(blacklists, companyId, list);
    const { ids, change, name } = body;
    const target = { list, faces: ids };
    const changed = await faceListingService.change(companyId, target, change, actor, name);
    if (changed.length === 0) throw new ApiError('NOT_FOUND');
    return { items: changed.map(({ faceId, listing }) => ({ id: faceId, listing })) };
  });
  // Faces go to another list of the company.
  serve(app, blacklistApi.moveFaces, async ({ companyId, actor, params: { id: from }, body }) => {
    await findBlacklist(blacklists, companyId, from);
    const { ids, to } = body;
    const moved = await faceListingService.move(companyId, { from, to }, ids, actor);
    if (moved.length === 0) throw new ApiError('NOT_FOUND');
    return { ids: moved };
  });
}

/** @throws {ApiError} 404: the company has none of this number */
async function findBlacklist(blacklists: Blacklists, company: CompanyId, id: BlacklistId): Promise<void> {
  if ((await blacklists.find(company, id)) === undefined) throw new ApiError('NOT_FOUND');
}

/** Without the feature nothing of it is shown; the local administrator can prepare blacklists before it is on. */
async function requireFeature(companies: Companies, { companyId, actor }: SignedIn): Promise<void> {
  if (!isOperator(actor)) return;
  const company = await companies.find(companyId);
  if (company?.settings.blacklistsEnabled !== true) throw new ApiError('BLACKLISTS_DISABLED');
}

/** Names of the Trust Flows whose saved version screens against a blacklist, by its id. */
async function usersOf(flows: TrustFlows, company: CompanyId): Promise<ReadonlyMap<number, string[]>> {
  const users = new Map<number, string[]>();
  for (const { name, saved } of await flows.list(company)) {
    const screening = saved?.blacklistDetection;
    if (screening?.enabled !== true) continue;
    for (const id of screening.blacklistIds) users.set(id, [...(users.get(id) ?? []), name]);
  }
  return users;
}

function rowBody(blacklist: Blacklist, users: ReadonlyMap<number, string[]>): BlacklistRow {
  return { ...blacklist, usedByTrustFlows: users.get(blacklist.id) ?? [] };
}
