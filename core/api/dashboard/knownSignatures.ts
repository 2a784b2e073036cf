import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { knownSetAnswer, type KnownSetAnswer } from '../../contracts/dashboard/signatures.ts';
import { signatureSetRequest } from '../../contracts/signatureSets.ts';
import type { Companies } from '../../domain/ports/companies.ts';
import type { CryptoPort } from '../../domain/ports/crypto.ts';
import type { Operators } from '../../domain/ports/identity.ts';
import type { InkPicture } from '../../domain/ports/inkPictures.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type {
  SignatureCalibrations,
  SignatureComparisons,
  SignaturePort,
} from '../../domain/ports/signatures.ts';
import { matchKnownSignatures, type KnownMatch } from '../../domain/signatures/knownMatching.ts';
import { invalidFields } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { knownSetOf, knownSetProblems, SET_BODY_LIMIT } from '../http/knownSignatures.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { operatorNames } from './actorNames.ts';
import { comparisonBody, pictureBody } from './comparisonHistory.ts';

interface KnownSignaturePorts {
  signatures: SignaturePort;
  signatureCalibrations: SignatureCalibrations;
  comparisons: SignatureComparisons;
  companies: Companies;
  operators: Operators;
  clock: Clock;
  crypto: CryptoPort;
}

/** Comparing a questioned signature with several known ones in the dashboard. */
export async function knownSignatureRoutes(app: FastifyInstance, ports: KnownSignaturePorts): Promise<void> {
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
        const company = await ports.companies.find(companyId);
        if (company === undefined) throw new Error(`Company ${companyId} of an operator is gone.`);
        const set = knownSetOf(request.body);
        const outcome = await matchKnownSignatures(ports, company, actor, set, { pictures: true });
        if (outcome.kind === 'refused') throw invalidFields(knownSetProblems(outcome.faults));
        const names = await operatorNames(ports.operators, companyId);
        return { ...comparisonBody(outcome.record, names), ...drawn(outcome.comparison, set.known.length) };
      },
    );
    done();
  });
}

/** The ink of every image, and how the questioned ink lies over each known one. */
function drawn(
  comparison: Extract<KnownMatch, { kind: 'matched' }>['comparison'],
  count: number,
): Pick<KnownSetAnswer, 'pictures' | 'alignments'> {
  const body = (picture: InkPicture | undefined) => (picture === undefined ? null : pictureBody(picture));
  const knownPicture = (index: number) =>
    comparison.kind === 'compared'
      ? comparison.pictures?.known[index]
      : comparison.pictures?.known.get(index);
  return {
    pictures: {
      questioned: body(comparison.pictures?.questioned),
      known: Array.from({ length: count }, (_, index) => body(knownPicture(index))),
    },
    alignments:
      comparison.kind === 'compared' ? comparison.known.map(({ alignment }) => [...alignment]) : null,
  };
}
