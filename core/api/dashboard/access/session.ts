import { DASHBOARD } from '../../../contracts/dashboard/operation.ts';
import { sessionApi, SESSION_COOKIE, type Session } from '../../../contracts/dashboard/session.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ROLE_PERMISSIONS } from '../../../domain/identity/roles.ts';
import type { SignedIn, SignInOrigin } from '../../../domain/identity/signInService.ts';
import type { Clock } from '../../../domain/ports/machine.ts';
import { ApiError } from '../../http/errors.ts';
import { networkOf } from '../../http/connections.ts';
import { serve } from './guard.ts';
import { callingCompany } from '../../http/callingCompany.ts';
import type { PublicPorts } from '../../ports.ts';
import type { Companies } from '../../../storage/settings/companies.ts';

/** Signing in and out, giving the passphrase again, changing it, and the way back with a recovery code. */
export function sessionRoutes(app: FastifyInstance, ports: PublicPorts): void {
  appearanceRoutes(app, ports);
  const { signIn, clock } = ports;

  serve(app, sessionApi.read, ({ operator }) => describe(ports.companies, operator));
  serve(app, sessionApi.open, async ({ body: { operator, passphrase }, request, reply }) => {
    const outcome = await signIn.open(operator, passphrase, originOf(request));
    if (outcome.kind !== 'open') throw refusal(outcome, clock, reply);
    setSession(request, reply, outcome.token);
    void reply.setCookie(BROWSER_COOKIE + outcome.operator, outcome.browser, {
      path: `${DASHBOARD}/session`,
      httpOnly: true,
      sameSite: 'strict',
      secure: request.protocol === 'https',
      maxAge: BROWSER_REMEMBERED,
    });
  });
  serve(app, sessionApi.close, async ({ operator, request, reply }) => {
    await signIn.close(operator);
    return setSession(request, reply, null).code(204).send();
  });
  serve(app, sessionApi.confirm, async ({ operator, body: { passphrase }, reply }) => {
    const outcome = await signIn.confirm(operator, passphrase);
    if (outcome.kind !== 'confirmed') throw refusal(outcome, clock, reply, 'PASSPHRASE_WRONG');
  });
  serve(
    app,
    sessionApi.changePassphrase,
    async ({ operator, body: { current, passphrase }, request, reply }) => {
      const outcome = await signIn.changePassphrase(operator, current, passphrase);
      if (outcome.kind !== 'changed') throw refusal(outcome, clock, reply, 'PASSPHRASE_WRONG');
      return setSession(request, reply, null).code(204).send();
    },
  );
  serve(app, sessionApi.recover, async ({ body: { operator, recoveryCode, passphrase }, reply }) => {
    const outcome = await signIn.recover(operator, recoveryCode, passphrase);
    if (outcome.kind !== 'recovered') throw refusal(outcome, clock, reply);
    return { recoveryCode: outcome.recoveryCode };
  });
}

/** How the operator who asks wants the dashboard to look. */
function appearanceRoutes(app: FastifyInstance, { appearances }: PublicPorts): void {
  serve(app, sessionApi.appearance, async ({ companyId, operator: { id } }) => ({
    appearance: await appearances.read(companyId, id),
  }));
  serve(app, sessionApi.chooseAppearance, async ({ companyId, operator: { id }, body }) => {
    await appearances.write(companyId, id, body);
  });
}

/** With the operator's number behind it. The cookie opens no session: it only distinguishes this browser from unknown ones. */
const BROWSER_COOKIE = 'vouch_browser_';
/** Seconds. */
const BROWSER_REMEMBERED = 180 * 24 * 60 * 60;
/** Browser cookies of one request that are looked at. */
const MAX_BROWSERS = 20;

function originOf({ socket, cookies }: FastifyRequest): SignInOrigin {
  const browsers = Object.entries(cookies).flatMap(([name, value]) =>
    name.startsWith(BROWSER_COOKIE) && value !== undefined ? value : [],
  );
  return { address: networkOf(socket.remoteAddress), browsers: browsers.slice(0, MAX_BROWSERS) };
}

async function describe(companies: Companies, operator: SignedIn): Promise<Session> {
  const company = await callingCompany(companies, operator);
  const { registrationEnabled, blacklistsEnabled, signatureSpecimens } = company.settings;
  return {
    operator: { id: operator.id, name: operator.name, role: operator.role },
    company: {
      id: company.id,
      name: company.name,
      features: { registration: registrationEnabled, blacklists: blacklistsEnabled },
      storageConfigured: company.storageFolder !== null,
      signatureSpecimens,
    },
    permissions: [...ROLE_PERMISSIONS[operator.role]],
  };
}

/** A session cookie ends with the browser; `null` takes it away. Secure only where the connection is. */
function setSession(request: FastifyRequest, reply: FastifyReply, token: string | null): FastifyReply {
  const attributes = {
    path: DASHBOARD,
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https',
  } as const;
  return token === null
    ? reply.clearCookie(SESSION_COOKIE, attributes)
    : reply.setCookie(SESSION_COOKIE, token, attributes);
}

/** @param wrong the code for a wrong passphrase: the operator stays signed in */
function refusal(
  outcome: { kind: 'refused' } | { kind: 'locked'; until: Date },
  clock: Clock,
  reply: FastifyReply,
  wrong: 'UNAUTHENTICATED' | 'PASSPHRASE_WRONG' = 'UNAUTHENTICATED',
): ApiError {
  if (outcome.kind === 'refused') return new ApiError(wrong);
  void reply.header('retry-after', Math.ceil((outcome.until.getTime() - clock.now().getTime()) / 1000));
  return new ApiError('TOO_MANY_ATTEMPTS');
}

/**
 * First run: a company and its admin, for the first person at this machine. The moment an operator
 * exists these routes say only that they are not needed.
 */
export function setupRoutes(app: FastifyInstance, ports: PublicPorts): void {
  const { operatorService: operators } = ports;
  const isOpen = async (request: FastifyRequest) => isOfThisMachine(request) && (await operators.isNew());

  serve(app, sessionApi.setupState, async ({ request }) => {
    const needed = await isOpen(request);
    return { needed, suggestedStorageFolder: needed ? await ports.storageFolders.suggested() : null };
  });
  serve(app, sessionApi.checkStorage, async ({ body: { folder }, request }) => {
    if (!(await isOpen(request))) throw new ApiError('UNAUTHORIZED');
    return ports.storageFolders.check(folder);
  });
  serve(app, sessionApi.setUp, async ({ body, request }) => {
    if (!(await isOpen(request))) throw new ApiError('UNAUTHORIZED');
    return { recoveryCode: await operators.setUp(body, { by: 'local-admin', at: ports.clock.now() }) };
  });
}

function isOfThisMachine({ socket }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? '';
  return address === '::1' || address.replace('::ffff:', '').startsWith('127.');
}
