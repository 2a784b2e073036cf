/**
 * The desktop window's side of the bridge to the page: which requests it answers, and from which frames. Electron's objects
 * are injected as small interfaces, so that tests need no window.
 */
import { problem } from '../core/contracts/errors/problem.ts';
import type { FolderGrant } from '../core/contracts/shell.ts';
import { mayNavigate } from './security.ts';

/** Messages of the preload script. */
export const CHOOSE_CHANNEL = 'vouch:choose-folder';
export const OFFER_CHANNEL = 'vouch:offer-folder';

/** The part of Electron's IpcMainInvokeEvent that identifies the sender. */
export interface Asking {
  senderFrame: { url: string; parent: unknown } | null;
}

interface FolderBridgePorts {
  /** Address of the running service; undefined: it does not listen. */
  address: () => string | undefined;
  /** The operator's session, as the window's cookies have it. */
  session: (address: string) => Promise<string | undefined>;
  /** Opens the folder dialog of the system. @returns undefined: the operator cancelled */
  dialog: () => Promise<string | undefined>;
  /** Sends the folder to the service through the local socket. */
  grant: (folder: { session: string; path: string }) => Promise<FolderGrant>;
}

const SIGNED_OUT = { refused: problem('FOLDER_SIGNED_OUT') };

export class FolderBridge {
  readonly #ports: FolderBridgePorts;

  constructor(ports: FolderBridgePorts) {
    this.#ports = ports;
  }

  /** @throws {Error} the sender is not a page of the service */
  async choose(asking: Asking): Promise<FolderGrant | null> {
    const address = this.#addressFor(asking);
    const path = await this.#ports.dialog();
    return path === undefined ? null : this.#offer(address, path);
  }

  /**
   * @param path from the system, through the preload script; a File that a script created has none
   * @throws {Error} the sender is not a page of the service
   */
  async offer(asking: Asking, path: unknown): Promise<FolderGrant> {
    const address = this.#addressFor(asking);
    if (typeof path !== 'string' || path === '') return { refused: problem('FOLDER_RELATIVE') };
    return this.#offer(address, path);
  }

  async #offer(address: string, path: string): Promise<FolderGrant> {
    const session = await this.#ports.session(address);
    return session === undefined ? SIGNED_OUT : this.#ports.grant({ session, path });
  }

  /** Accepts only the top frame of a page of the service. @returns the address of the service */
  #addressFor({ senderFrame }: Asking): string {
    const address = this.#ports.address();
    if (address === undefined || senderFrame?.parent !== null || !mayNavigate(senderFrame.url, address))
      throw new Error('Only pages of the service can use the bridge.');
    return address;
  }
}
