/** Faces in one package: others wait for the one transaction that takes them in, about 0.3 ms of a core for each. */
export const MAX_FACES = 20_000;
/** Bytes of a package: the largest list with photos of 1.6 MiB. */
export const MAX_PACKAGE_BYTES = 32 * 1024 ** 3;
/** Packages of all companies that wait for a decision; beyond them the company with most loses its oldest one. */
export const MAX_WAITING = 4;
/** How long a package waits for a decision, milliseconds. */
export const WAITING_TIME = 60 * 60_000;
/** Names that a plan or an answer lists; the counts say how many there are. */
export const MAX_NAMES = 200;
