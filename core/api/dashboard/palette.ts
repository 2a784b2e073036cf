import { paletteApi, type FoundKind } from '../../contracts/dashboard/paletteSearch.ts';
import type { FastifyInstance } from 'fastify';
import type { Permission } from '../../contracts/dashboard/permissions.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { serve } from './access/guard.ts';
import { pictureUrl } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { Companies } from '../../storage/settings/companies.ts';

const NEEDS: [FoundKind, Permission][] = [
  ['validations', 'validations:read'],
  ['persons', 'persons:read'],
  ['faces', 'blacklists:read'],
  ['uploads', 'uploads:read'],
  ['comparisons', 'signatures:read'],
];

/** The command palette's suggestions for a text, of the rows that the role may see and the company has. */
export function findRoutes(app: FastifyInstance, { views, companies }: DashboardRoutePorts): void {
  serve(app, paletteApi.find, async ({ operator, query: { text } }) => {
    const { companyId } = operator;
    const kinds = await kindsFor(companies, operator);
    const found = await views.find(companyId, text, kinds);
    return {
      ...found,
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
    };
  });
}

async function kindsFor(companies: Companies, operator: SignedIn) {
  const company = await companies.find(operator.companyId);
  const lists = company?.settings.blacklistsEnabled === true;
  const seen = NEEDS.filter(
    ([kind, needed]) => mayRole(operator.role, needed) && (kind !== 'faces' || lists),
  );
  return new Set(seen.map(([kind]) => kind));
}
