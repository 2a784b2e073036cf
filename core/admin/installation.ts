import { InvalidInput } from '../contracts/errors/problem.ts';
import type { AdminCommandHandlers } from '../contracts/admin/commands.ts';
import type { PipelineId } from '../contracts/ids.ts';
import { settableLimits } from '../contracts/limits/limitShapes.ts';
import { changeInstallationLimits, installationLimits } from '../domain/companies/limits.ts';
import type { Doctor } from '../domain/diagnostics/service.ts';
import type { PipelineService } from '../domain/pipelines/service.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { Nodes } from '../domain/ports/nodes.ts';
import type { RecognitionPort } from '../domain/ports/recognition.ts';
import type { WorkQueue } from '../storage/enrolment/workQueue.ts';
import type { AuditLog } from '../storage/audit/auditLog.ts';
import type { Installation } from '../storage/settings/companies.ts';

export interface InstallationCommandPorts {
  audit: AuditLog;
  installation: Installation;
  queue: Pick<WorkQueue, 'waiting'>;
  vision: Pick<RecognitionPort, 'workers'>;
  pipelineService: PipelineService;
  doctor: Pick<Doctor, 'report'>;
  /** Undefined: SQLite has one service. */
  nodes: Pick<Nodes, 'name' | 'list'> | undefined;
  clock: Clock;
  /** Facts of the running process. */
  process: {
    version: string;
    /** null: it does not listen. */
    address(): string | null;
    /** Images that are being processed. */
    inProgress(): number;
    /** The pipeline of companies that have not chosen one. */
    pipeline(): PipelineId;
  };
  /** Starts processing after the queue was resumed. */
  wake(): void;
}

/** The handlers of `vouch status`, `vouch doctor`, `vouch cluster …`, `vouch queue …` and `vouch settings …`. */
export function installationCommands(
  ports: InstallationCommandPorts,
): Pick<
  AdminCommandHandlers,
  'status' | 'doctor' | 'cluster.status' | 'queue.pause' | 'queue.resume' | 'installation.limits'
> {
  const { installation, queue, vision, process } = ports;
  return {
    async status() {
      const head = await ports.audit.head(ports.clock.now());
      return {
        version: process.version,
        address: process.address(),
        pipelineId: process.pipeline(),
        companies: await ports.pipelineService.serving(),
        workers: vision.workers,
        paused: (await installation.settings()).paused,
        waiting: await queue.waiting(),
        inProgress: process.inProgress(),
        auditEntries: head?.sequence ?? 0,
        auditHead: head?.hash ?? null,
      };
    },
    doctor: () => ports.doctor.report({ fresh: true }),
    'cluster.status': async () => ({
      own: ports.nodes?.name ?? null,
      nodes: (await ports.nodes?.list()) ?? [],
    }),
    async 'queue.pause'() {
      const { paused } = await installation.update({ paused: true }, asLocalAdmin(ports.clock));
      return { paused };
    },
    async 'queue.resume'() {
      const { paused } = await installation.update({ paused: false }, asLocalAdmin(ports.clock));
      ports.wake();
      return { paused };
    },
    async 'installation.limits'({ change }) {
      if (Object.keys(change).length > 0) {
        const errors = await changeInstallationLimits(installation, change, asLocalAdmin(ports.clock));
        if (errors !== undefined) throw new InvalidInput(errors);
      }
      return settableLimits('installation', installationLimits(await installation.settings()));
    },
  };
}
