import type { FieldProblems } from '../../../contracts/errors/problem.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
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
import { DASHBOARD, operatorOf, requirePermission } from './guard.ts';
import { callingCompany } from '../../http/callingCompany.ts';
import type { AccessPorts } from '../../ports.ts';

const path = `${DASHBOARD}/operators`;
const params = z.object({ id: pathId.operator });
const write = requirePermission('operators:write');

/** The company's operators, for its admins: who they are, what they may do, how they get in. */
export function operatorRoutes(app: FastifyInstance, ports: AccessPorts): void {
  peopleRoutes(app, ports);
  accessRoutes(app, ports);
}

function peopleRoutes(app: FastifyInstance, ports: AccessPorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const { operatorService } = ports;
  routes.get(
    path,
    { config: requirePermission('operators:read'), schema: { hide: true, response: { 200: operatorList } } },
    async (request): Promise<OperatorList> => {
      const company = await callingCompany(ports.companies, operatorOf(request));
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
    { config: write, schema: { hide: true, body: newOperator, response: { 200: operatorRow } } },
    async (request) => {
      const company = await callingCompany(ports.companies, operatorOf(request));
      const outcome = await operatorService.create(company, request.body, actOf(ports, request));
      return rowOf(ports, request, company, done(outcome).operator.id);
    },
  );
  routes.patch(
    `${path}/:id`,
    { config: write, schema: { hide: true, params, body: operatorChange, response: { 200: operatorRow } } },
    async (request) => {
      const company = await callingCompany(ports.companies, operatorOf(request));
      const id = request.params.id;
      done(await operatorService.change(company, id, request.body, actOf(ports, request)));
      return rowOf(ports, request, company, id);
    },
  );
}

function accessRoutes(app: FastifyInstance, ports: AccessPorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const { operatorService } = ports;
  routes.post(
    `${path}/:id/passphrase`,
    { config: write, schema: { hide: true, params, body: passphraseReset } },
    async (request, reply) => {
      const company = await callingCompany(ports.companies, operatorOf(request));
      const id = request.params.id;
      done(
        await operatorService.resetPassphrase(company, id, request.body.passphrase, actOf(ports, request)),
      );
      return reply.code(204).send();
    },
  );
  for (const [name, run] of [
    ['unlock', operatorService.unlock.bind(operatorService)],
    ['sign-out', operatorService.signOut.bind(operatorService)],
  ] as const)
    routes.post(
      `${path}/:id/${name}`,
      { config: write, schema: { hide: true, params } },
      async (request, reply) => {
        const company = await callingCompany(ports.companies, operatorOf(request));
        const known = await run(company, request.params.id, actOf(ports, request));
        if (!known) throw new ApiError('NOT_FOUND');
        return reply.code(204).send();
      },
    );
  routes.post(
    `${path}/recovery-code`,
    { config: write, schema: { hide: true, response: { 200: recoveryCodeAnswer } } },
    async (request) => ({
      recoveryCode: await operatorService.makeRecoveryCode(
        await callingCompany(ports.companies, operatorOf(request)),
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
