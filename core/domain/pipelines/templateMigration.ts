/** Re-creates the templates of a company with another pipeline, in the background, and switches when all are done. */
import { trusted, type CompanyId, type PipelineId } from '../../contracts/ids.ts';
import type { FacePendingExtraction, TemplateMigrationState } from '../../storage/faces/pipelines.ts';
import type { ImageFiles } from '../ports/images.ts';
import type { Platform } from '../ports/machine.ts';
import type { Verifications } from '../screening/verifications.ts';
import { extractStored } from '../recognition/faceValidation.ts';
import type { ExtractionResult, MigrationCounts, PipelineRunner, GallerySwitch } from '../ports/pipelines.ts';
import type { PipelineRegistry } from '../recognition/pipelineRegistry.ts';
import { ProgressRate } from '../values/time.ts';
import { Rounds } from '../work/turns.ts';
import type { Storage } from '../../storage/index.ts';

/** Faces that one transaction keeps: a power cut costs at most these, which are extracted once more. */
const PER_TRANSACTION = 32;
/**
 * Images in progress for each worker. Enrolment has two, and both wait in one line: so templates are re-created faster than
 * it grows, and the end is reached however much is enrolled meanwhile.
 */
const IN_WORK_PER_WORKER = 3;

interface TemplateMigrationPorts
  extends Pick<Storage, 'pipelines'>, Pick<Platform, 'clock' | 'timer' | 'log'> {
  runner: PipelineRunner;
  recognition: PipelineRegistry;
  gallery: GallerySwitch;
  images: ImageFiles;
  verifications: Pick<Verifications, 'runExclusive'>;
}

/** How a migration goes, for people. */
export interface MigrationProgress extends MigrationCounts {
  migration: TemplateMigrationState;
  /**
   * `extracting`; `paused` by an administrator; `refused`: all have a template except those that the pipeline refuses, and an administrator
   * has to decide; `waiting` for the engine, a missing pack, or the migration of another company.
   */
  stage: 'extracting' | 'paused' | 'refused' | 'waiting';
  /** Faces per second over the last minute; null while no template is being extracted. */
  rate: number | null;
  secondsLeft: number | null;
}

/**
 * Crash-only: which faces lack a template is in the store, so starting is going on. Nothing that is extracted here can
 * be found before the switch, and the switch is one transaction.
 */
export class TemplateMigration {
  readonly #ports: TemplateMigrationPorts;
  readonly #rounds: Rounds;
  /** The migration that runs now. */
  #current: { company: CompanyId; target: PipelineId; rate: ProgressRate; stop: boolean } | undefined;

  constructor(ports: TemplateMigrationPorts) {
    this.#ports = ports;
    this.#rounds = new Rounds(ports.timer, () => this.#round());
  }

  start(): void {
    this.#rounds.start();
  }

  /** A migration was begun, continued or changed. */
  wake(): void {
    this.#rounds.wake();
  }

  /** Ends after the faces that are in progress; what they became is kept. */
  async stop(): Promise<void> {
    this.interrupt();
    await this.#rounds.stop();
  }

  /** Something about the migrations changed: what is in progress for this company ends, and the rest is checked again. */
  interrupt(company?: CompanyId): void {
    const current = this.#current;
    if (current !== undefined && (company === undefined || company === current.company)) current.stop = true;
  }

  async progress(migration: TemplateMigrationState): Promise<MigrationProgress> {
    const counts = await this.#ports.pipelines.counts(migration.company, migration.target);
    const current = this.#current;
    const inProgress = current?.company === migration.company && current.target === migration.target;
    const rate = inProgress ? current.rate.perSecond() : null;
    const left = counts.total - counts.extracted - counts.refused;
    return {
      ...counts,
      migration,
      stage: stageOf(migration, counts, inProgress),
      rate,
      secondsLeft: rate === null || rate === 0 ? null : left / rate,
    };
  }

  /** Every migration that runs, one after the other; a failing one does not keep the next from its turn. */
  async #round(): Promise<void> {
    const { pipelines, log } = this.#ports;
    try {
      for (const migration of await pipelines.migrations()) {
        if (!this.#rounds.running || migration.state === 'paused') continue;
        await this.#migrate(migration);
      }
    } catch (error) {
      log.error({ err: error }, 'templates cannot be re-created now; the service tries again');
      this.#rounds.wakeLater();
    }
  }

  async #migrate({ company, target, withoutFailed }: TemplateMigrationState): Promise<void> {
    const { pipelines, log } = this.#ports;
    const current = { company, target, rate: new ProgressRate(this.#ports.timer), stop: false };
    this.#current = current;
    try {
      await this.#noteProgress(company, target);
      do {
        if (!(await this.#extractAll(company, target, () => current.stop))) return;
        const { refused } = await pipelines.counts(company, target);
        // Enrolment continues until an administrator decides: the next pass extracts the templates of its faces.
        if (refused > 0 && !withoutFailed) {
          this.#rounds.wakeLater();
          return;
        }
      } while (!(await this.#switch(company, target)) && !current.stop);
    } catch (error) {
      log.error(
        { err: error, company, pipeline: target },
        'a company could not be changed to its new pipeline for now',
      );
      this.#rounds.wakeLater();
    } finally {
      this.#current = undefined;
      this.#ports.recognition.noteProgress(company, undefined);
    }
  }

  async #noteProgress(company: CompanyId, target: PipelineId): Promise<void> {
    const { extracted, total } = await this.#ports.pipelines.counts(company, target);
    this.#ports.recognition.noteProgress(company, { target, extracted, total });
  }

  /** @returns false when it was stopped before the end */
  async #extractAll(company: CompanyId, target: PipelineId, stopped: () => boolean): Promise<boolean> {
    const { pipelines, recognition } = this.#ports;
    let after = trusted.face(0);
    for (;;) {
      const limit = Math.max(PER_TRANSACTION, IN_WORK_PER_WORKER * recognition.workers);
      const faces = await pipelines.pendingExtraction(company, target, { after, limit });
      if (faces.length === 0) return true;
      if (stopped()) return false;
      await pipelines.keep(company, target, await this.#extract(company, target, faces));
      await this.#noteProgress(company, target);
      after = faces.at(-1)!.faceId;
      this.#current?.rate.add(faces.length);
    }
  }

  async #extract(
    company: CompanyId,
    target: PipelineId,
    faces: readonly FacePendingExtraction[],
  ): Promise<ExtractionResult[]> {
    const { runner, recognition } = this.#ports;
    const recogniser = runner.using(target, company);
    if (recogniser === undefined) throw new Error(`The pipeline ${target} is not installed.`);
    const waiting = [...faces];
    const extracted: ExtractionResult[] = [];
    const line = async () => {
      for (let face = waiting.shift(); face !== undefined; face = waiting.shift())
        extracted.push(await extractStored(this.#ports, recogniser, company, face));
    };
    await Promise.all(Array.from({ length: IN_WORK_PER_WORKER * recognition.workers }, line));
    return extracted;
  }

  /**
   * The gallery is filled beside the one that is searched; then, while nothing can be enrolled, finalised or decided,
   * the last templates are extracted, the gallery is made to agree with the store, and both change over.
   * @returns false when a face came in between: extract its template, and try once more
   */
  async #switch(company: CompanyId, target: PipelineId): Promise<boolean> {
    const { pipelines, recognition, gallery, verifications, clock, log } = this.#ports;
    await gallery.prepare(company, target);
    const outcome = { switched: false };
    await recognition.switching(company, () =>
      verifications.runExclusive(company, async () => {
        await this.#extractAll(company, target, () => false);
        await gallery.settle(company, target);
        outcome.switched = await pipelines.switchTo(company, target, { by: 'service', at: clock.now() });
        if (!outcome.switched) return;
        gallery.serve(company, target);
      }),
    );
    if (outcome.switched)
      log.info({ company, pipeline: target }, 'another pipeline serves a company from here on');
    else gallery.abandon(company, target);
    return outcome.switched;
  }
}

function stageOf(
  { state }: TemplateMigrationState,
  { total, extracted, refused }: MigrationCounts,
  inProgress: boolean,
): MigrationProgress['stage'] {
  if (state === 'paused') return 'paused';
  if (inProgress) return 'extracting';
  return refused > 0 && extracted + refused === total ? 'refused' : 'waiting';
}
