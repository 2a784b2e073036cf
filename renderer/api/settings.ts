import { queryOptions } from '@tanstack/react-query';
import { companyProfile, type CompanyPatch } from '../../core/contracts/dashboard/company.ts';
import { limitState, type LimitChange } from '../../core/contracts/limits/limitShapes.ts';
import { requestJson } from './client.ts';

export const limitsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => requestJson('GET', '/settings', limitState, { signal }),
});
export const changeLimits = (change: LimitChange) =>
  requestJson('PATCH', '/settings', limitState, { body: { change } });

export const companyQuery = queryOptions({
  queryKey: ['company'],
  queryFn: ({ signal }) => requestJson('GET', '/company', companyProfile, { signal }),
});
export const changeCompany = (change: CompanyPatch) =>
  requestJson('PATCH', '/company', companyProfile, { body: change });
