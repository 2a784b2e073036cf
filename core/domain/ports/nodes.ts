/** The services that share one database. SQLite has one service, and no implementation of this port. */
import type { NodeRole, NodeState } from '../../contracts/nodes.ts';

/** The facts that a service reports about itself. */
export interface NodeReport {
  role: NodeRole;
  /** The version of the program. */
  version: string;
  /** Null: it listens on no port. */
  address: string | null;
  draining: boolean;
  /** Photos that it has enrolled or rejected since its start. */
  answered: number;
  leads: boolean;
}

export interface Nodes {
  /** The name of this service; the same after a restart. */
  readonly name: string;
  /** Records that this service runs. It counts as alive for 30 seconds. */
  report(report: NodeReport): Promise<void>;
  /** Removes this service, which ends, from the list. */
  leave(): Promise<void>;
  /** All services that have reported within the last day and did not stop, by name. */
  list(): Promise<NodeState[]>;
  /**
   * Tries to become the one service that does the work for all. It stays that until it ends or loses its connection.
   * @returns whether it is
   */
  lead(): Promise<boolean>;
}
