/** A site whose interface has the dashboard's routes, with an operator signed in. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { OperatorRole } from '../../../core/contracts/dashboard/session.ts';
import { addOperator, ask, signIn } from '../access/operators.ts';
import { openSite, type Answer, type TestSite } from '../site.ts';

export interface DashboardSite {
  site: TestSite;
  /** As the operator of that role; signs in on first use. */
  as: (role: OperatorRole) => Promise<DashboardClient>;
}

/** Sends requests as one operator. */
export type DashboardClient = (method: string, path: string, body?: unknown) => Promise<Answer>;

export async function openDashboardSite(t: TestContext): Promise<DashboardSite> {
  const site = await openSite(t);
  const clients = new Map<OperatorRole, DashboardClient>();
  return {
    site,
    async as(role) {
      const known = clients.get(role);
      if (known !== undefined) return known;
      await addOperator(site, role, role);
      const cookie = await signIn(site, role);
      const dashboard: DashboardClient = (method, path, body) =>
        ask(site, method, path, { cookie, ...(body !== undefined && { body }) });
      clients.set(role, dashboard);
      return dashboard;
    },
  };
}

/** The body of an answer that must be good. */
export function good<T>(answer: Answer, read: { parse: (body: unknown) => T }): T {
  assert.equal(answer.status, 200, answer.text);
  return read.parse(answer.body);
}
