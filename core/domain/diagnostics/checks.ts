import type { Problem } from '../../contracts/errors/problem.ts';
import type { DiagnosticCode } from '../../contracts/diagnostics.ts';
import type { AuditVerdict, ExternalAnchorFile } from '../../contracts/audit.ts';
import type { HeldRetention } from '../../contracts/retention.ts';
import { endsSoon, type NetworkAccessState } from '../../contracts/network.ts';
import type {
  Confinement,
  HomeAccess,
  KeyFacts,
  ModelFile,
  ProcessorFacts,
  RunningService,
} from '../ports/diagnostics.ts';
import type { Unerased } from '../erasure/plausibility.ts';
import type { MissingPipeline } from '../ports/pipelines.ts';

/** The finding of a check, with the facts of its sentence. */
export interface DiagnosticResult {
  code: DiagnosticCode;
  facts: Record<string, string | Problem>;
}

/** Below this many times the least free space an administrator should look. */
const LOW_FACTOR = 4;
/** The queue is stuck when images have waited this long and none was answered; milliseconds. */
const STUCK_AFTER = 5 * 60_000;
/** A clock may differ by this much from the entries it wrote itself (leap seconds, corrections); milliseconds. */
const CLOCK_TOLERANCE = 1_000;

/**
 * The processor features that each architecture must have (prebuilt image decoder), and those that make recognition
 * fast.
 */
const WANTED: Record<string, { must: readonly string[]; should: readonly string[] }> = {
  x64: { must: ['sse4_2'], should: ['avx2'] },
};

export function judgeProcessor(facts: ProcessorFacts): DiagnosticResult {
  const { features, wasmSimd } = facts;
  const { must, should } = WANTED[facts.architecture] ?? { must: [], should: [] };
  const lacks = (names: readonly string[]) =>
    features === null ? [] : names.filter((name) => !features.has(name));
  const shown = { model: facts.model, cores: String(facts.cores) };
  const unfit = [...lacks(must), ...(wasmSimd ? [] : ['WebAssembly SIMD'])];
  if (unfit.length > 0) return { code: 'processorUnfit', facts: { ...shown, missing: listed(unfit) } };
  const slow = lacks(should);
  if (slow.length > 0) return { code: 'processorSlow', facts: { ...shown, missing: listed(slow) } };
  const has = features === null ? [facts.architecture] : [...must, ...should];
  return { code: 'processorGood', facts: { ...shown, features: listed([...has, 'WebAssembly SIMD']) } };
}

export interface DiskFacts {
  folder: string;
  /** Null: it cannot be used, and `problem` says why. */
  freeBytes: number | null;
  problem?: Problem;
}

/** The worst disk decides. @param limit below it uploads are refused, bytes */
export function judgeDisks(disks: readonly DiskFacts[], limit: number): DiagnosticResult {
  const broken = disks.find(({ freeBytes }) => freeBytes === null);
  if (broken !== undefined)
    return { code: 'diskUnusable', facts: { folder: broken.folder, problem: broken.problem ?? '' } };
  const [least] = disks.toSorted((a, b) => (a.freeBytes ?? 0) - (b.freeBytes ?? 0));
  if (least?.freeBytes == null) throw new Error('There is no disk to judge.');
  const facts = { folder: least.folder, free: inBytes(least.freeBytes), limit: inBytes(limit) };
  if (least.freeBytes < limit) return { code: 'diskFull', facts };
  if (least.freeBytes < limit * LOW_FACTOR) return { code: 'diskLow', facts };
  return { code: 'diskGood', facts };
}

export function judgeAccess({ folder, openToOthers, unwritable, problem }: HomeAccess): DiagnosticResult {
  if (problem?.code === 'SYSTEM_READ_ONLY') return { code: 'permissionsReadOnly', facts: { folder } };
  if (unwritable.length > 0)
    return { code: 'permissionsUnwritable', facts: { folder, files: listed(unwritable) } };
  if (openToOthers === null) return { code: 'permissionsUnknown', facts: { folder } };
  if (openToOthers.length > 0)
    return { code: 'permissionsOpen', facts: { folder, files: openToOthers.join(' ') } };
  return { code: 'permissionsGood', facts: { folder } };
}

export function judgeClock(now: Date, newest: Date | undefined): DiagnosticResult {
  const facts = { now: now.toISOString(), newest: newest?.toISOString() ?? '' };
  return newest !== undefined && newest.getTime() > now.getTime() + CLOCK_TOLERANCE
    ? { code: 'clockBehind', facts }
    : { code: 'clockGood', facts };
}

/** @param missing companies whose pipeline cannot be run; empty too where no database could be read */
export function judgeModels(
  models: readonly ModelFile[],
  missing: readonly MissingPipeline[],
): DiagnosticResult {
  const wrong = models.filter(({ pinned }) => !pinned).map(({ file }) => file);
  if (wrong.length > 0) return { code: 'modelsWrong', facts: { files: listed(wrong) } };
  const lost = missing.filter(({ change }) => change === null);
  if (lost.length > 0)
    return {
      code: 'pipelineMissing',
      facts: { companies: listed(lost.map(({ company, pipeline }) => `${company}: ${pipeline}`)) },
    };
  if (missing.length > 0)
    return {
      code: 'pipelineChanging',
      facts: {
        companies: listed(
          missing.map(({ company, change }) => `${company}: ${change?.extracted ?? 0}/${change?.total ?? 0}`),
        ),
      },
    };
  return { code: 'modelsGood', facts: { count: String(models.length) } };
}

export function judgeDatabase(damage: readonly string[], bytes: number): DiagnosticResult {
  return damage.length > 0
    ? { code: 'databaseDamaged', facts: {} }
    : { code: 'databaseGood', facts: { size: inBytes(bytes) } };
}

export function judgeKey({ file, state }: KeyFacts): DiagnosticResult {
  const codes = {
    fits: 'keyGood',
    readable: 'keyReadable',
    given: 'keyGiven',
    missing: 'keyMissing',
    other: 'keyOther',
    unproven: 'keyUnproven',
    unborn: 'keyUnborn',
  } as const;
  return { code: codes[state], facts: { file } };
}

export interface QueueFacts {
  now: Date;
  paused: boolean;
  waiting: number;
  most: number;
  oldest: Date | undefined;
  service: Omit<RunningService, 'address' | 'networkProblem'> | null;
}

export function judgeQueue({ now, paused, waiting, most, oldest, service }: QueueFacts): DiagnosticResult {
  const facts = { waiting: String(waiting), inProgress: String(service?.inProgress ?? 0) };
  if (paused) return { code: 'queuePaused', facts };
  if (service === null) return { code: 'queueResting', facts };
  // Nothing is answered before there was something to answer, nor before the service ran.
  const since = Math.max(
    service.startedAt.getTime(),
    service.lastProcessedAt?.getTime() ?? 0,
    oldest?.getTime() ?? now.getTime(),
  );
  const idle = now.getTime() - since;
  if (waiting > 0 && idle > STUCK_AFTER)
    return { code: 'queueStuck', facts: { ...facts, minutes: String(Math.floor(idle / 60_000)) } };
  return { code: waiting >= most ? 'queueFull' : 'queueGood', facts };
}

export function judgeAudit(
  { entries, anchoredUpTo, firstBad }: AuditVerdict,
  external: ExternalAnchorFile,
): DiagnosticResult {
  if (firstBad !== null)
    return { code: 'auditBroken', facts: { sequence: String(firstBad.sequence), problem: firstBad.problem } };
  const facts = { entries: String(entries), anchored: String(anchoredUpTo) };
  return external.problem === null
    ? { code: 'auditGood', facts }
    : { code: 'externalAnchorsAway', facts: { ...facts, problem: external.problem } };
}

/** @param listener null: no other machine is let in. @param problem why none is although one should be */
export function judgeNetwork(
  listener: NetworkAccessState['listener'],
  problem: Problem | null,
): DiagnosticResult {
  if (listener === null) return { code: 'networkOff', facts: {} };
  const { names, addresses, validUntil, daysLeft, selfSigned } = listener;
  const facts = {
    names: names.join(' '),
    addresses: addresses.join(' '),
    until: validUntil.slice(0, 10),
    days: String(daysLeft),
  };
  if (problem !== null) return { code: 'networkShut', facts: { ...facts, problem } };
  if (!endsSoon(listener)) return { code: 'networkGood', facts };
  const ended = daysLeft < 0;
  if (selfSigned) return { code: ended ? 'networkEnded' : 'networkEnds', facts };
  return { code: ended ? 'networkEndedGiven' : 'networkEndsGiven', facts };
}

/** @param companies those with rules, each with why its run is held, and with what the last run could not erase */
export function judgeRetention(
  companies: readonly { name: string; held: HeldRetention | null; unerased: Unerased }[],
): DiagnosticResult {
  for (const { name, held } of companies) {
    const facts = { company: name };
    switch (held?.reason) {
      case 'clock':
        return { code: 'retentionClock', facts: { ...facts, now: held.now, latest: held.latest } };
      case 'count':
        return {
          code: 'retentionCount',
          facts: { ...facts, due: String(held.due), most: String(held.most) },
        };
      case 'unconfirmed':
        return { code: 'retentionUnconfirmed', facts };
      case undefined:
    }
  }
  const left = companies.find(({ unerased }) => unerased.count > 0);
  if (left !== undefined) {
    const { count, named } = left.unerased;
    return {
      code: 'retentionUnerased',
      facts: { company: left.name, count: String(count), records: listed(named) },
    };
  }
  return { code: 'retentionGood', facts: { companies: String(companies.length) } };
}

/** @param confinement of the worker processes */
export function judgeWorkers(confinement: Confinement): DiagnosticResult {
  const codes = { kernel: 'workersConfined', calls: 'workersFiltered', runtime: 'workersOpen' } as const;
  return { code: codes[confinement], facts: {} };
}

/** Binary units, as disks are reported: 1.5 GiB. */
function inBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(power > 1 ? 1 : 0)} ${units[power] ?? ''}`;
}

function listed(names: readonly string[]): string {
  return names.join(', ');
}
