import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { comparisonQuery } from '../../contracts/dashboard/signatures.ts';
import { faceComparisonPage } from '../../contracts/dashboard/faceComparisons.ts';
import { faceCompareRequest, faceCompareResponse } from '../../contracts/faceComparisons.ts';
import { compareFaces, type FaceComparisons } from '../../domain/search/faceComparison.ts';
import type { Operators } from '../../domain/ports/identity.ts';
import type { Companies } from '../../domain/ports/companies.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type { RecognitionPort } from '../../domain/ports/recognition.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import type { CryptoPort } from '../../domain/ports/crypto.ts';
import { faceCompareBody } from '../http/comparisonBodies.ts';
import { takeJson } from '../http/fieldForm.ts';
import { photosOf } from '../http/sentImage.ts';
import { comparisonPageOf } from './signatures.ts';

/** Two images, four bytes for three, of the largest size that a company may set (50 MB). */
const BODY_LIMIT = 3 * 50 * 1024 * 1024;

interface FaceComparisonPorts {
  companies: Companies;
  operators: Operators;
  vision: Pick<RecognitionPort, 'of'>;
  faceComparisons: FaceComparisons;
  clock: Clock;
  crypto: CryptoPort;
}

/** Comparing the faces of two photos in the dashboard, and the history of all such comparisons, those of programs too. */
export async function faceComparisonRoutes(app: FastifyInstance, ports: FaceComparisonPorts): Promise<void> {
  const path = `${DASHBOARD}/face-comparisons`;
  const config = requirePermission('faces:compare');
  app
    .withTypeProvider<ZodTypeProvider>()
    .get(
      path,
      { config, schema: { hide: true, querystring: comparisonQuery, response: { 200: faceComparisonPage } } },
      (request) =>
        comparisonPageOf(ports.faceComparisons, ports.operators, operatorOf(request), request.query),
    );
  await app.register((scope, _options, done) => {
    takeJson(scope, () => BODY_LIMIT);
    scope
      .withTypeProvider<ZodTypeProvider>()
      .post(
        path,
        { config, schema: { hide: true, body: faceCompareRequest, response: { 200: faceCompareResponse } } },
        async (request) => {
          const { companyId, actor } = operatorOf(request);
          const company = await ports.companies.find(companyId);
          if (company === undefined) throw new Error(`Company ${companyId} of an operator is gone.`);
          const pair = photosOf(request.body, company.settings.maxImageBytes);
          return faceCompareBody(await compareFaces(ports, company, actor, pair));
        },
      );
    done();
  });
}
