import type { FieldProblems } from '../../../contracts/errors/problem.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  newOperator,
  operatorChange,
  operatorList,
  operatorRow,
  passphraseReset,
  type OperatorList,
  type OperatorRow,
} from '../../../contracts/dashboard/operators.ts';
import { PERMISSIONS, type Permission } from '../../../contracts/dashboard/permissions.ts';
import { OPERATOR_ROLES, recoveryCodeAnswer } from '../../../contracts/dashboard/session.ts';
import { pathId, type OperatorId } from '../../../contracts/ids.ts';
import type { OperatorSummary } from '../../../domain/identity/operatorService.ts';
import { FRESH_PERMISSIONS, mayRole } from '../../../domain/identity/roles.ts';
import type { AuditContext, Company } from '../../../domain/ports/auditContext.ts';
import { ApiError, invalidFields } from '../../http/errors.ts';
import { operatorOf, routesOf } from './guard.ts';
import { callingCompany } from '../../http/callingCompany.ts';
import type { AccessPorts } from '../../ports.ts';

const path = '/operators';
const params = z.object({ id: pathId.operator });

/** The company's operators, for its admins: who they are, what they may do, how they get in. */
export function operatorRoutes(app: FastifyInstance, ports: AccessPorts): void {
  peopleRoutes(app, ports);
  accessRoutes(app, ports);
}

function peopleRoutes(app: FastifyInstance, ports: AccessPorts): void {
  const routes = routesOf(app);
  const { operatorService } = ports;
  routes.get(
    path,
    { needs: 'operators:read', answer: operatorList },
    async ({ operator, request }): Promise<OperatorList> => {
      const company = await callingCompany(ports.companies, operator);
      const madeAt = await operatorService.recoveryCodeMadeAt(company);
      return {
        items: (await operatorService.overview(company, ports.clock.now())).map((one) => toRow(one, request)),
        recoveryCodeMadeAt: madeAt?.toISOString() ?? null,
        permissions: (Object.keys(PERMISSIONS) as Permission[]).map((permission) => ({
          permission,
          roles: OPERATOR_ROLES.filter((role) => mayRole(role, permission)),
          fresh: FRESH_PERMISSIONS.has(permission),
        })),
      };
    },
  );
  routes.post(
    path,
    { needs: 'operators:write', body: newOperator, answer: operatorRow },
    async ({ operator, body, request }) => {
      const company = await callingCompany(ports.companies, operator);
      const outcome = await operatorService.create(company, body, actOf(ports, request));
      return rowOf(ports, request, company, done(outcome).operator.id);
    },
  );
  routes.patch(
    `${path}/:id`,
    { needs: 'operators:write', params, body: operatorChange, answer: operatorRow },
    async ({ operator, params: { id }, body, request }) => {
      const company = await callingCompany(ports.companies, operator);
      done(await operatorService.change(company, id, body, actOf(ports, request)));
      return rowOf(ports, request, company, id);
    },
  );
}

function accessRoutes(app: FastifyInstance, ports: AccessPorts): void {
  const routes = routesOf(app);
  const { operatorService } = ports;
  routes.post(
    `${path}/:id/passphrase`,
    { needs: 'operators:write', params, body: passphraseReset },
    async ({ operator, params: { id }, body: { passphrase }, request }) => {
      const company = await callingCompany(ports.companies, operator);
      done(await operatorService.resetPassphrase(company, id, passphrase, actOf(ports, request)));
    },
  );
  for (const [name, run] of [
    ['unlock', operatorService.unlock.bind(operatorService)],
    ['sign-out', operatorService.signOut.bind(operatorService)],
  ] as const)
    routes.post(
      `${path}/:id/${name}`,
      { needs: 'operators:write', params },
      async ({ operator, params: { id }, request }) => {
        const company = await callingCompany(ports.companies, operator);
        const known = await run(company, id, actOf(ports, request));
        if (!known) throw new ApiError('NOT_FOUND');
      },
    );
  routes.post(
    `${path}/recovery-code`,
    { needs: 'operators:write', answer: recoveryCodeAnswer },
    async ({ operator, request }) => ({
      recoveryCode: await operatorService.makeRecoveryCode(
        await callingCompany(ports.companies, operator),
        actOf(ports, request),
      ),
    }),
  );
}

function actOf({ clock }: AccessPorts, request: FastifyRequest): AuditContext {
  return { by: operatorOf(request).actor, at: clock.now() };
}

async function rowOf(
  { operatorService, clock }: AccessPorts,
  request: FastifyRequest,
  company: Company,
  id: OperatorId,
): Promise<OperatorRow> {
  const found = (await operatorService.overview(company, clock.now())).find(
    ({ operator }) => operator.id === id,
  );
  if (found === undefined) throw new ApiError('NOT_FOUND');
  return toRow(found, request);
}

function toRow(at: OperatorSummary, request: FastifyRequest): OperatorRow {
  const { id, name, role, active, createdAt, lastSignedInAt } = at.operator;
  const asking = operatorOf(request);
  return {
    id,
    name,
    role,
    active,
    lastAdmin: at.lastAdmin,
    self: id === asking.id,
    createdAt: createdAt.toISOString(),
    lastSignedInAt: lastSignedInAt?.toISOString() ?? null,
    failedAttempts: at.failedAttempts,
    lockedUntil: at.lockedUntil?.toISOString() ?? null,
    sessions: at.sessions.map((session) => ({
      openedAt: session.openedAt.toISOString(),
      usedAt: session.usedAt.toISOString(),
      current: Buffer.from(session.hash).equals(asking.session),
    })),
  };
}

/** The result. @throws {ApiError} 422 with the faults, 404 */
function done<T extends { kind: 'done' }>(
  outcome: T | { kind: 'invalid'; errors: FieldProblems } | { kind: 'unknown' },
): T {
  if (outcome.kind === 'invalid') throw invalidFields(outcome.errors);
  if (outcome.kind === 'unknown') throw new ApiError('NOT_FOUND');
  return outcome;
}
