import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  knownSetAnswer,
  knownSetReportRequest,
  type KnownSetAnswer,
} from '../../contracts/dashboard/signatures.ts';
import { signatureSetRequest } from '../../contracts/signatureSets.ts';
import { matchKnownSignatures } from '../../domain/signatures/knownMatching.ts';
import { invalidFields } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { knownSetOf, knownSetProblems, SET_BODY_LIMIT } from '../http/knownSignatures.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { operatorNames } from './actorNames.ts';
import { picturesOf, reportKnownSet, type Compared } from './knownSignatureReport.ts';
import { comparisonBody, pictureBody } from './comparisonHistory.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { sendPdf } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { InkPicture } from '../../domain/ports/signatures.ts';

/** Comparing a questioned signature with several known ones in the dashboard. */
export async function knownSignatureRoutes(app: FastifyInstance, ports: DashboardRoutePorts): Promise<void> {
  await app.register((scope, _options, done) => {
    takeJson(scope, () => SET_BODY_LIMIT);
    scope.withTypeProvider<ZodTypeProvider>().post(
      `${DASHBOARD}/signatures/compare-known`,
      {
        config: requirePermission('signatures:compare'),
        schema: { hide: true, body: signatureSetRequest, response: { 200: knownSetAnswer } },
      },
      async (request): Promise<KnownSetAnswer> => {
        const { companyId, actor } = operatorOf(request);
        const company = await callingCompany(ports.companies, operatorOf(request));
        const set = knownSetOf(request.body);
        const outcome = await matchKnownSignatures(ports, company, actor, set, { pictures: true });
        if (outcome.kind === 'refused') throw invalidFields(knownSetProblems(outcome.faults));
        const names = await operatorNames(ports.operators, companyId);
        return { ...comparisonBody(outcome.record, names), ...drawn(outcome.comparison, set.known.length) };
      },
    );
    scope.withTypeProvider<ZodTypeProvider>().post(
      `${DASHBOARD}/signatures/:id/known-report`,
      {
        config: requirePermission('exports:create'),
        schema: {
          hide: true,
          params: z.object({ id: z.coerce.number().int().min(1) }),
          body: knownSetReportRequest,
        },
      },
      async (request, reply) => {
        const pdf = await reportKnownSet(ports, operatorOf(request), request.params.id, request.body);
        return sendPdf(reply, pdf);
      },
    );
    done();
  });
}

/** The ink of every image, and how the questioned ink lies over each known one. */
function drawn(comparison: Compared, count: number): Pick<KnownSetAnswer, 'pictures' | 'alignments'> {
  const body = (picture: InkPicture | undefined) => (picture === undefined ? null : pictureBody(picture));
  const { questioned, known, alignments } = picturesOf(comparison, count);
  return {
    pictures: { questioned: body(questioned), known: known.map(body) },
    alignments: alignments?.map((alignment) => [...alignment]) ?? null,
  };
}
