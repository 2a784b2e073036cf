/** The blacklists of the mock API server, and their faces. */
import { newListing, type FaceListingEdit } from '../../core/contracts/faceListing.ts';
import { BLACKLIST_STATUS } from '../../core/contracts/codes.ts';
import { problem, sentenceOf } from '../../core/contracts/errors/problem.ts';
import { BLACKLISTS, blacklistFaceOf } from './fixtures.ts';

type Answer = [status: number, body: unknown];

export function answerBlacklists(
  { behaviour }: { behaviour: { rows: number } },
  route: string,
  query: URLSearchParams,
  body: Buffer,
): Answer | undefined {
  if (route === 'GET /blacklists') return [200, { items: behaviour.rows === 0 ? [] : BLACKLISTS }];
  if (route === 'POST /blacklists') {
    const edit = JSON.parse(body.toString()) as { name: string };
    if (BLACKLISTS.some(({ name }) => name.toLowerCase() === edit.name.toLowerCase()))
      return [
        422,
        {
          success: false,
          message: 'Validation error',
          code: 'VALIDATION',
          problems: { name: [problem('NAME_TAKEN')] },
        },
      ];
    return [
      200,
      {
        ...BLACKLISTS[0]!,
        ...edit,
        id: 99,
        enrolledFacesCount: 0,
        expiredFacesCount: 0,
        usedByTrustFlows: [],
      },
    ];
  }
  const one = /^(\w+) \/blacklists\/(\d+)(\/faces|\/faces\/remove|\/faces\/move)?$/.exec(route);
  const list = BLACKLISTS.find(({ id }) => id === Number(one?.[2]));
  if (one === null || list === undefined) return undefined;
  // A batch of photos is an upload, as without a blacklist.
  if (one[1] === 'POST' && one[3] === '/faces') return undefined;
  if (route.endsWith('/remove') || one[1] === 'DELETE') return [200, {}];
  if (route.endsWith('/move')) {
    const { ids, to } = JSON.parse(body.toString()) as { ids: number[]; to: number };
    const inactive = problem('BLACKLIST_INACTIVE');
    return BLACKLISTS.find(({ id }) => id === to)?.status === BLACKLIST_STATUS.Active
      ? [200, { ids }]
      : [422, { success: false, message: sentenceOf(inactive), ...inactive }];
  }
  if (one[1] === 'PATCH' && one[3] !== undefined) {
    const { ids, change } = JSON.parse(body.toString()) as { ids: number[]; change: FaceListingEdit };
    return [200, { items: ids.map((id) => ({ id, listing: newListing(change) })) }];
  }
  if (one[1] === 'PATCH') return [200, Object.assign(list, JSON.parse(body.toString()))];
  const status = query.get('status');
  const limit = Number(query.get('limit'));
  let index = Number(query.get('cursor') ?? 0);
  const total = behaviour.rows === 0 ? 0 : list.enrolledFacesCount;
  const items = [];
  for (; index < total && items.length < limit; index++) {
    const face = blacklistFaceOf(index);
    if (status === null || face.status === Number(status)) items.push(face);
  }
  return [200, { items, nextCursor: index < total ? String(index) : null }];
}
