/**
 * The shell's side of the bridge: what a page may ask for, and who may ask. Electron's objects come in as what is used of
 * them, so that every rule is tested without a window.
 */
import { problem } from '../core/contracts/errors/problem.ts';
import type { FolderOffer } from '../core/contracts/shell.ts';
import { mayNavigate } from './navigation.ts';

/** From the preload to the shell. */
export const CHOOSE_CHANNEL = 'vouch:choose-folder';
export const OFFER_CHANNEL = 'vouch:offer-folder';

/** The part of Electron's IpcMainInvokeEvent that says who asks. */
export interface Asking {
  senderFrame: { url: string; parent: unknown } | null;
}

interface FolderBridgePorts {
  /** Of the running service; undefined: it does not listen. */
  address: () => string | undefined;
  /** The operator's session, as the window's cookies have it. */
  session: (address: string) => Promise<string | undefined>;
  /** The system's dialog. @returns undefined: none was chosen */
  dialog: () => Promise<string | undefined>;
  /** To the service, through the owner's door. */
  hand: (folder: { session: string; path: string }) => Promise<FolderOffer>;
}

const NOBODY = { refused: problem('FOLDER_SIGNED_OUT') };

export class FolderBridge {
  readonly #ports: FolderBridgePorts;

  constructor(ports: FolderBridgePorts) {
    this.#ports = ports;
  }

  /** @throws {Error} it is not the service's own page that asks */
  async choose(asking: Asking): Promise<FolderOffer | null> {
    const address = this.#addressFor(asking);
    const path = await this.#ports.dialog();
    return path === undefined ? null : this.#offer(address, path);
  }

  /**
   * @param path as the preload had it from the system; a File that a script made has none
   * @throws {Error} it is not the service's own page that asks
   */
  async offer(asking: Asking, path: unknown): Promise<FolderOffer> {
    const address = this.#addressFor(asking);
    if (typeof path !== 'string' || path === '') return { refused: problem('FOLDER_RELATIVE') };
    return this.#offer(address, path);
  }

  async #offer(address: string, path: string): Promise<FolderOffer> {
    const session = await this.#ports.session(address);
    return session === undefined ? NOBODY : this.#ports.hand({ session, path });
  }

  /** The top frame of a page of the service, and nobody else. */
  #addressFor({ senderFrame }: Asking): string {
    const address = this.#ports.address();
    if (address === undefined || senderFrame?.parent !== null || !mayNavigate(senderFrame.url, address))
      throw new Error('Only the pages of the service may ask the shell.');
    return address;
  }
}
