/** Who may use which route of the dashboard: what the access table asks of each, with every kind of operator. */
import type { Permission } from '../../../core/contracts/dashboard/permissions.ts';

interface DashboardRoute {
  needs: Permission | 'session' | 'none';
  /** A good body, where the answer would else be about that. */
  body?: object;
  /** The answer never ends, or takes long: who has the right is not tried here. */
  untried?: true;
}

/** By method and path. A route that is missing here, or is here and nowhere else, fails dashboard.test.ts. */
export const DASHBOARD_ROUTES: Record<string, DashboardRoute> = {
  'GET /session': { needs: 'session' },
  'POST /session': { needs: 'none' },
  'DELETE /session': { needs: 'session', untried: true },
  'POST /session/confirm': { needs: 'session' },
  'POST /session/passphrase': { needs: 'session' },
  'POST /session/recover': { needs: 'none' },
  'GET /session/appearance': { needs: 'session' },
  'PUT /session/appearance': { needs: 'session' },
  'GET /setup': { needs: 'none' },
  'POST /setup': { needs: 'none' },
  'POST /setup/storage': { needs: 'none' },
  'GET /audit': { needs: 'audit:read' },
  'GET /audit/export': { needs: 'audit:read' },
  'GET /audit/state': { needs: 'audit:read' },
  'POST /audit/anchor': { needs: 'audit:verify' },
  'POST /audit/verify': { needs: 'audit:verify' },
  'POST /exports': { needs: 'session' },
  'GET /operators': { needs: 'operators:read' },
  'POST /operators': { needs: 'operators:write' },
  'PATCH /operators/:id': { needs: 'operators:write', body: { active: false } },
  'POST /operators/:id/passphrase': {
    needs: 'operators:write',
    body: { passphrase: 'amber lantern by the quay' },
  },
  'POST /operators/:id/unlock': { needs: 'operators:write' },
  'POST /operators/:id/sign-out': { needs: 'operators:write' },
  'POST /operators/recovery-key': { needs: 'operators:write' },
  'GET /credentials': { needs: 'tokens:read' },
  'POST /credentials': { needs: 'tokens:write' },
  'POST /credentials/:kind/:id/revoke': { needs: 'tokens:write' },
  'GET /faces/:id/chip': { needs: 'images:read' },
  'GET /faces/:id/image': { needs: 'images:read' },
  'GET /validations': { needs: 'validations:read' },
  'GET /validations/:id': { needs: 'validations:read' },
  'POST /validations/:id/decision': {
    needs: 'validations:decide',
    body: { decision: 'reject', note: 'Seen.', seenStatus: 3 },
  },
  'GET /blacklists': { needs: 'blacklists:read' },
  'POST /blacklists': { needs: 'blacklists:write' },
  'PATCH /blacklists/:id': { needs: 'blacklists:write', body: { status: 0 } },
  'DELETE /blacklists/:id': { needs: 'blacklists:erase' },
  'GET /blacklists/:id/faces': { needs: 'blacklists:read' },
  'POST /blacklists/:id/faces': { needs: 'uploads:create' },
  'POST /blacklists/:id/faces/remove': { needs: 'blacklists:erase', body: { ids: [1] } },
  'GET /events': { needs: 'session', untried: true },
  'GET /queue': { needs: 'uploads:read' },
  'POST /queue/pause': { needs: 'queue:control' },
  'POST /queue/resume': { needs: 'queue:control' },
  'GET /uploads': { needs: 'uploads:read' },
  'POST /uploads': { needs: 'uploads:create' },
  'GET /uploads/:id': { needs: 'uploads:read' },
  'GET /uploads/limits': { needs: 'uploads:read' },
  'POST /search': { needs: 'search:run' },
  'POST /search/report': { needs: 'exports:create', body: {} },
  'GET /overview': { needs: 'session' },
  'GET /flows': { needs: 'flows:read' },
  'POST /flows': { needs: 'flows:write', body: { name: 'Ferry terminal' } },
  'PATCH /flows/:id': { needs: 'flows:write', body: { name: 'Border desk' } },
  'PUT /flows/:id/tool': { needs: 'flows:write', body: {} },
  'DELETE /flows/:id/tool': { needs: 'flows:write' },
  'POST /flows/:id/save': { needs: 'flows:write' },
  'GET /signatures': { needs: 'signatures:read' },
  'GET /signatures/:id': { needs: 'signatures:read' },
  'POST /signatures/compare': { needs: 'signatures:compare', body: {} },
  'POST /signatures/:id/report': { needs: 'exports:create', body: {} },
  'GET /system': { needs: 'system:read' },
  'GET /system/health': { needs: 'system:read' },
};
