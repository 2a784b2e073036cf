import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { caseFolderApi } from '../../contracts/dashboard/caseFolders.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { installationFingerprint } from '../../domain/blacklistTransfer/installationNames.ts';
import { siteRates } from '../../domain/duplicates/siteRates.ts';
import type { OpenedCase } from '../../domain/ports/casePackages.ts';
import { LARGEST_CASE_PACKAGE } from '../../contracts/limits/limits.ts';
import { equalBytes } from '../../domain/values/bytes.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { packageOf, takePackages } from '../http/packageBody.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { serve } from './access/guard.ts';
import { reportPartsOf } from './caseFolders.ts';
import { beginReport, sendPdf } from './reports.ts';

/** Bytes of the head, the manifest and the encryption. */
const MAX_ENVELOPE_BYTES = 16 * 1024 * 1024;

/** Case folders for other installations, and the reports of those that others sealed. */
export async function sealedCaseFolderRoutes(
  app: FastifyInstance,
  ports: DashboardRoutePorts,
): Promise<void> {
  const { audit, caseFolders, companies, crypto, packages, trustedInstallations } = ports;
  serve(app, caseFolderApi.export, async ({ operator, companyId, act, params: { id }, body, reply }) => {
    const receiver = (await trustedInstallations.list(companyId)).find(
      (each) => each.id === body.installation,
    );
    const { name, settings } = await callingCompany(companies, operator);
    let rates: Awaited<ReturnType<typeof siteRates>> | undefined;
    const read = async () => {
      const parts = await reportPartsOf(ports, operator, id);
      if (receiver === undefined) throw new CodedError(problem('INSTALLATION_NOT_TRUSTED'));
      const evidence = await caseFolders.evidence(companyId, id, parts.folder.entries.length);
      // Measured once, and only for a folder that leaves.
      rates ??= await siteRates(ports, companyId);
      const folder = { ...parts, ...evidence, rates, company: { id: companyId, name } };
      return packages.sealCase(act, receiver.receivingKey, folder, settings.maxCasePackageBytes);
    };
    // A folder that was changed or is too large is refused before anything states that it left. It is encrypted only as it is sent.
    await read();
    await caseFolders.left(companyId, id, 'exported', act);
    const { shown } = await beginReport(ports, operator, 'en', async () => {
      const exported = { kind: 'caseFolder', object: `caseFolder:${id}`, rows: 1 } as const;
      return { exported, shown: await read() };
    });
    return reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="case-folder-${id}.vouchcase"`)
      .send(Readable.from(shown, { objectMode: false }));
  });
  await takePackages(app, LARGEST_CASE_PACKAGE + MAX_ENVELOPE_BYTES, (scope, limits) => {
    serve(
      scope,
      { ...caseFolderApi.receive, ...limits },
      async ({ operator, companyId, act, query: { language }, request, reply }) => {
        const { settings } = await callingCompany(companies, operator);
        const opened = await openSealed(ports, packageOf(request), act, settings.maxCasePackageBytes);
        const sender = (await trustedInstallations.list(companyId)).find(({ signingKey }) =>
          equalBytes(signingKey, opened.sender.signingKey),
        );
        if (sender === undefined)
          throw new CodedError(problem('PACKAGE_SENDER_UNKNOWN', { name: opened.sender.name }));
        const { folder } = opened;
        await audit.record(act, {
          company: companyId,
          action: 'caseFolder.opened',
          object: `trusted-installation:${sender.id}`,
          details: { folder: folder.id, hash: `sha256:${folder.newestHash}` },
        });
        const exported = { kind: 'caseFolderReport', object: null, rows: 1 } as const;
        const { frame } = await beginReport(ports, operator, language, () =>
          Promise.resolve({ exported, shown: null }),
        );
        const sealed = {
          ...{ installation: sender.name, fingerprint: installationFingerprint(crypto, sender) },
          ...{ company: opened.company.name, exportedAt: opened.exportedAt, files: filesOf(opened) },
        };
        return sendPdf(reply, await ports.reports.caseFolder({ ...opened, ...frame, sealed }));
      },
    );
  });
}

/** Spooled first, so that a caller has sent everything before the answer. */
async function openSealed(
  { packages, packageSpool }: DashboardRoutePorts,
  content: AsyncIterable<Uint8Array>,
  act: AuditContext,
  most: number,
): Promise<OpenedCase> {
  const spooled = await packageSpool.keep(content, most + MAX_ENVELOPE_BYTES);
  try {
    return await packages.openCase(act, spooled.read(), most);
  } finally {
    await spooled.remove();
  }
}

function filesOf({ contents, folder: { entries } }: OpenedCase) {
  return entries.flatMap(({ digest, file, state }) => {
    const content = digest === null || state !== 'kept' ? undefined : contents.get(digest);
    return file === null || content === undefined ? [] : [{ name: file.name, type: file.type, content }];
  });
}
