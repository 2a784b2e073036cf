import { sentenceOf, type Problem } from '../../contracts/errors/problem.ts';
import { UnavailableError } from '../ports/machine.ts';
import {
  DIAGNOSTICS,
  HEALTH_CHECKS,
  type HealthCheck,
  type HealthReport,
  type HealthResult,
} from '../../contracts/diagnostics.ts';
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
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
import { lastUnerased, whyHeld } from '../erasure/plausibility.ts';
import type { MissingPipeline, MissingPorts } from '../ports/pipelines.ts';
import type { DoctorPorts, OpenStore, DatabaseServerFacts, StorageCheckPorts } from '../ports/diagnostics.ts';
import { systemProblem } from '../../contracts/errors/systemProblem.ts';
import { hasPassed } from '../values/time.ts';
import { within } from '../work/turns.ts';
import { listenerView } from '../network/networkAccessService.ts';
import { Service } from '../serviceParts.ts';

/** Seconds by which the clocks of two machines may differ. */
const CLOCK_TOLERANCE = 60;
/** Seconds. No work of the service keeps a transaction open for so long. */
const OLD_TRANSACTION = 3_600;
/** Seconds. */
const LAG_TOLERANCE = 30;
/** The share of the connections beyond which another service may find none. */
const FULL = 0.9;

/** The worst finding about the server of the database. @param facts undefined: the database is a file */
export function judgeServer(facts: DatabaseServerFacts | undefined): DiagnosticResult {
  if (facts === undefined) return { code: 'serverNone', facts: {} };
  return failureOf(facts) ?? warningOf(facts) ?? goodServer(facts);
}

function goodServer({
  version,
  connections,
  maxConnections,
  standbys,
}: DatabaseServerFacts): DiagnosticResult {
  return {
    code: 'serverGood',
    facts: {
      version,
      connections: String(connections),
      most: String(maxConnections),
      standbys: String(standbys.length),
    },
  };
}

function failureOf(facts: DatabaseServerFacts): DiagnosticResult | undefined {
  const { changedRows, unsafeSettings, otherCollations, clockDifference, awaitedStandbys } = facts;
  const { standbys, seesActivity } = facts;
  if (changedRows.length > 0) return { code: 'serverRows', facts: { rows: listedRows(changedRows) } };
  if (unsafeSettings.length > 0)
    return { code: 'serverUnsafe', facts: { settings: unsafeSettings.join(', ') } };
  if (otherCollations.length > 0)
    return { code: 'serverCollation', facts: { columns: otherCollations.slice(0, 5).join(', ') } };
  if (Math.abs(clockDifference) > CLOCK_TOLERANCE)
    return { code: 'serverClock', facts: { seconds: whole(Math.abs(clockDifference)) } };
  if (awaitedStandbys !== '' && seesActivity && !standbys.some(({ isSynchronous }) => isSynchronous))
    return { code: 'serverStandbyLost', facts: { names: awaitedStandbys } };
  return undefined;
}

function listedRows(rows: readonly string[]): string {
  const more = rows.length - MAX_NAMED;
  return rows.slice(0, MAX_NAMED).join('; ') + (more > 0 ? ` (and ${more} more)` : '');
}

function warningOf(facts: DatabaseServerFacts): DiagnosticResult | undefined {
  const { role, standbys, connections, maxConnections, oldestTransaction } = facts;
  if (facts.services > 1 && !facts.sharesImages)
    return { code: 'serverImages', facts: { services: String(facts.services) } };
  const late = standbys.find(({ lag }) => (lag ?? 0) > LAG_TOLERANCE);
  if (late !== undefined)
    return { code: 'serverStandbyLags', facts: { name: late.name, seconds: whole(late.lag ?? 0) } };
  if (connections > FULL * maxConnections)
    return {
      code: 'serverConnections',
      facts: { connections: String(connections), most: String(maxConnections) },
    };
  if (oldestTransaction > OLD_TRANSACTION)
    return { code: 'serverTransaction', facts: { minutes: whole(oldestTransaction / 60) } };
  if (facts.ownsAuditLog) return { code: 'serverOwner', facts: { role } };
  if (!facts.hasNameIndex) return { code: 'serverNameIndex', facts: {} };
  if (!facts.hasChecksums) return { code: 'serverChecksums', facts: {} };
  if (!facts.seesActivity) return { code: 'serverHidden', facts: { role } };
  return undefined;
}

function whole(value: number): string {
  return String(Math.round(value));
}

// Checks of what is stored of faces: every template, and the content of sampled images.

/** So many faces are named in a finding. */
const MAX_NAMED = 20;

/** Whether every template can be compared. @param only this company alone; absent: all */
async function checkTemplates(
  { storeHealth, companies }: Pick<OpenStore, 'storeHealth' | 'companies'>,
  only: CompanyId | undefined,
): Promise<DiagnosticResult> {
  const { read, damaged, faces } = await storeHealth.damagedTemplates(only);
  if (damaged === 0) return { code: 'facesGood', facts: { read: String(read) } };
  const names = new Map((await companies.list()).map(({ id, name }) => [Number(id), name]));
  const [first] = faces;
  const company = names.get(first?.company ?? 0) ?? String(first?.company);
  const ofCompany = faces.filter((face) => face.company === first?.company);
  return { code: 'facesDamaged', facts: { damaged: String(damaged), company, faces: named(ofCompany) } };
}

/** Whether sampled images are as they were stored. The first company with a damaged one decides. */
export async function checkImages(
  {
    companies,
    imageContents,
    storageFolders,
  }: Pick<OpenStore, 'companies' | 'imageContents' | 'storageFolders'>,
  only: CompanyId | undefined,
): Promise<DiagnosticResult> {
  let all = 0;
  for (const { id, name, storageFolder } of await companies.list()) {
    if (storageFolder === null || (only !== undefined && id !== only)) continue;
    // The check of the storage folders reports this one.
    if ((await storageFolders.problem(id)) !== undefined) continue;
    const { sampled, damaged } = await imageContents.sample(id);
    if (damaged.length > 0)
      return {
        code: 'imagesDamaged',
        facts: {
          company: name,
          damaged: String(damaged.length),
          sampled: String(sampled),
          faces: named(damaged),
        },
      };
    all += sampled;
  }
  return { code: 'imagesGood', facts: { sampled: String(all) } };
}

/** As `vouch erase plan` takes them. */
function named(faces: readonly { face: number | null; validation: number | null }[]): string {
  const options = faces.flatMap(({ face, validation }) =>
    validation !== null ? `--validation ${validation}` : face !== null ? `--face ${face}` : [],
  );
  const more = options.length - MAX_NAMED;
  return options.slice(0, MAX_NAMED).join(' ') + (more > 0 ? ` (and ${more} more)` : '');
}

/** A report is believed for this long; milliseconds. */
const KEPT = 10 * 60_000;
/** A store that works answers within this; milliseconds. */
const ANSWER_TIME = 5_000;

type Store = DoctorPorts['store'];

/** Looks at everything that has to be in order, and says of each what to do when it is not. */
export class Doctor extends Service<DoctorPorts> {
  readonly #reports = new Map<CompanyId | undefined, { at: Date; report: Promise<HealthReport> }>();

  /**
   * @param company whose storage folder is looked at; absent: every company's
   * @param fresh look now; otherwise a report of the last ten minutes will do. Two who ask at once share one look.
   */
  async report({ company, fresh }: { company?: CompanyId; fresh: boolean }): Promise<HealthReport> {
    const now = this.ports.clock.now();
    const kept = this.#reports.get(company);
    if (kept !== undefined && !fresh && !hasPassed(kept.at, KEPT, now)) return kept.report;
    const report = this.#examine(company);
    this.#reports.set(company, { at: now, report });
    return report;
  }

  async #examine(company: CompanyId | undefined): Promise<HealthReport> {
    const { clock, timer, log } = this.ports;
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
    const { log, store, timer } = this.ports;
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
    const { clock, confinement, home, processor, models } = this.ports;
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
    return 'refused' in store ? [] : missingPipelines(store, await this.ports.installedPipelines(), company);
  }

  async #lookAtDisks(store: Store, only: CompanyId | undefined): Promise<DiagnosticResult> {
    const { home } = this.ports;
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
    if (damage.length > 0) this.ports.log.warn({ damage }, 'the database is damaged');
    return judgeDatabase(damage, await storeHealth.databaseBytes());
  }

  async #lookAtPort(): Promise<DiagnosticResult> {
    const { ports, port } = this.ports;
    const service = this.ports.service();
    if (service === null)
      return { code: (await ports.isFree(port)) ? 'portFree' : 'portTaken', facts: { port: String(port) } };
    const problem = await ports.problemAt(service.address);
    return problem === undefined
      ? { code: 'portGood', facts: { address: service.address } }
      : { code: 'portDeaf', facts: { address: service.address, problem } };
  }

  async #lookAtRetention(store: OpenStore, only: CompanyId | undefined): Promise<DiagnosticResult> {
    const { clock, bootClock } = this.ports;
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
    const { clock, readCertificate, service } = this.ports;
    const listener = await networkListeners.find();
    return judgeNetwork(
      listener === undefined ? null : listenerView(readCertificate, listener, clock.now()),
      service()?.networkProblem ?? null,
    );
  }

  async #lookAtAudit({ audit, anchors }: OpenStore): Promise<DiagnosticResult> {
    const { kept, external } = await anchors.read();
    return judgeAudit(await audit.verify(kept), external);
  }

  async #lookAtQueue({ installation, queue }: OpenStore): Promise<DiagnosticResult> {
    const { clock, service } = this.ports;
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

/**
 * Whether each storage folder is in place and has the files of sampled images. The first folder that is not as it should
 * be decides.
 * @param only this company alone; absent: all
 */
async function checkStorage(
  ports: StorageCheckPorts,
  only: CompanyId | undefined,
): Promise<DiagnosticResult> {
  let folders = 0;
  let sampled = 0;
  for (const { id, storageFolder } of await ports.companies.list()) {
    if (storageFolder === null || (only !== undefined && id !== only)) continue;
    const problem = await ports.storageFolders.problem(id);
    if (problem !== undefined) return { code: 'storageUnusable', facts: { problem } };
    const found = await ports.imageSamples.withoutFile(id);
    if (found.missing > 0)
      return {
        code: 'imagesMissing',
        facts: {
          folder: storageFolder,
          missing: String(found.missing),
          sampled: String(found.sampled),
        },
      };
    folders += 1;
    sampled += found.sampled;
  }
  return { code: 'storageGood', facts: { folders: String(folders), sampled: String(sampled) } };
}

// Companies whose pipeline cannot be run: no face can be compared there until it can, or another one is active.

/** @param installed ids that can be run. @param only this company; absent: all */
async function missingPipelines(
  { companies, pipelines }: MissingPorts,
  installed: ReadonlySet<PipelineId>,
  only?: CompanyId,
): Promise<MissingPipeline[]> {
  const gone = (await pipelines.active()).filter(({ pipeline }) => !installed.has(pipeline));
  if (gone.length === 0) return [];
  const names = new Map((await companies.list()).map(({ id, name }) => [id, name]));
  const targets = new Map((await pipelines.migrations()).map(({ company, target }) => [company, target]));
  const missing: MissingPipeline[] = [];
  for (const { company, pipeline } of gone) {
    const name = names.get(company);
    if (name === undefined || (only !== undefined && company !== only)) continue;
    const target = targets.get(company);
    const counts = target === undefined ? undefined : await pipelines.counts(company, target);
    const change = counts === undefined ? null : { extracted: counts.extracted, total: counts.total };
    missing.push({ company: name, pipeline, change });
  }
  return missing;
}
