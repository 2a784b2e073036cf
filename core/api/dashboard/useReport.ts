/** The use of the system in a period: as a file of its uses, or as a report with its alarms and its users. */
import type { FastifyInstance } from 'fastify';
import { auditApi, USE_FILE_COLUMNS } from '../../contracts/audit.ts';
import { csvLine } from '../../contracts/csv.ts';
import { TRUST_VALIDATION_STATUS_LABEL, type TrustValidationStatus } from '../../contracts/codes.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import { countAlarm, usersIn, usesIn, usesOf } from '../../domain/audit/useReport.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { Use, UseReport } from '../../domain/ports/reports.ts';
import { ApiError } from '../http/errors.ts';
import { recordExport } from './access/export.ts';
import { serve } from './access/guard.ts';
import { sendCsv } from './listExports.ts';
import { beginReport, sendPdf } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Lines of the printed table; the file has all. Drawing 1,000 lines takes the service several seconds. */
const PRINTED = 200;

type Named = Pick<UseReport, 'names' | 'lists'>;

/** Needs the permission to export and the one to read the audit log, as the export of the log does. */
export function useReportRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { audit, blacklists, clock } = ports;
  serve(app, auditApi.use, async ({ operator, companyId, query, reply }) => {
    if (!mayRole(operator.role, 'audit:read')) throw new ApiError('UNAUTHORIZED');
    const now = clock.now();
    const { format, from, language, to } = query;
    const upTo = (await audit.head(now))?.sequence ?? 0;
    const total = await audit.count(companyId, usesIn({ from, to }));
    const exported = { kind: 'useReport', object: null, rows: total } as const;
    const named = {
      names: await actorNames(ports, companyId),
      lists: new Map((await blacklists.all(companyId)).map(({ id, name }) => [Number(id), name])),
    };
    const pages = () => usesOf(audit, companyId, { from, to, upTo });
    if (format === 'csv') {
      await recordExport(ports, operator, exported);
      return sendCsv(reply, 'vouch-use.csv', linesOf(pages(), named));
    }
    const { frame, shown } = await beginReport(ports, operator, language, async () => ({
      exported,
      shown: { ...(await summaryOf(pages())), users: await usersIn(audit, companyId, { from, to }) },
    }));
    const period = {
      from: from === undefined ? null : new Date(from),
      to: to === undefined ? now : new Date(to),
    };
    return sendPdf(reply, await ports.reports.use({ ...frame, ...period, ...shown, ...named }));
  });
}

async function summaryOf(
  pages: ReturnType<typeof usesOf>,
): Promise<Pick<UseReport, 'uses' | 'total' | 'alarms'>> {
  const uses: Use[] = [];
  const none = () => ({ all: 0, right: 0, wrong: 0 });
  const alarms = { blacklist: none(), duplicate: none() };
  let total = 0;
  for await (const page of pages)
    for (const { use, alarm } of page) {
      total += 1;
      if (uses.length < PRINTED) uses.push(use);
      if (alarm !== null) countAlarm(alarms[alarm], use);
    }
  return { uses, total, alarms };
}

async function* linesOf(pages: ReturnType<typeof usesOf>, named: Named): AsyncIterable<string> {
  yield csvLine(USE_FILE_COLUMNS);
  for await (const page of pages) yield page.map(({ use }) => csvLine(cellsOf(use, named))).join('');
}

/** In the order of {@link USE_FILE_COLUMNS}. */
function cellsOf(
  { kind, start, end, by, watchlists, faces, input, result, verified }: Use,
  { names, lists }: Named,
): string[] {
  const list = (id: number | null) => (id === null ? 'duplicates' : (lists.get(id) ?? `blacklist:${id}`));
  return [
    start.toISOString(),
    end.toISOString(),
    kind,
    by,
    names.get(by) ?? '',
    watchlists.map(list).join('; '),
    String(faces ?? ''),
    input ?? '',
    String(result ?? ''),
    verified.map((each) => names.get(each.by) ?? each.by).join('; '),
    verified
      .map(({ status }) =>
        status === null ? '' : TRUST_VALIDATION_STATUS_LABEL[status as TrustValidationStatus],
      )
      .filter((word) => word !== '')
      .join('; '),
  ];
}
