import { VIEW_ACTIONS, type AuditAction, type NamedAuditRow } from '../../../core/contracts/audit.ts';

/** One line of the list: an entry, or consecutive views by one actor as one line. */
export type AuditLine = NamedAuditRow & {
  /** The entries of the line, newest first; the line shows the first. */
  entries: readonly NamedAuditRow[];
};

/** Views of one line: a screen of lines is filled after a bounded number of pages. */
const MAX_JOINED = 100;
const VIEWS: ReadonlySet<AuditAction> = new Set(VIEW_ACTIONS);

/** Joins consecutive views of one kind by one actor into one line each. @param rows newest first */
export function auditLines(rows: readonly NamedAuditRow[]): AuditLine[] {
  const lines: (AuditLine & { entries: NamedAuditRow[] })[] = [];
  for (const row of rows) {
    const line = lines.at(-1);
    const joins = VIEWS.has(row.action) && line?.action === row.action && line.entries.length < MAX_JOINED;
    if (joins && line.actor === row.actor && line.outcome === row.outcome) line.entries.push(row);
    else lines.push({ ...row, entries: [row] });
  }
  return lines;
}

/** Where the dashboard shows an object, by the kind that the audit log writes before its id. */
const PLACES: Record<string, (id: string) => string> = {
  validation: (id) => `/validations/${id}`,
  person: (id) => `/persons/${id}`,
  blacklist: (id) => `/company/internal-biometrics/${id}`,
  flow: (id) => `/trust-flows/${id}`,
  operator: (id) => `/settings/operators/${id}`,
  token: (id) => `/settings/api-access/token-${id}`,
  hmac: (id) => `/settings/api-access/key-${id}`,
  upload: (id) => `/enrol/uploads/${id}`,
  erasure: (id) => `/erasures/${id}`,
  faceComparison: (id) => `/compare/history/${id}`,
  caseFolder: (id) => `/case-folders/${id}`,
  examination: (id) => `/examinations/${id}`,
  signatureComparison: (id) => `/signatures/history/${id}`,
};

/** @param party e.g. `blacklist:4` @returns its address; null: no screen shows it */
export function partyAddress(party: string, blacklist: number | null = null): string | null {
  const [kind = '', id = ''] = party.split(':');
  if (kind === 'face')
    return blacklist === null ? null : `/company/internal-biometrics/${blacklist}?face=${id}`;
  return id === '' ? null : (PLACES[kind]?.(id) ?? null);
}
