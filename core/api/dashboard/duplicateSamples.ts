import { duplicateApi } from '../../contracts/dashboard/duplicates.ts';
import type { FastifyInstance } from 'fastify';
import type { PersonDecisionId } from '../../contracts/ids.ts';
import { GroupSamples, stateOf, type Sample } from '../../domain/duplicates/samples.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { CryptoPort } from '../../domain/ports/crypto.ts';
import { ApiError } from '../http/errors.ts';
import { groupFilterOf } from '../http/personParts.ts';
import { serve } from './access/guard.ts';
import { pictureUrl } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { CodedError } from '../../contracts/errors/problem.ts';

/** A sample of groups, its answers, the acceptance of all groups that it was drawn from, and the undo of that. */
export function duplicateSampleRoutes(
  app: FastifyInstance,
  ports: DashboardRoutePorts & { crypto: Pick<CryptoPort, 'randomUuid' | 'randomBytes'> },
): void {
  const samples = new GroupSamples(ports);
  const { personService, clock } = ports;
  const ofOperator = ({ companyId: company, actor }: SignedIn) => ({ company, actor, at: clock.now() });
  const find = (operator: SignedIn, id: string): Sample => {
    const found = samples.find(id, ofOperator(operator));
    if (found === undefined) throw new ApiError('SAMPLE_EXPIRED');
    return found;
  };
  serve(app, duplicateApi.drawSample, async ({ operator, body: { filter, certainty, size } }) => {
    const asked = await groupFilterOf(ports.groups, operator.companyId, {
      ...filter,
      certainty,
      state: 'proposed',
    });
    const drawn = await samples.draw(ofOperator(operator), asked, size);
    return {
      id: drawn.id,
      expiresAt: drawn.expires.toISOString(),
      groups: drawn.groups.length,
      pairs: drawn.pairs.map(({ faces: [one, other] }, index) => ({
        index,
        thumbnails: [pictureUrl(operator, one, 'thumbnail'), pictureUrl(operator, other, 'thumbnail')] as [
          string | null,
          string | null,
        ],
      })),
    };
  });
  serve(app, duplicateApi.answerSample, ({ operator, params: { id }, body: { answers } }) => {
    const found = find(operator, id);
    return Promise.resolve(samples.answer(found, answers));
  });
  serve(app, duplicateApi.acceptSample, async ({ operator, act, params: { id } }) => {
    const found = find(operator, id);
    if (found.accepted !== null) throw new ApiError('SAMPLE_ACCEPTED');
    if (stateOf(found).state !== 'clean') throw new ApiError('SAMPLE_NOT_CLEAN');
    const decision = { about: { kind: 'group' }, decision: 'same', reason: null } as const;
    const accepted: PersonDecisionId[] = [];
    // Kept from the start and filled below: an accept that fails half-way can be undone, too.
    samples.accept(found, accepted);
    for (const group of found.groups) {
      const decided = await personService.decide(operator.companyId, group, decision, act).catch(ifRefused);
      if (decided !== undefined) accepted.push(decided.decision);
    }
    return { accepted: accepted.length, changed: found.groups.length - accepted.length };
  });
  serve(app, duplicateApi.undoSample, async ({ operator, act, params: { id } }) => {
    const found = find(operator, id);
    if (found.accepted === null) throw new ApiError('SAMPLE_NOT_ACCEPTED');
    samples.forget(found);
    let undone = 0;
    for (const decision of found.accepted.toReversed())
      if ((await personService.undo(operator.companyId, decision, act).catch(ifRefused)) !== undefined)
        undone += 1;
    return { undone, kept: found.accepted.length - undone };
  });
}

/** A group that has changed in the meantime is left as it is. @throws faults of the machine */
function ifRefused(error: unknown): undefined {
  if (!(error instanceof CodedError)) throw error;
}
