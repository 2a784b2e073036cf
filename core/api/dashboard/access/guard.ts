import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DASHBOARD } from '../../../contracts/local.ts';
import type { Permission } from '../../../contracts/dashboard/permissions.ts';
import { SESSION_COOKIE } from '../../../contracts/dashboard/session.ts';
import { mayRole } from '../../../domain/identity/roles.ts';
import type { SignedIn, SignInService } from '../../../domain/identity/signInService.ts';
import { ApiError } from '../../http/errors.ts';
import type { CallerLimits, UnauthenticatedLimits } from '../../http/callerLimits.ts';

/** The permission and the session that a dashboard route requires. */
interface OperatorAccess {
  /** `none`: every caller on this machine. `session`: any operator who is signed in. */
  needs: Permission | 'session' | 'none';
  /** The screen asks by itself: it must not keep an unattended session alive. */
  background: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Made by {@link requirePermission}; without it a route under /api/dashboard rejects every request. */
    operator?: OperatorAccess;
  }
  interface FastifyRequest {
    /** Set by the guard on every dashboard route that needs a session. */
    operator: SignedIn | null;
    /** Whether the session was ended, or the operator has lost the permission, since the head of the request. */
    isWithdrawn: (() => Promise<boolean>) | null;
  }
}

export { DASHBOARD };
const SAFE_METHODS = ['GET', 'HEAD'];

/**
 * The `config` of a dashboard route: `app.get(DASHBOARD + '/queue', { config: requirePermission('uploads:read') }, …)`.
 * Secrets, exports and erasure ask for a fresh passphrase by themselves (FRESH_PERMISSIONS).
 * `access: 'public'` says that no credential of a program opens it.
 */
export function requirePermission(
  needs: OperatorAccess['needs'],
  options: { background?: boolean } = {},
): { access: 'public'; operator: OperatorAccess } {
  return { access: 'public', operator: { needs, background: options.background ?? false } };
}

/** Rejects requests to a dashboard route without a session whose role has its permission. */
export function guardDashboard(
  app: FastifyInstance,
  {
    signIn,
    unauthenticated,
    callers,
  }: { signIn: SignInService; unauthenticated: UnauthenticatedLimits; callers: CallerLimits },
): void {
  app.decorateRequest('operator', null);
  app.decorateRequest('isWithdrawn', null);
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url?.startsWith(`${DASHBOARD}/`) !== true) return;
    refuseOtherPages(request);
    const { operator: access } = request.routeOptions.config;
    if (access?.needs === 'none') return;
    const token = request.cookies[SESSION_COOKIE];
    const operator = token === undefined ? undefined : await signIn.holder(token, access?.background ?? true);
    if (operator === undefined || access === undefined) throw new ApiError('UNAUTHENTICATED');
    const needs = access.needs;
    request.operator = operator;
    unauthenticated.proven(request);
    callers.begin(request, reply, operator);
    request.recheck = async () => {
      const now = token === undefined ? undefined : await signIn.holder(token, true);
      if (now === undefined) throw new ApiError('UNAUTHENTICATED');
      if (needs !== 'session' && !mayRole(now.role, needs)) throw new ApiError('UNAUTHORIZED');
    };
    request.isWithdrawn = async () => {
      const role = await signIn.roleIn(operator.session);
      return role === undefined || (needs !== 'session' && !mayRole(role, needs));
    };
    if (needs === 'session') return;
    const verdict = signIn.verdict(operator, needs);
    if (verdict === 'refused') throw new ApiError('UNAUTHORIZED');
    if (verdict === 'unconfirmed') throw new ApiError('REAUTHENTICATE');
  });
}

/** The operator who is signed in, on a route that needs a session. */
export function operatorOf(request: FastifyRequest): SignedIn {
  if (request.operator === null) throw new Error('A route without a session has no operator.');
  return request.operator;
}

/**
 * Only the dashboard's own pages may use its routes. SameSite=Strict is not enough: a page on another port of this
 * machine is of the same *site*, and its requests carry the cookie. A foreign `Origin` was refused by the guard; here
 * whatever changes something must have one, and a browser that says where a request comes from must say "here".
 */
function refuseOtherPages({ method, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new ApiError('UNAUTHORIZED');
  if (!SAFE_METHODS.includes(method) && headers.origin === undefined) throw new ApiError('UNAUTHORIZED');
}
