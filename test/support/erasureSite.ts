/** A home with people in it, put together as the service does it but for the engine. */
import type { PhotoPerson } from '../../core/contracts/uploads.ts';
import { transferPorts } from './transferPorts.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BlacklistId, TrustFlowId, TrustValidationId, UploadId } from '../../core/contracts/ids.ts';
import { newListing } from '../../core/contracts/faceListing.ts';
import { ErasureService } from '../../core/domain/erasure/erasureService.ts';
import { BlacklistTransferService } from '../../core/domain/blacklistTransfer/blacklistTransferService.ts';
import { Retention } from '../../core/domain/erasure/retention.ts';
import { watchlistOf, type NewRun } from '../../core/domain/ports/uploads.ts';
import { Verifications } from '../../core/domain/screening/verifications.ts';
import { PhotoNames } from '../../core/cli/terminal/journalFile.ts';
import { openGallery } from '../../core/gallery/index.ts';
import { openHome, openStorage, type StoredElsewhere } from '../../core/storage/index.ts';
import { randomUUID } from 'node:crypto';
import { SILENT_LOG, TestBootClock } from './fakes.ts';
import { TestClock } from './site.ts';
import { photoWithTraces, visionWithTraces } from './tracesOfPeople.ts';
import { PLATFORM } from '../../core/platform/platform.ts';
import { enrolItem, failItem } from './answerItem.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

export type ErasureSite = Awaited<ReturnType<typeof openErasureSite>>;

/** Opens the home; `close` leaves it as a stopped service does. */
export async function openErasureSite(
  folder: string,
  clock = new TestClock(),
  elsewhere: StoredElsewhere = {},
) {
  const home = openHome(folder);
  const storage = await openStorage(home, clock, undefined, elsewhere);
  const vision = visionWithTraces();
  const gallery = await openGallery({ pipelineId: vision.pipelineId }, storage, SILENT_LOG);
  const bootClock = new TestBootClock(clock);
  const ports = { ...storage, ...PLATFORM, vision, gallery, clock, bootClock, log: SILENT_LOG };
  const verifications = new Verifications(ports);
  const exchange = new BlacklistTransferService({ ...ports, ...transferPorts(storage) });
  const all = { ...ports, verifications, blacklistTransfer: exchange };
  const service = new ErasureService(all);
  return {
    ...all,
    storage,
    home,
    service,
    retention: new Retention(all, service),
    async close() {
      await gallery.close();
      await storage.close();
    },
  };
}

/** Accepts photos of people, each under a file name, for duplicate detection or for a blacklist with a reason. */
export async function acceptPeople(
  site: ErasureSite,
  company: Company,
  photos: readonly { person: number; fileName: string; named?: PhotoPerson }[],
  blacklist?: BlacklistId,
  reason: string | null = null,
  run?: NewRun,
): Promise<UploadId> {
  const { storage, clock } = site;
  const id = randomUUID() as UploadId;
  const images = [];
  for (const { person, fileName, named = null } of photos) {
    const content = ReadableStream.from([photoWithTraces(person)]);
    const image = await storage.images.write(company.id, 'jpeg', content);
    images.push({ fileName, image, person: named });
  }
  await storage.uploads.accept(company.id, {
    id,
    target:
      blacklist === undefined
        ? { kind: 'duplicate', trustFlowId: await storage.companies.systemTrustFlow(company.id) }
        : { kind: 'blacklist', blacklistId: blacklist },
    accepted: { by: 'local-admin', at: clock.now() },
    images,
    run,
    ...(blacklist !== undefined && { listing: newListing({ reason }) }),
  });
  return id;
}

/** Enrols photos of people, each under a file name, and answers all of them. */
export async function enrolPeople(...given: Parameters<typeof acceptPeople>): Promise<UploadId> {
  const id = await acceptPeople(...given);
  await answerAll(given[0]);
  return id;
}

/** Answers every photo that waits, as the dispatcher does. */
export async function answerAll({ storage, gallery, vision, clock }: ErasureSite): Promise<void> {
  for (;;) {
    const items = await storage.queue.lease(20);
    if (items.length === 0) return;
    for (const item of items) {
      const image = await storage.images.read(item.companyId, item.imageId);
      const analysis = await vision.enrol(image!.content);
      if (analysis.kind === 'refused') await failItem(storage, item, { code: analysis.code }, clock.now());
      else {
        const landed = await enrolItem(storage.queue, item, analysis, clock.now());
        const { template } = analysis.face;
        const watchlist = watchlistOf(item.target);
        if (landed !== undefined)
          gallery.append(item.companyId, [{ faceId: landed.faceId, template, watchlist }]);
      }
    }
  }
}

/** A verification with a selfie, metadata and a decision of a person. */
export async function verifyPerson(
  site: ErasureSite,
  company: Company,
  flowId: TrustFlowId,
  person: number,
  words: { name: string; metadata: unknown; note: string },
): Promise<TrustValidationId> {
  const { verifications } = site;
  const created = await verifications.create(company, flowId, words.metadata, 'local-admin');
  const reference = { flowId, id: created!.validation.id };
  const taken = await verifications.register(
    company,
    reference,
    photoWithTraces(person),
    'local-admin',
    words.name,
  );
  if (taken.kind !== 'taken') throw new Error(`The selfie was ${taken.kind}.`);
  const finalised = await verifications.finalise(company, reference, 'local-admin');
  await verifications.decide(
    company,
    reference.id,
    { decision: 'reject', note: words.note, seenStatus: finalised!.status },
    'operator:1',
  );
  return reference.id;
}

/** The journal that `vouch enroll` would have left. */
export async function writeJournal(
  folder: string,
  uploadId: string,
  answers: readonly { path: string; id: number }[],
): Promise<string> {
  mkdirSync(join(folder, 'enrolments'), { recursive: true });
  const file = join(folder, 'enrolments', 'journal.jsonl');
  const names = await PhotoNames.of(folder);
  const lines = [
    {
      kind: 'sending',
      key: 'batch',
      files: answers.map(({ path }) => ({
        photo: names.nameOf(path),
        bytes: 1,
        modified: 1,
        content: names.nameOf(`content of ${path}`),
      })),
    },
    { kind: 'sent', key: 'batch', uploadId },
    {
      kind: 'answered',
      key: 'batch',
      answers: answers.map(({ path, id }) => ({
        photo: names.nameOf(path),
        status: 'enrolled',
        trustValidationId: id,
        failureCode: null,
        reason: null,
      })),
    },
  ];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}
