import type { Problem } from './errors/problem.ts';
/**
 * The one interface between a page and the desktop shell around it, as `window.vouchShell`. In a browser there is none,
 * and everything works without it. No path crosses it in either direction.
 */

/** The outcome of choosing a folder: a grant for the service's routes, or the reason for the refusal as a sentence. */
export type FolderGrant = { grantId: string } | { refused: Problem };

export interface ShellBridge<Dropped> {
  /** The system's own dialog. @returns null: the operator chose none */
  chooseFolder(): Promise<FolderGrant | null>;
  /** @param dropped (a `File` of the page) a folder that the operator dropped on the page : one of the system's, which no script can make */
  offerFolder(dropped: Dropped): Promise<FolderGrant>;
}

/** Its name in the page's window. */
export const SHELL_BRIDGE = 'vouchShell';
