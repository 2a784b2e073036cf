/** Two pipelines that know people by number, each in its own space: for changing from one to the other. */
import { problem } from '../../core/contracts/errors/problem.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import type { FailureCode } from '../../core/contracts/errors/failures.ts';
import { PipelineService } from '../../core/domain/pipelines/pipelineService.ts';
import type { PipelineFacts, PipelineRunner } from '../../core/domain/ports/pipelines.ts';
import { PipelineRegistry } from '../../core/domain/recognition/pipelineRegistry.ts';
import { TemplateMigration } from '../../core/domain/pipelines/templateMigration.ts';
import type { Recogniser } from '../../core/domain/ports/recognition.ts';
import { Verifications } from '../../core/domain/screening/verifications.ts';
import { Dispatcher } from '../../core/domain/enrolment/dispatcher.ts';
import { openGallery } from '../../core/gallery/index.ts';
import type { Storage } from '../../core/storage/index.ts';
import { SILENT_LOG, TEST_CALIBRATION } from './fakes.ts';
import { faceAlong } from './site.ts';
import { PLATFORM } from '../../core/platform/platform.ts';

export const OLD = 'old/1' as PipelineId;
export const NEW = 'new/1' as PipelineId;
const PEOPLE = 32;

/** The behaviour of the new pipeline with a person's photo, set by the test. */
export interface Script {
  /** People whom it refuses. */
  refuses: Map<number, FailureCode>;
  /** Runs before every description by it. */
  before: () => Promise<void>;
  /** How many photos it has described. */
  extracted: number;
}

/** The person of a photo, found along another axis by each pipeline, in vectors of another length. */
function recogniser(pipelineId: PipelineId, script: Script | undefined): Recogniser {
  const template = (person: number) => ({
    pipelineId,
    vector:
      script === undefined
        ? faceAlong(person, PEOPLE).template.vector
        : faceAlong(PEOPLE - person, 2 * PEOPLE).template.vector,
  });
  const personOf = (image: Uint8Array) => Number(/person (\d+)/.exec(Buffer.from(image).toString())?.[1]);
  return {
    pipelineId,
    dimensions: script === undefined ? PEOPLE : 2 * PEOPLE,
    calibration: TEST_CALIBRATION,
    async enrol(image) {
      const person = personOf(image);
      if (Number.isNaN(person)) return Promise.resolve({ kind: 'refused', code: 'NO_FACE' });
      return Promise.resolve({
        kind: 'face',
        image: { width: 100, height: 100, format: 'jpeg' },
        face: { ...faceAlong(0), template: template(person) },
      });
    },
    search: () => Promise.resolve({ kind: 'refused', code: 'NO_FACE' }),
    measure: () => Promise.resolve({ kind: 'refused', code: 'ENGINE_ERROR' }),
    async reextract(image) {
      const person = personOf(image);
      if (script === undefined) return { kind: 'extracted', template: template(person) };
      await script.before();
      const code = script.refuses.get(person);
      if (code !== undefined) return { kind: 'refused', code };
      script.extracted += 1;
      return { kind: 'extracted', template: template(person) };
    },
  };
}

function facts(id: PipelineId, name: string): PipelineFacts {
  const rest = { builtIn: true, retired: false, dimensions: PEOPLE, licence: 'MIT' };
  return { id, name, title: name, calibration: TEST_CALIBRATION, ...rest };
}

/** A service without an interface, put together as `service.ts` does, on a store. */
export async function openTwoPipelines(storage: Storage, serving = OLD) {
  const clock = { now: () => new Date() };
  const script: Script = { refuses: new Map(), before: () => Promise.resolve(), extracted: 0 };
  const known = new Map([
    [OLD, recogniser(OLD, undefined)],
    [NEW, recogniser(NEW, script)],
  ]);
  const pipelines = [facts(OLD, 'old'), facts(NEW, 'new')];
  const replaced = new Set<PipelineId>();
  const runner: PipelineRunner & { workers: number } = {
    workers: 1,
    standard: pipelines.find(({ id }) => id === serving)!,
    using: (id) => known.get(id),
    successorOf: (id) =>
      known.has(id) && !replaced.has(id) ? undefined : pipelines.find((each) => each.id === NEW),
    list: () =>
      Promise.resolve({
        pipelines,
        refused: [{ name: 'broken', reason: problem('PACK_FILE_MISSING', { file: 'pipeline.json' }) }],
      }),
    problemWith: () => Promise.resolve(undefined),
  };
  const recognition = await PipelineRegistry.open(runner, storage);
  const gallery = await openGallery(
    { pipelineId: runner.standard.id, serving: recognition.serving, threads: 0 },
    storage,
    SILENT_LOG,
  );
  const ports = {
    ...storage,
    ...PLATFORM,
    runner,
    recognition,
    vision: recognition,
    gallery,
    clock,
    log: SILENT_LOG,
  };
  const verifications = new Verifications(ports);
  const templateMigration = new TemplateMigration({ ...ports, verifications });
  const service = new PipelineService({ ...ports, templateMigration });
  const dispatcher = new Dispatcher(ports);
  return {
    script,
    recognition,
    gallery,
    verifications,
    templateMigration,
    service,
    dispatcher,
    /** The people whom a photo of `person` finds, by the pipeline that serves. */
    async find(company: Parameters<typeof gallery.search>[0], person: number, watchlist?: Watched) {
      const analysis = await recognition.of(company).enrol(Buffer.from(`person ${person}`), {
        priority: 'interactive',
      });
      if (analysis.kind !== 'face') throw new Error('A person has a face.');
      const found = await gallery.search(company, {
        probe: analysis.face.template,
        watchlists: [watchlist ?? { kind: 'duplicate' }],
        limit: 10,
        maxDistance: 0.5,
      });
      return found.map(({ faceId }) => faceId);
    },
    /** An update of the product has a newer version of this pipeline, and can still run it. */
    replace(pipeline: PipelineId) {
      replaced.add(pipeline);
    },
    /** An update of the product has a newer version of this pipeline, which is listed no longer. */
    supersede(pipeline: PipelineId) {
      const at = pipelines.findIndex(({ id }) => id === pipeline);
      pipelines[at] = { ...pipelines[at]!, retired: true };
    },
    /** An update of the product took this pipeline away. */
    retire(pipeline: PipelineId) {
      known.delete(pipeline);
    },
    async close() {
      await templateMigration.stop();
      await dispatcher.stop();
      await gallery.close();
    },
  };
}

type Watched = Parameters<Awaited<ReturnType<typeof openGallery>>['size']>[1];

export type TwoPipelines = Awaited<ReturnType<typeof openTwoPipelines>>;
