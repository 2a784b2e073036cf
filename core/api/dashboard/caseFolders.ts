import type { FastifyInstance } from 'fastify';
import {
  caseFolderApi,
  type CaseEntry,
  type CaseFileType,
  type CaseFolder,
} from '../../contracts/dashboard/caseFolders.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { trusted, type CaseFolderId } from '../../contracts/ids.ts';
import { siteRates } from '../../domain/duplicates/siteRates.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { Company } from '../../domain/ports/auditContext.ts';
import { sniffImageFormat } from '../../domain/values/bytes.ts';
import { isoTime } from '../../domain/values/time.ts';
import type { CaseFile, StoredCaseFolder } from '../../storage/persons/caseFolders.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { takeJson } from '../http/fieldForm.ts';
import { imageOf, PAIR_BODY_LIMIT } from '../http/sentImage.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { serve } from './access/guard.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import { doneExamination, picturesOf } from './examinations.ts';
import { beginReport, sendPdf } from './reports.ts';

/** Case folders that the list shows, the newest ones. */
const LISTED = 200;

/** Case folders. Every change is an entry of the chain of custody, and so is the first view within an hour. */
export function caseFolderRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { caseFolders, companies } = ports;
  serve(app, caseFolderApi.list, async ({ companyId }) => ({
    items: await caseFolders.list(companyId, LISTED),
  }));
  serve(app, caseFolderApi.open, async ({ companyId, act, body }) => ({
    id: await caseFolders.open(companyId, body, act),
  }));
  serve(app, caseFolderApi.read, async ({ operator, companyId, act, params: { id } }) => {
    const found = await caseFolders.view(companyId, id, act);
    return viewOf(ports, await callingCompany(companies, operator), found);
  });
  serve(
    app,
    { ...caseFolderApi.add, takes: (scope) => takeJson(scope, () => PAIR_BODY_LIMIT) },
    async ({ operator, companyId, act, params: { id }, body }) => {
      const company = await callingCompany(companies, operator);
      const entry =
        body.kind === 'file' ? { ...body, file: fileOf(body, company.settings.maxCaseFileBytes) } : body;
      await caseFolders.add(companyId, id, entry, act);
      return readFor(ports, company, id);
    },
  );
  serve(app, caseFolderApi.file, async ({ companyId, act, params: { id }, body: { position }, reply }) => {
    const { bytes } = await caseFolders.file(companyId, id, position, act);
    return reply.type('application/octet-stream').send(Buffer.from(bytes));
  });
  serve(app, caseFolderApi.remove, async ({ operator, companyId, act, params: { id }, body }) => {
    const removed = { kind: 'removed', target: body.position, text: body.reason } as const;
    await caseFolders.add(companyId, id, removed, act);
    return readFor(ports, await callingCompany(companies, operator), id);
  });
  serve(app, caseFolderApi.setState, async ({ operator, companyId, act, params: { id }, body }) => {
    const kind = body.state === 'closed' ? 'closed' : 'reopened';
    await caseFolders.add(companyId, id, { kind, text: body.reason }, act);
    return readFor(ports, await callingCompany(companies, operator), id);
  });
  serve(app, caseFolderApi.report, async ({ operator, companyId, act, params: { id }, body, reply }) => {
    const rates = await siteRates(ports, companyId);
    await caseFolders.left(companyId, id, 'reported', act);
    const { frame, shown } = await beginReport(ports, operator, body.language, async () => {
      const exported = { kind: 'caseFolderReport', object: `caseFolder:${id}`, rows: 1 } as const;
      return { exported, shown: await reportPartsOf(ports, operator, id) };
    });
    return sendPdf(reply, await ports.reports.caseFolder({ ...frame, ...shown, rates }));
  });
  serve(app, caseFolderApi.delete, ({ companyId, act, params: { id } }) =>
    caseFolders.delete(companyId, id, act),
  );
}

/** @throws {ApiError} 422: larger than the company allows @throws {CodedError} CASE_FILE_TYPE */
function fileOf({ name, content }: { name: string; content: string }, most: number): CaseFile {
  const bytes = imageOf(content, most, 'content');
  const type = typeOf(bytes);
  if (type === undefined) throw new CodedError(problem('CASE_FILE_TYPE'));
  return { name, type, bytes };
}

/** A text has no control characters besides tab and line ends. */
const CONTROL = /(?![\t-\r\u0085])\p{Cc}/u;

/** The content decides, not the name. */
function typeOf(bytes: Uint8Array): CaseFileType | undefined {
  const format = sniffImageFormat(bytes);
  if (format !== undefined) return `image/${format}`;
  if (Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-') return 'application/pdf';
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return CONTROL.test(text) ? undefined : 'text/plain';
  } catch {
    // Not UTF-8: no text.
    return undefined;
  }
}

/** The parts of the report of a folder that are read from it. An entry that has changed shows nothing. */
export async function reportPartsOf(ports: DashboardRoutePorts, operator: SignedIn, id: CaseFolderId) {
  const folder = await readFor(ports, await callingCompany(ports.companies, operator), id);
  const kept = folder.entries.filter(({ state }) => state === 'kept');
  const faces = kept.flatMap(({ face }) => (face === null ? [] : trusted.face(face.id)));
  const photos = await picturesOf(ports, operator, await ports.views.faceImages(operator.companyId, faces));
  const examinations = [];
  for (const { examination: examined } of kept) {
    if (examined === null) continue;
    const done = await doneExamination(ports, operator, trusted.examination(examined));
    const pictures = await picturesOf(ports, operator, done.photos);
    examinations.push({ examination: done.examination, pictures });
  }
  return { folder, photos: new Map(photos.map((photo) => [Number(photo.faceId), photo])), examinations };
}

async function readFor(ports: DashboardRoutePorts, company: Company, id: CaseFolderId): Promise<CaseFolder> {
  return viewOf(ports, company, await ports.caseFolders.read(company.id, id));
}

async function viewOf(
  ports: DashboardRoutePorts,
  company: Company,
  { openedAt, isOpen, entries, ...folder }: StoredCaseFolder,
): Promise<CaseFolder> {
  const names = await actorNames(ports, company.id);
  const faces = await ports.views.faceImages(
    company.id,
    entries.flatMap(({ face }) => face ?? []),
  );
  const nameOf = new Map(faces.map(({ faceId, name }) => [faceId, name]));
  const shown = entries.map(({ actor, at, face, content, examination, ...entry }): CaseEntry => {
    const isAbout = entry.kind === 'note' || entry.kind === 'file';
    const subject = entries.find(
      (each) =>
        each.kind !== 'note' &&
        each.kind !== 'file' &&
        (face !== null ? each.face === face : examination !== null && each.examination === examination),
    );
    return {
      ...entry,
      at: isoTime(at),
      byName: names.get(actor) ?? actor,
      about: isAbout ? (subject?.position ?? null) : null,
      text: content?.text ?? '',
      file: content?.file ?? null,
      face: isAbout || face === null ? null : { id: face, name: nameOf.get(face) ?? '' },
      examination: isAbout ? null : examination,
    };
  });
  return {
    ...folder,
    state: isOpen ? 'open' : 'closed',
    openedAt: isoTime(openedAt),
    entries: shown,
    maxFileBytes: company.settings.maxCaseFileBytes,
  };
}
