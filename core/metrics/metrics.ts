/** The counts of this service for Prometheus. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { FailureCode } from '../contracts/errors/failures.ts';
import { TRUST_VALIDATION_STATUS_LABEL, type TrustValidationStatus } from '../contracts/codes.ts';
import type { NodeRole, NodeState } from '../contracts/nodes.ts';
import type { AnsweredRequest, Metrics, MetricsText } from '../domain/ports/metrics.ts';
import type { StandbyFacts } from '../domain/ports/diagnostics.ts';
import type { Nodes } from '../storage/engine/postgres/nodes.ts';

/** The processes of one kind of work. */
interface WorkerFacts {
  work: string;
  /** Processes that run. */
  alive: number;
  /** Processes that ended without being asked, since the start. */
  restarts: number;
}

/** The state that is read for each answer. */
export interface MetricsSources {
  version: string;
  role: NodeRole;
  /** Photos of all companies that wait. */
  waiting: () => Promise<number>;
  /** Photos that this service processes. */
  inProgress: () => number;
  paused: () => Promise<boolean>;
  /** Faces that this service can search, by pipeline. */
  faces: () => ReadonlyMap<string, number>;
  workers: () => readonly WorkerFacts[];
  /** Whether this service does the work that one does for all. */
  leads: () => boolean;
  /** The services of the PostgreSQL database; undefined on SQLite, which has one service. */
  nodes: Pick<Nodes, 'list'> | undefined;
  /** The standbys of the PostgreSQL server that the role of the service may see; none on SQLite. */
  standbys: () => Promise<readonly StandbyFacts[]>;
}

/** Upper bounds of the durations, seconds: from a cached answer to a request that a person gives up. */
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

const OF_NODE = ['node', 'role'] as const;
type OfNode = Gauge<(typeof OF_NODE)[number]>;

/** Counts since it was made, and reads the state for each answer. */
export class PrometheusMetrics implements Metrics, MetricsText {
  readonly #registry = new Registry();
  readonly #sources: MetricsSources;
  readonly #requests = new Histogram({
    ...this.#named('vouch_http_request_duration_seconds', 'Time from a request to the end of its answer.'),
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
  });
  readonly #errors = new Counter({
    ...this.#named('vouch_http_errors_total', 'Requests that were answered with an error, by its code.'),
    labelNames: ['code'],
  });
  readonly #photos = new Counter({
    ...this.#named('vouch_photos_answered_total', 'Photos that this service enrolled or rejected.'),
    labelNames: ['outcome', 'reason'],
  });
  readonly #verifications = new Counter({
    ...this.#named('vouch_verifications_total', 'Verifications that were finalised, by their status.'),
    labelNames: ['status'],
  });
  readonly #searches = new Counter(
    this.#named('vouch_searched_faces_total', 'Faces that were compared with the watchlists.'),
  );
  readonly #waiting = this.#gauge('vouch_photos_waiting', 'Photos of all companies that wait.');
  readonly #inProgress = this.#gauge('vouch_photos_in_progress', 'Photos that this service processes.');
  readonly #paused = this.#gauge('vouch_enrolment_paused', '1: an operator has paused enrolment.');
  readonly #leader = this.#gauge('vouch_leader', '1: this service does the work that one does for all.');
  readonly #faces = new Gauge({
    ...this.#named('vouch_gallery_faces', 'Faces that this service can search, by pipeline.'),
    labelNames: ['pipeline'],
  });
  readonly #workers = new Gauge({
    ...this.#named('vouch_workers', 'Worker processes that run.'),
    labelNames: ['work'],
  });
  readonly #restarts = new Gauge({
    ...this.#named('vouch_worker_restarts', 'Workers that ended unexpectedly since the start.'),
    labelNames: ['work'],
  });
  readonly #standbyLag = new Gauge({
    ...this.#named(
      'vouch_database_standby_lag_seconds',
      'Time from a COMMIT to its arrival at a standby of the database; 0: nothing was written lately.',
    ),
    labelNames: ['standby', 'synchronous'],
  });
  /** A vision node listens on no port, so each of the other services reports about all. */
  readonly #ofNodes: readonly [OfNode, (node: NodeState) => number][];

  constructor(sources: MetricsSources) {
    this.#sources = sources;
    collectDefaultMetrics({ register: this.#registry });
    const { version, role } = sources;
    const info = { ...this.#named('vouch_info', 'Version and role of this service; always 1.') };
    new Gauge({ ...info, labelNames: ['version', 'role'] }).set({ version, role }, 1);
    this.#ofNodes = sources.nodes === undefined ? [] : this.#nodeGauges();
  }

  requestAnswered({ method, route, status, code, seconds }: AnsweredRequest): void {
    this.#requests.observe({ method, route, status }, seconds);
    if (code !== undefined) this.#errors.inc({ code });
  }

  photoAnswered(failure?: FailureCode): void {
    this.#photos.inc({ outcome: failure === undefined ? 'enrolled' : 'failed', reason: failure ?? '' });
  }

  verificationFinalised(status: TrustValidationStatus): void {
    this.#verifications.inc({ status: TRUST_VALIDATION_STATUS_LABEL[status] });
  }

  searched(faces: number): void {
    this.#searches.inc(faces);
  }

  async text(): Promise<string> {
    const { waiting, inProgress, paused, leads, faces, workers, nodes, standbys } = this.#sources;
    const [waitingNow, isPaused, all, copies] = await Promise.all([
      waiting(),
      paused(),
      nodes?.list(),
      standbys(),
    ]);
    this.#waiting.set(waitingNow);
    this.#inProgress.set(inProgress());
    this.#paused.set(Number(isPaused));
    this.#leader.set(Number(leads()));
    this.#faces.reset();
    for (const [pipeline, count] of faces()) this.#faces.set({ pipeline }, count);
    for (const { work, alive, restarts } of workers()) {
      this.#workers.set({ work }, alive);
      this.#restarts.set({ work }, restarts);
    }
    this.#standbyLag.reset();
    for (const { name, isSynchronous, lag } of copies)
      this.#standbyLag.set({ standby: name, synchronous: String(isSynchronous) }, lag ?? 0);
    for (const [gauge, valueOf] of this.#ofNodes) {
      gauge.reset();
      for (const node of all ?? []) gauge.set({ node: node.name, role: node.role }, valueOf(node));
    }
    return this.#registry.metrics();
  }

  #nodeGauges(): [OfNode, (node: NodeState) => number][] {
    const gauge = (name: string, help: string): OfNode =>
      new Gauge({ ...this.#named(name, help), labelNames: OF_NODE });
    return [
      [
        gauge('vouch_node_up', '1: the service reported within the last 30 seconds.'),
        (it) => Number(it.alive),
      ],
      [gauge('vouch_node_draining', '1: the service is about to stop.'), (it) => Number(it.draining)],
      [gauge('vouch_node_leases', 'Photos that the service leased from the queue.'), (it) => it.leases],
      [
        gauge('vouch_node_photos_answered', 'Photos that the service answered since its start.'),
        (it) => it.answered,
      ],
    ];
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge(this.#named(name, help));
  }

  #named(name: string, help: string): { name: string; help: string; registers: Registry[] } {
    return { name, help, registers: [this.#registry] };
  }
}
