import { operatorApi, type OperatorList, type OperatorRow } from '../../../contracts/dashboard/operators.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PERMISSIONS, type Permission } from '../../../contracts/dashboard/permissions.ts';
import { OPERATOR_ROLES } from '../../../contracts/dashboard/session.ts';
import type { OperatorId } from '../../../contracts/ids.ts';
import type { OperatorService } from '../../../domain/identity/operatorService.ts';
import { FRESH_PERMISSIONS, mayRole } from '../../../domain/identity/roles.ts';
import type { Company } from '../../../domain/ports/auditContext.ts';
import { existing } from '../../http/errors.ts';
import { operatorOf, serve } from './guard.ts';
import { callingCompany } from '../../http/callingCompany.ts';
import type { AccessPorts } from '../../ports.ts';

/** The company's operators, for its admins: who they are, what they may do, how they get in. */
export function operatorRoutes(app: FastifyInstance, ports: AccessPorts): void {
  const { operatorService } = ports;
  serve(app, operatorApi.list, async ({ operator, request }): Promise<OperatorList> => {
    const company = await callingCompany(ports.companies, operator);
    const madeAt = await ports.recoveryCodes.madeAt(company.id);
    return {
      items: (await operatorService.overview(company, ports.clock.now())).map((one) => toRow(one, request)),
      recoveryCodeMadeAt: madeAt?.toISOString() ?? null,
      permissions: (Object.keys(PERMISSIONS) as Permission[]).map((permission) => ({
        permission,
        roles: OPERATOR_ROLES.filter((role) => mayRole(role, permission)),
        fresh: FRESH_PERMISSIONS.has(permission),
      })),
    };
  });
  serve(app, operatorApi.create, async ({ operator, act, body, request }) => {
    const company = await callingCompany(ports.companies, operator);
    const { id } = await operatorService.create(company, body, act);
    return rowOf(ports, request, company, id);
  });
  serve(app, operatorApi.change, async ({ operator, act, params: { id }, body, request }) => {
    const company = await callingCompany(ports.companies, operator);
    await ports.operators.change(company.id, id, body, act);
    return rowOf(ports, request, company, id);
  });
  serve(app, operatorApi.resetPassphrase, async ({ operator, act, params: { id }, body: { passphrase } }) => {
    const company = await callingCompany(ports.companies, operator);
    await operatorService.resetPassphrase(company, id, passphrase, act);
  });
  for (const [operation, run] of [
    [operatorApi.unlock, operatorService.unlock.bind(operatorService)],
    [operatorApi.signOut, operatorService.signOut.bind(operatorService)],
  ] as const)
    serve(app, operation, async ({ operator, act, params: { id } }) =>
      run(await callingCompany(ports.companies, operator), id, act),
    );
  serve(app, operatorApi.issueRecoveryCode, async ({ operator, act }) => ({
    recoveryCode: await operatorService.makeRecoveryCode(
      await callingCompany(ports.companies, operator),
      act,
    ),
  }));
}

async function rowOf(
  { operatorService, clock }: AccessPorts,
  request: FastifyRequest,
  company: Company,
  id: OperatorId,
): Promise<OperatorRow> {
  const found = existing(
    (await operatorService.overview(company, clock.now())).find(({ operator }) => operator.id === id),
  );
  return toRow(found, request);
}

function toRow(
  { operator, lockedUntil, sessions, ...at }: Awaited<ReturnType<OperatorService['overview']>>[number],
  request: FastifyRequest,
): OperatorRow {
  const { companyId: _company, ...row } = operator;
  const asking = operatorOf(request);
  return {
    ...row,
    ...at,
    self: row.id === asking.id,
    lockedUntil: lockedUntil?.toISOString() ?? null,
    sessions: sessions.map((session) => ({
      openedAt: session.openedAt.toISOString(),
      usedAt: session.usedAt.toISOString(),
      current: Buffer.from(session.hash).equals(asking.session),
    })),
  };
}
