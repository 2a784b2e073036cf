import type { ExtractedFace, Template } from '../../core/contracts/faces.ts';
import type { CompanyId, FaceId, PipelineId } from '../../core/contracts/ids.ts';
import type {
  Candidate,
  GalleryEntry,
  GalleryPort,
  GalleryQuery,
  PersonCandidate,
} from '../../core/domain/ports/gallery.ts';
import type { BootClock, Clock, Logger } from '../../core/domain/ports/machine.ts';
import type { EnrolAnalysis, RecognitionPort, VisionPort } from '../../core/domain/ports/recognition.ts';
import type { KnownSet, KnownSetComparison } from '../../core/domain/ports/knownSignatures.ts';
import type {
  ManyComparisons,
  SignatureComparison,
  SignaturePort,
} from '../../core/domain/ports/signatures.ts';
import { CodedError } from '../../core/contracts/errors/problem.ts';
import { sniffImageFormat } from '../../core/domain/values/bytes.ts';
import { readFaceRecord } from '../../core/decoding/records/readRecord.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { KNOWN_CALIBRATION } from '../../core/signatures/known/calibration.ts';
import { doubtsOf, doubtsOfPair, OTHER_INK } from '../../core/signatures/doubts.ts';
import { findingsOf } from '../../core/signatures/known/findings.ts';
import { ofEach } from '../../core/signatures/known/knownSet.ts';
import type { Calibration } from '../../core/domain/scores/scores.ts';
import { TEST_PIPELINE } from './site.ts';

/** Orthogonal templates (distance √2) are different people, equal ones (0) the same person. */
export const TEST_CALIBRATION: Calibration = {
  likelihood: CALIBRATIONS.full.likelihood,
  points: [
    { fmr: 0.5, distance: 1.3 },
    { fmr: 1e-2, distance: 1 },
    { fmr: 1e-4, distance: 0.8 },
    { fmr: 1e-6, distance: 0.5 },
  ],
};

export const SILENT_LOG: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Vision whose answer is a function of the image's text; counts how many images are in progress at once. */
export class ScriptedVision implements VisionPort, RecognitionPort {
  readonly pipelineId = TEST_PIPELINE;
  readonly calibration = TEST_CALIBRATION;
  readonly dimensions: number;
  readonly workers = 2;
  maxConcurrent = 0;
  seen: string[] = [];
  #atOnce = 0;
  readonly #answer: (image: string) => EnrolAnalysis | Promise<EnrolAnalysis>;

  /** @param dimensions components of its templates, as `answer` makes them */
  constructor(answer: (image: string) => EnrolAnalysis | Promise<EnrolAnalysis>, dimensions = 8) {
    this.#answer = answer;
    this.dimensions = dimensions;
  }

  async enrol(image: Uint8Array): Promise<EnrolAnalysis> {
    const text = Buffer.from(image).toString();
    this.seen.push(text);
    this.#atOnce += 1;
    this.maxConcurrent = Math.max(this.maxConcurrent, this.#atOnce);
    try {
      return await this.#answer(text);
    } finally {
      this.#atOnce -= 1;
    }
  }

  tokenImage(
    _company: CompanyId,
    image: Uint8Array,
    eyes: ExtractedFace['eyes'],
  ): ReturnType<VisionPort['tokenImage']> {
    return Promise.resolve({ jpeg: image, width: 240, height: 320, eyes });
  }

  /**
   * Answers with the picture of a face record; what begins as a TIFF has the start of a JPEG before it. A JPEG is a sheet
   * with a portrait for each comma in it.
   */
  convert(content: Uint8Array): ReturnType<VisionPort['convert']> {
    if (sniffImageFormat(content) === 'jpeg') {
      const parts = Buffer.from(content).toString('latin1').slice(3).split(',');
      const portraits = parts.map((part) => Buffer.from(`\xff\xd8\xff${part.trim()}`, 'latin1'));
      const whole = { kind: 'converted', content, original: 'JPEG', record: null } as const;
      return Promise.resolve(parts.length === 1 ? whole : { ...whole, portraits });
    }
    if (Buffer.from(content).toString('latin1', 0, 2) === 'II') {
      const jpeg = Buffer.concat([Buffer.from('ffd8ff', 'hex'), content]);
      return Promise.resolve({ kind: 'converted', content: jpeg, original: 'TIFF', record: null });
    }
    try {
      const [found] = readFaceRecord(content);
      if (found === undefined) throw new Error('A record without a face was read.');
      const { image, facts } = found;
      return Promise.resolve({ kind: 'converted', content: image, original: 'face record', record: facts });
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return Promise.resolve({ kind: 'unconvertible', reason: error.problem });
    }
  }

  of(): this {
    return this;
  }

  pipelineOf(): PipelineId {
    return this.pipelineId;
  }

  calibrationOf(): Calibration {
    return this.calibration;
  }

  whenNotSwitching(): Promise<void> {
    return Promise.resolve();
  }

  async reextract(image: Uint8Array): ReturnType<VisionPort['reextract']> {
    const analysis = await this.enrol(image);
    return analysis.kind === 'face' ? { kind: 'extracted', template: analysis.face.template } : analysis;
  }

  /** Finds the one face that would be enrolled. */
  async search(image: Uint8Array): ReturnType<VisionPort['search']> {
    const analysis = await this.enrol(image);
    if (analysis.kind === 'refused') return { kind: 'refused', code: analysis.code };
    const { image: facts, face } = analysis;
    return { kind: 'faces', image: facts, picture: face.thumbnail, faces: [face], unclear: [] };
  }

  async measure(
    image: Uint8Array,
    options?: Parameters<VisionPort['measure']>[1],
  ): ReturnType<VisionPort['measure']> {
    const analysis = await this.enrol(image);
    if (analysis.kind === 'refused')
      return {
        kind: 'measured',
        image: { width: 100, height: 100, format: 'jpeg' },
        faces: [],
        unclear: [],
        refusals: [analysis.code],
      };
    const { box, eyes, quality } = analysis.face;
    return {
      kind: 'measured',
      image: analysis.image,
      faces: [
        {
          ...{ box, eyes, quality, refusals: [] },
          ...(options?.kind === 'portrait' && {
            portraitChecks: [{ component: 'headSize', native: 0.45, value: 100 } as const],
          }),
        },
      ],
      unclear: [],
      refusals: [],
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A gallery that only records the calls it received. */
export class RememberingGallery implements GalleryPort {
  readonly appended: { company: CompanyId; entry: GalleryEntry }[] = [];

  append(company: CompanyId, entries: readonly GalleryEntry[]): void {
    this.appended.push(...entries.map((entry) => ({ company, entry })));
  }

  remove(company: CompanyId, faces: readonly FaceId[]): void {
    for (const face of faces) {
      const index = this.appended.findIndex((one) => one.company === company && one.entry.faceId === face);
      if (index >= 0) this.appended.splice(index, 1);
    }
  }

  search(_company: CompanyId, _query: GalleryQuery): Promise<Candidate[]> {
    return Promise.resolve([]);
  }

  searchEach(_company: CompanyId, probes: readonly Template[]): Promise<Candidate[][]> {
    return Promise.resolve(probes.map(() => []));
  }

  searchPersons(_company: CompanyId, probes: readonly Template[]): Promise<PersonCandidate[][]> {
    return Promise.resolve(probes.map(() => []));
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  size(company: CompanyId): Promise<number> {
    return Promise.resolve(this.appended.filter((one) => one.company === company).length);
  }

  moment(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  changedSince(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

/** A picture of ink of one pixel. */
const ONE_PIXEL = {
  png: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
    'base64',
  ),
  width: 1,
  height: 1,
};

const doubtedIn = (text = '') => ({
  otherInk: OTHER_INK.find((kind) => text.includes(kind)) ?? 'NONE',
  isSimple: text.includes('SIMPLE'),
});

/**
 * Compares by the text after the PNG signature: `80 a` and `80 b` are 80 similar, `blank` holds nothing, `20 MIXED` has other
 * ink, `80 SIMPLE` a simple form.
 */
export class ScriptedSignatures implements SignaturePort {
  readonly modelVersion = 'scripted-1';

  compare(image1: Uint8Array, image2: Uint8Array): Promise<SignatureComparison> {
    const { modelVersion } = this;
    const [a, b] = [image1, image2].map((image) => Buffer.from(image.subarray(8)).toString('latin1'));
    if (a === 'small') return Promise.resolve({ kind: 'refused', faults: { image1: 'TOO_SMALL' } });
    if (a === 'blank' || b === 'blank') {
      const reasons = {
        ...(a === 'blank' && { image1: 'BLANK' as const }),
        ...(b === 'blank' && { image2: 'BLANK' as const }),
      };
      return Promise.resolve({ kind: 'inconclusive', reasons, modelVersion });
    }
    const similarity = Number(/^\d+(\.\d+)?/.exec(a ?? '')?.[0] ?? 0);
    return Promise.resolve({
      kind: 'compared',
      similarity,
      modelVersion,
      alignment: [1, 0, 0, 0, 1, 0],
      doubts: doubtsOfPair(doubtedIn(a), doubtedIn(b)),
    });
  }

  preparingOnce(): ManyComparisons {
    return {
      compare: (image1, image2) => this.compare(image1, image2),
      compareKnown: (set) => this.compareKnown(set, { pictures: false }),
    };
  }

  /** Each known image's text is its similarity to the questioned one; the known ones are 75 similar to one another, and 2 to an `odd` one. */
  compareKnown(
    { questioned, known, acrossMedia = false }: KnownSet,
    { pictures }: { pictures: boolean },
  ): Promise<KnownSetComparison> {
    const { modelVersion } = this;
    const texts = known.map((image) => Buffer.from(image.subarray(8)).toString('latin1'));
    const asked = Buffer.from(questioned.subarray(8)).toString('latin1');
    if (asked === 'small')
      return Promise.resolve({ kind: 'refused', faults: { questioned: 'TOO_SMALL', known: new Map() } });
    const blank = new Map(
      texts.flatMap((text, i) => (text === 'blank' ? [[i, 'BLANK' as const] as const] : [])),
    );
    const reasons = { ...(asked === 'blank' && { questioned: 'BLANK' as const }), known: blank };
    if (asked === 'blank' || blank.size > 0)
      return Promise.resolve({ kind: 'inconclusive', modelVersion, reasons });
    const logit = (similarity: number) => Math.log(similarity / (100 - similarity));
    const findings = findingsOf(
      {
        questioned: texts.map((text) => logit(Number(/^\d+(\.\d+)?/.exec(text)?.[0] ?? 50))),
        among: texts.map((one) =>
          texts.map((other) => logit(one.includes('odd') === other.includes('odd') ? 75 : 2)),
        ),
      },
      { halfTurns: { questioned: 6, known: texts.map(() => 6) }, acrossMedia, hadOtherInk: false },
      KNOWN_CALIBRATION,
    );
    const doubts = doubtsOf([asked, ...texts].map(doubtedIn));
    return Promise.resolve({
      kind: 'compared',
      modelVersion,
      ...findings,
      doubts: doubts.map(({ verdicts, reasons: each }) => ({ verdicts, reasons: ofEach(each) })),
      known: findings.known.map((each) => ({ ...each, alignment: [1, 0, 0, 0, 1, 0] })),
      ...(pictures && { pictures: { questioned: ONE_PIXEL, known: known.map(() => ONE_PIXEL) } }),
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A machine whose uptime advances with a clock, and by less where that clock was set forward. */
export class TestBootClock implements BootClock {
  readonly #clock: Clock;
  readonly #began: number;
  boot = 'first';
  /** Milliseconds by which the clock was set forward since. */
  setForward = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#began = clock.now().getTime();
  }

  read(): { boot: string; uptime: number } {
    return { boot: this.boot, uptime: this.#clock.now().getTime() - this.#began - this.setForward };
  }
}
