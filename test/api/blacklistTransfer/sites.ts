/** Two sites in one process that know people by number, and what travels between them. */
import { transferPorts } from '../../support/transferPorts.ts';
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ImportResult } from '../../../core/contracts/blacklistTransfer.ts';
import type { BlacklistId } from '../../../core/contracts/ids.ts';
import { BlacklistTransferService } from '../../../core/domain/blacklistTransfer/blacklistTransferService.ts';
import { readCertificate } from '../../../core/transfer/installationIdentity.ts';
import { SILENT_LOG } from '../../support/fakes.ts';
import { TEST_ACT } from '../../support/act.ts';
import { openScreeningSite, type ScreeningSite } from '../screeningSite.ts';

export interface ExchangeSite extends ScreeningSite {
  exchange: BlacklistTransferService;
  /** The bundle of a list for a site that is trusted, whole. */
  exported(list: BlacklistId, to: ExchangeSite, photos?: boolean): Promise<Buffer>;
  /** Hands a bundle in and imports it. */
  taken(bundle: Uint8Array, into?: BlacklistId): Promise<ImportResult>;
  plan(bundle: Uint8Array, into?: BlacklistId): ReturnType<BlacklistTransferService['receive']>;
  /** Takes an import back, which does what was foreseen. */
  undone(id: number): ReturnType<BlacklistTransferService['undo']>;
  /** Lets time pass; milliseconds. */
  wait(time: number): void;
}

export async function openExchangeSite(t: TestContext): Promise<ExchangeSite> {
  const opened = await openScreeningSite(t);
  const { storage, company, engine } = opened.site;
  let time = Date.parse('2026-03-01T12:00:00.000Z');
  // Every look at the clock is a moment later, so that exports follow each other.
  const clock = { now: () => new Date((time += 1000)) };
  const exchange = new BlacklistTransferService({
    ...transferPorts(storage),
    ...engine,
    clock,
    log: SILENT_LOG,
  });
  const plan: ExchangeSite['plan'] = (bundle, into) =>
    exchange.receive(company.id, inPieces(bundle), into === undefined ? {} : { into }, 'local-admin');
  return {
    ...opened,
    exchange,
    plan,
    wait(passing) {
      time += passing;
    },
    async undone(id) {
      const foreseen = await exchange.undoPlan(company.id, id);
      const result = await exchange.undo(company.id, id, 'local-admin');
      assert.deepEqual(result, foreseen);
      return result;
    },
    async exported(list, to, photos = true) {
      const trusted = await trust(opened, to);
      const wanted = { list, installation: trusted, photos };
      return wholeOf((await exchange.export(company.id, wanted, 'local-admin')).content);
    },
    async taken(bundle, into) {
      const received = await plan(bundle, into);
      const options = into === undefined ? {} : { into };
      const result = await exchange.import(company.id, received.packageId, options, 'local-admin');
      assert.ok(result);
      return result;
    },
  };
}

/** Two sites that trust each other. */
export async function twoSites(t: TestContext): Promise<{ north: ExchangeSite; south: ExchangeSite }> {
  const north = await openExchangeSite(t);
  const south = await openExchangeSite(t);
  await trust(south, north);
  await trust(north, south);
  return { north, south };
}

/** @returns the number under which `site` trusts `other` */
export async function trust(site: ScreeningSite, other: ExchangeSite): Promise<number> {
  const { certificate } = await other.exchange.certificate('local-admin');
  const { name, signingKey, receivingKey } = readCertificate(JSON.stringify(certificate));
  const { storage, company } = site.site;
  const trusted = await storage.trustedInstallations.trust(
    company.id,
    { name, signingKey, receivingKey },
    TEST_ACT,
  );
  return trusted.id;
}

export async function wholeOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** As a network or a disk hands it on. */
async function* inPieces(content: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < content.length; at += 10_000)
    yield await Promise.resolve(content.subarray(at, at + 10_000));
}

/** Names in a list, and what of it is on disk and in memory. */
export async function contentsOf(
  site: ExchangeSite,
  list: BlacklistId,
): Promise<{ names: string[]; matched: number; files: number }> {
  const { storage, company } = site.site;
  const photos = await storage.blacklists.photos(company.id, list, { limit: 500 });
  return {
    names: photos.map(({ name }) => name).sort(),
    matched: await site.gallery.size(company.id, { kind: 'blacklist', blacklistId: list }),
    files: (await site.site.imageFiles()).length,
  };
}
