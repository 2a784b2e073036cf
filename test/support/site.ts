import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { ExtractedFace } from '../../core/contracts/faces.ts';
import type { PipelineId, UploadId } from '../../core/contracts/ids.ts';
import { companySettings } from '../../core/contracts/settings.ts';
import type { WrittenImage } from '../../core/domain/ports/images.ts';
import { openHome, openStorage, type Storage } from '../../core/storage/index.ts';
import { TEST_ACT } from './act.ts';
import { keepTestAddress } from './testServer.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

/** A clock that stands until it is moved. */
export class TestClock {
  time = new Date('2026-01-02T03:04:05.678Z');

  now(): Date {
    return this.time;
  }

  advance(milliseconds: number): void {
    this.time = new Date(this.time.getTime() + milliseconds);
  }
}

/** A folder that is gone after the test. */
export function temporaryFolder(t: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-test-'));
  keepTestAddress(folder);
  t.after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A real store in a throwaway home; reopen it with `openStorage(openHome(folder), clock)` after `close()`. */
export async function temporaryStorage(
  t: TestContext,
): Promise<{ storage: Storage; clock: TestClock; folder: string }> {
  const folder = temporaryFolder(t);
  const clock = new TestClock();
  const storage = await openStorage(openHome(folder), clock);
  t.after(() => storage.close());
  return { storage, clock, folder };
}

/** A company that may do everything, its images in the throwaway home. */
export async function newCompany(storage: Storage, _home: string, name = 'Acme'): Promise<Company> {
  return storage.companies.create({ name, settings: companySettings.parse({}) }, TEST_ACT);
}

/** An image file of the company with any content. */
export async function writeImage(
  storage: Storage,
  company: Company,
  content = 'pixels',
): Promise<WrittenImage> {
  return storage.images.write(company.id, 'jpeg', chunks(Buffer.from(content)));
}

/** Accepts an upload for duplicate detection; one image per file name, its content the name. */
export async function acceptUpload(
  storage: Storage,
  company: Company,
  fileNames: readonly string[],
): Promise<UploadId> {
  const id = randomUUID() as UploadId;
  await storage.uploads.accept(company.id, {
    id,
    target: { kind: 'duplicate', trustFlowId: await storage.companies.systemTrustFlow(company.id) },
    accepted: TEST_ACT,
    images: await Promise.all(
      fileNames.map(async (fileName) => ({ fileName, image: await writeImage(storage, company, fileName) })),
    ),
  });
  return id;
}

/** Content as the store wants it. */
function chunks(content: Uint8Array): AsyncIterable<Uint8Array> {
  return ReadableStream.from([content]);
}

export const TEST_PIPELINE = 'test-1' as PipelineId;

/** A described face whose template points along one axis, so that equal axes match and others do not. */
export function faceAlong(axis: number, dimension = 8): ExtractedFace {
  const vector = new Float32Array(dimension);
  vector[axis % dimension] = 1;
  return {
    box: { x: 10, y: 10, width: 80, height: 80 },
    eyes: [
      { x: 35, y: 40 },
      { x: 65, y: 40 },
    ],
    confidence: 0.99,
    quality: {
      score: 80,
      measures: {
        interEyeDistance: 30,
        faceWidth: 80,
        yaw: 0,
        pitch: 0,
        roll: 0,
        sharpness: 0.5,
        grain: 0.5,
        brightness: 0.5,
        underexposed: 0,
        overexposed: 0,
        borderDistance: 0.1,
        inFrame: 1,
        eyesCovered: 0,
        mouthCovered: 0,
        quantisation: 12,
      },
    },
    template: { pipelineId: TEST_PIPELINE, vector },
    thumbnail: new Uint8Array([0xff, 0xd8, 0xff]),
  };
}
