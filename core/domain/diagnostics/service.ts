import { sentenceOf, type Problem } from '../../contracts/errors/problem.ts';
import { UnavailableError } from '../ports/machine.ts';
import {
  DIAGNOSTICS,
  HEALTH_CHECKS,
  type HealthCheck,
  type HealthReport,
  type HealthResult,
} from '../../contracts/diagnostics.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import {
  judgeAccess,
  judgeAudit,
  judgeClock,
  judgeDatabase,
  judgeDisks,
  judgeKey,
  judgeNetwork,
  judgeModels,
  judgeProcessor,
  judgeQueue,
  judgeRetention,
  judgeWorkers,
  type DiskFacts,
  type DiagnosticResult,
} from './checks.ts';
import { lastUnerased } from '../erasure/unerased.ts';
import { whyHeld } from '../erasure/plausibility.ts';
import { listenerView } from '../network/certificate.ts';
import { checkImages, checkTemplates } from './faceChecks.ts';
import { judgeServer } from './serverCheck.ts';
import { missingPipelines } from '../pipelines/missingPipelines.ts';
import type { MissingPipeline } from '../ports/pipelines.ts';
import type { DoctorPorts, OpenStore } from '../ports/diagnostics.ts';
import { checkStorage } from './storageCheck.ts';
import { systemProblem } from '../../contracts/errors/systemProblem.ts';
import { hasPassed } from '../common/elapsed.ts';
import { within } from '../common/within.ts';

/** A report is believed for this long; milliseconds. */
const KEPT = 10 * 60_000;
/** A store that works answers within this; milliseconds. */
const ANSWER_TIME = 1_000;

type Store = DoctorPorts['store'];

/** Looks at everything that has to be in order, and says of each what to do when it is not. */
export class Doctor {
  readonly #ports: DoctorPorts;
  readonly #reports = new Map<CompanyId | undefined, { at: Date; report: Promise<HealthReport> }>();

  constructor(ports: DoctorPorts) {
    this.#ports = ports;
  }

  /**
   * @param company whose storage folder is looked at; absent: every company's
   * @param fresh look now; otherwise a report of the last ten minutes will do. Two who ask at once share one look.
   */
  async report({ company, fresh }: { company?: CompanyId; fresh: boolean }): Promise<HealthReport> {
    const now = this.#ports.clock.now();
    const kept = this.#reports.get(company);
    if (kept !== undefined && !fresh && !hasPassed(kept.at, KEPT, now)) return kept.report;
    const report = this.#examine(company);
    this.#reports.set(company, { at: now, report });
    return report;
  }

  async #examine(company: CompanyId | undefined): Promise<HealthReport> {
    const { clock, timer, log } = this.#ports;
    const checks: HealthResult[] = [];
    const store = await this.#openStore();
    // One after the other: a look at the health must not be what slows the work down.
    for (const [index, name] of HEALTH_CHECKS.entries()) {
      const begun = timer.elapsed();
      const found = await this.#look(name, store, company).catch((error: unknown) => {
        log.warn({ err: error, check: name }, 'a health check failed');
        return { code: 'unchecked' as const, facts: { problem: reasonOf(error) } };
      });
      checks.push(describeFinding(index + 1, name, found, Math.round(timer.elapsed() - begun)));
    }
    return { at: clock.now().toISOString(), checks };
  }

  /** A store that does not answer is like one that cannot be opened: each check would wait for it again. */
  async #openStore(): Promise<Store> {
    const { log, store, timer } = this.#ports;
    if ('refused' in store) return store;
    try {
      await within(timer, ANSWER_TIME, store.installation.settings());
      return store;
    } catch (error) {
      log.warn({ err: error }, 'the store does not answer');
      return { refused: reasonOf(error) };
    }
  }

  async #look(name: HealthCheck, store: Store, company: CompanyId | undefined): Promise<DiagnosticResult> {
    const { clock, confinement, home, processor, models } = this.#ports;
    switch (name) {
      case 'processor':
        return judgeProcessor(await processor());
      case 'permissions':
        return judgeAccess(await home.access());
      case 'models':
        return judgeModels(await models(), await this.#missingPipelines(store, company));
      case 'workers':
        return judgeWorkers(confinement());
      case 'key':
        return judgeKey(await home.key());
      case 'port':
        return this.#lookAtPort();
      case 'database':
        if (!('refused' in store)) return this.#lookAtDatabase(store);
        if (store.held === true) return { code: 'databaseHeld', facts: {} };
        if (store.refused === null) return { code: 'databaseUnborn', facts: {} };
        return isSilence(store.refused)
          ? { code: 'databaseSilent', facts: {} }
          : { code: 'databaseClosed', facts: { problem: store.refused } };
      case 'disk':
        return this.#lookAtDisks(store, company);
      default:
    }
    if ('refused' in store) return { code: 'notOpen', facts: {} };
    switch (name) {
      case 'clock':
        return judgeClock(clock.now(), await store.storeHealth.latestTime());
      case 'queue':
        return this.#lookAtQueue(store);
      case 'audit':
        return this.#lookAtAudit(store);
      case 'network':
        return this.#lookAtNetwork(store);
      case 'retention':
        return this.#lookAtRetention(store, company);
      case 'storage':
        return checkStorage(store, company);
      case 'faces':
        return checkTemplates(store, company);
      case 'images':
        return checkImages(store, company);
      case 'server':
        return judgeServer(await store.storeHealth.server());
    }
  }

  async #missingPipelines(store: Store, company: CompanyId | undefined): Promise<MissingPipeline[]> {
    // Check 6 is about a store that cannot be read.
    return 'refused' in store ? [] : missingPipelines(store, await this.#ports.installedPipelines(), company);
  }

  async #lookAtDisks(store: Store, only: CompanyId | undefined): Promise<DiagnosticResult> {
    const { home } = this.#ports;
    const { folder, problem } = await home.access();
    if (problem !== null) return judgeDisks([{ folder, freeBytes: null, problem }], 0);
    if ('refused' in store) return { code: 'notOpen', facts: {} };
    const { companies, images, installation } = store;
    const disks: DiskFacts[] = [{ folder, freeBytes: await home.freeBytes() }];
    for (const { id, storageFolder } of await companies.list()) {
      if (storageFolder === null || (only !== undefined && id !== only)) continue;
      disks.push(
        await images.freeBytes(id).then(
          (freeBytes) => ({ folder: storageFolder, freeBytes }),
          (error: unknown) => ({ folder: storageFolder, freeBytes: null, problem: reasonOf(error) }),
        ),
      );
    }
    return judgeDisks(disks, (await installation.settings()).minFreeBytes);
  }

  async #lookAtDatabase({ storeHealth }: OpenStore): Promise<DiagnosticResult> {
    const damage = await storeHealth.damage();
    if (damage.length > 0) this.#ports.log.warn({ damage }, 'the database is damaged');
    return judgeDatabase(damage, await storeHealth.databaseBytes());
  }

  async #lookAtPort(): Promise<DiagnosticResult> {
    const { ports, port } = this.#ports;
    const service = this.#ports.service();
    if (service === null)
      return { code: (await ports.isFree(port)) ? 'portFree' : 'portTaken', facts: { port: String(port) } };
    const problem = await ports.problemAt(service.address);
    return problem === undefined
      ? { code: 'portGood', facts: { address: service.address } }
      : { code: 'portDeaf', facts: { address: service.address, problem } };
  }

  async #lookAtRetention(store: OpenStore, only: CompanyId | undefined): Promise<DiagnosticResult> {
    const { clock, bootClock } = this.#ports;
    const ruled = [];
    for (const company of await store.companies.list()) {
      if (only !== undefined && company.id !== only) continue;
      if (Object.values(company.settings.retention).every((days) => days === null)) continue;
      const held = await whyHeld({ ...store, clock, bootClock }, company);
      ruled.push({ name: company.name, held, unerased: await lastUnerased(store.audit, company.id) });
    }
    return judgeRetention(ruled);
  }

  async #lookAtNetwork({ networkListeners }: OpenStore): Promise<DiagnosticResult> {
    const { clock, readCertificate, service } = this.#ports;
    const listener = await networkListeners.find();
    return judgeNetwork(
      listener === undefined ? null : listenerView(readCertificate, listener, clock.now()),
      service()?.networkProblem ?? null,
    );
  }

  async #lookAtAudit({ audit, anchors }: OpenStore): Promise<DiagnosticResult> {
    const { kept, witness } = await anchors.read();
    return judgeAudit(await audit.verify(kept), witness);
  }

  async #lookAtQueue({ installation, queue }: OpenStore): Promise<DiagnosticResult> {
    const { clock, service } = this.#ports;
    const { paused, maxWaitingImages } = await installation.settings();
    return judgeQueue({
      now: clock.now(),
      paused,
      waiting: await queue.waiting(),
      most: maxWaitingImages,
      oldest: await queue.oldest(),
      service: service(),
    });
  }
}

function describeFinding(
  number: number,
  name: HealthCheck,
  { code, facts }: DiagnosticResult,
  milliseconds: number,
): HealthResult {
  const { state, finding, whatToDo } = DIAGNOSTICS[code];
  const fill = (text: string) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, fact: string) => factText(facts[fact] ?? ''));
  return {
    number,
    name,
    state,
    code,
    facts,
    finding: fill(finding),
    whatToDo: whatToDo === '' ? null : fill(whatToDo),
    milliseconds,
  };
}

function factText(fact: DiagnosticResult['facts'][string]): string {
  return typeof fact === 'string' ? fact : sentenceOf(fact);
}

function isSilence(reason: string | Problem): boolean {
  return typeof reason === 'object' && reason.code === 'SYSTEM_NO_ANSWER';
}

function reasonOf(error: unknown): Problem {
  return (error instanceof UnavailableError ? error.problem : undefined) ?? systemProblem(error);
}
