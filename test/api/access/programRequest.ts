/** The shapes of the table of program routes. */
import type { Scope } from '../../../core/contracts/codes.ts';
import type { TestSite } from '../site.ts';
import type { Company } from '../../../core/domain/ports/auditContext.ts';

export interface ProgramRequest {
  method: string;
  target: string;
  body?: Buffer;
  contentType?: string;
  headers?: Record<string, string>;
}

export interface ProgramRoute {
  scope: Scope;
  /** Another scope that is enough. */
  orScope?: Scope;
  /** A good request, about something of this company. */
  request(site: TestSite, company: Company): Promise<ProgramRequest>;
  /** The status for the right credential. */
  right: number;
  /** The status for a credential of another company: 404, or `right` where the request names no row. */
  otherCompany: number;
  /** Signed requests are rejected from every signer. */
  bearerOnly?: true;
}
