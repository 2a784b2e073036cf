import { paletteApi } from '../../contracts/dashboard/paletteSearch.ts';
import type { FastifyInstance } from 'fastify';
import type { Permission } from '../../contracts/dashboard/permissions.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { SEARCH_HIT_KINDS, type SearchHitKind } from '../../domain/ports/dashboard.ts';
import { serve } from './access/guard.ts';
import { pictureUrl } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { Companies } from '../../storage/settings/companies.ts';

const NEEDS: Record<SearchHitKind, Permission> = {
  validations: 'validations:read',
  persons: 'persons:read',
  faces: 'blacklists:read',
  uploads: 'uploads:read',
  comparisons: 'signatures:read',
};

/** The command palette's suggestions for a text, of the rows that the role may see and the company has. */
export function findRoutes(app: FastifyInstance, { views, companies }: DashboardRoutePorts): void {
  serve(app, paletteApi.find, async ({ operator, query: { text } }) => {
    const { companyId } = operator;
    const kinds = await kindsFor(companies, operator);
    const found = await views.find(companyId, text, kinds);
    return {
      validations: found.validations.map(({ faceId, ...row }) => ({
        ...row,
        thumbnailUrl: pictureUrl(operator, faceId, 'thumbnail'),
      })),
      persons: found.persons.map(({ faceId, ...row }) => ({
        ...row,
        thumbnailUrl: pictureUrl(operator, faceId, 'thumbnail'),
      })),
      faces: found.faces.map((face) => ({
        ...face,
        thumbnailUrl: pictureUrl(operator, face.id, 'thumbnail'),
      })),
      uploads: found.uploads.map(({ id, createdAt, ...row }) => ({
        ...row,
        uploadId: id,
        createdAt: createdAt.toISOString(),
      })),
      comparisons: found.comparisons.map(({ comparedAt, ...row }) => ({
        ...row,
        comparedAt: comparedAt.toISOString(),
      })),
      partial: found.partial,
    };
  });
}

async function kindsFor(companies: Companies, operator: SignedIn): Promise<ReadonlySet<SearchHitKind>> {
  const company = await companies.find(operator.companyId);
  const lists = company?.settings.blacklistsEnabled === true;
  return new Set(
    SEARCH_HIT_KINDS.filter((kind) => mayRole(operator.role, NEEDS[kind]) && (kind !== 'faces' || lists)),
  );
}
