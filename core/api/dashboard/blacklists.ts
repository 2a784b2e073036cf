import { blacklistApi, type BlacklistRow } from '../../contracts/dashboard/blacklists.ts';
import type { FastifyInstance } from 'fastify';
import { BLACKLIST_STATUS, type ItemStatus } from '../../contracts/codes.ts';
import { type BlacklistId, type CompanyId } from '../../contracts/ids.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { isOperator } from '../../domain/ports/auditContext.ts';
import { hasExpired } from '../../contracts/faceListing.ts';
import type { BlacklistOutcome } from '../../domain/blacklists/service.ts';
import type { Blacklist } from '../../domain/ports/screening.ts';
import { serve } from './access/guard.ts';
import { ApiError, invalidFields, existing } from '../http/errors.ts';
import { cursorAfter } from '../http/paging.ts';
import { pictureUrl } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { TrustFlows } from '../../storage/screening/trustFlows.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import type { Blacklists } from '../../storage/screening/blacklists.ts';

/** Internal blacklists and their faces: dashboard only. */
export function blacklistRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { blacklistService } = ports;

  serve(app, blacklistApi.list, async ({ operator }) => {
    const { companyId } = operator;
    await requireFeature(ports.companies, operator);
    const { rows } = await ports.blacklists.list(companyId, { offset: 0 });
    const users = await usersOf(ports.flows, companyId);
    return { items: rows.map((row) => rowBody(row, users)) };
  });
  serve(app, blacklistApi.create, async ({ operator, body }) => {
    const { companyId, actor } = operator;
    await requireFeature(ports.companies, operator);
    return written(ports.flows, companyId, await blacklistService.create(companyId, body, actor));
  });
  serve(app, blacklistApi.change, async ({ operator, params, body }) => {
    const { companyId, actor } = operator;
    await requireFeature(ports.companies, operator);
    const id = params.id;
    const { status, ...words } = body;
    if (Object.keys(words).length > 0)
      await written(ports.flows, companyId, await blacklistService.edit(companyId, id, words, actor));
    if (status !== undefined)
      await blacklistService.setActive(companyId, id, status === BLACKLIST_STATUS.Active, actor);
    const changed = existing(await ports.blacklists.find(companyId, id));
    return rowBody(changed, await usersOf(ports.flows, companyId));
  });
  erasureRoutes(app, ports);
  faceRoutes(app, ports);
  listingRoutes(app, ports);
  moveRoutes(app, ports);
}

function erasureRoutes(app: FastifyInstance, { blacklistService, blacklists }: DashboardRoutePorts): void {
  serve(app, blacklistApi.delete, async ({ companyId, actor, params: { id } }) => {
    if (!(await blacklistService.delete(companyId, id, actor))) throw new ApiError('NOT_FOUND');
  });
  serve(app, blacklistApi.removeFaces, async ({ companyId, actor, params: { id }, body: { ids } }) => {
    await findBlacklist(blacklists, companyId, id);
    // One that another operator removed meanwhile is gone, as intended.
    for (const face of ids) await blacklistService.deleteFace(companyId, id, face, actor);
  });
}

/** @throws {ApiError} 404: the company has none of this number */
async function findBlacklist(blacklists: Blacklists, company: CompanyId, id: BlacklistId): Promise<void> {
  if ((await blacklists.find(company, id)) === undefined) throw new ApiError('NOT_FOUND');
}

function faceRoutes(app: FastifyInstance, { blacklists, clock }: DashboardRoutePorts): void {
  serve(app, blacklistApi.faces, async ({ operator, params, query: { status, cursor, limit } }) => {
    await findBlacklist(blacklists, operator.companyId, params.id);
    const photos = await blacklists.photos(operator.companyId, params.id, {
      limit,
      status: status as ItemStatus | undefined,
      before: cursor,
    });
    const now = clock.now();
    const items = photos.map(({ id, faceId, name, status: state, failureCode, addedAt, listing }) => ({
      id: faceId,
      itemId: id,
      name,
      status: state,
      failureCode,
      addedAt: addedAt.toISOString(),
      thumbnailUrl: pictureUrl(operator, faceId, 'thumbnail'),
      listing,
      expired: listing !== null && hasExpired(listing, now),
    }));
    return { items, nextCursor: cursorAfter(photos, limit, ({ id }) => String(id)) };
  });
}

/** Severity, reason and expiry of listed faces. */
function listingRoutes(app: FastifyInstance, { blacklists, faceListingService }: DashboardRoutePorts): void {
  serve(app, blacklistApi.changeListings, async ({ companyId, actor, params: { id: list }, body }) => {
    await findBlacklist(blacklists, companyId, list);
    const { ids, change, name } = body;
    const target = { list, faces: ids };
    const outcome = await faceListingService.change(companyId, target, change, actor, name);
    if (outcome.kind === 'invalid') throw invalidFields(outcome.errors);
    if (outcome.changed.length === 0) throw new ApiError('NOT_FOUND');
    return { items: outcome.changed.map(({ faceId, listing }) => ({ id: faceId, listing })) };
  });
}

/** Faces go to another list of the company. */
function moveRoutes(app: FastifyInstance, { blacklists, faceListingService }: DashboardRoutePorts): void {
  serve(app, blacklistApi.moveFaces, async ({ companyId, actor, params: { id: from }, body }) => {
    await findBlacklist(blacklists, companyId, from);
    const { ids, to } = body;
    const moved = await faceListingService.move(companyId, { from, to }, ids, actor);
    if (moved === 'inactive') throw new ApiError('BLACKLIST_INACTIVE');
    if (moved === 'unknown' || moved.length === 0) throw new ApiError('NOT_FOUND');
    return { ids: moved };
  });
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

async function written(
  flows: TrustFlows,
  company: CompanyId,
  outcome: BlacklistOutcome,
): Promise<BlacklistRow> {
  if (outcome.kind === 'unknown') throw new ApiError('NOT_FOUND');
  if (outcome.kind === 'invalid') throw invalidFields(outcome.errors);
  return rowBody(outcome.blacklist, await usersOf(flows, company));
}

function rowBody(blacklist: Blacklist, users: ReadonlyMap<number, string[]>): BlacklistRow {
  const { id, name, description, status, enrolledFaces, createdAt, updatedAt } = blacklist;
  return {
    id,
    name,
    description,
    status,
    enrolledFacesCount: enrolledFaces,
    usedByTrustFlows: users.get(id) ?? [],
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
