import { open, readFile, rename } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hasSystemCode, systemProblem } from '../../contracts/errors/systemProblem.ts';
import { auditAnchor, type AuditAnchor, type ExternalAnchorFile } from '../../contracts/audit.ts';
import type { KeptAnchors } from '../../domain/ports/auditEntry.ts';
import { syncFolder, writeDurably } from '../engine/fsync.ts';
import type { Problem } from '../../contracts/errors/problem.ts';

/**
 * One JSON line per anchor: in a file of the home, and in the external anchor file where one is set. A copy outside the
 * home detects even a whole home that was rolled back.
 */
export class AuditAnchors {
  readonly #file: string;
  readonly #external: () => Promise<string | null>;
  /** The call before the next one; it never rejects. */
  #last: Promise<unknown> = Promise.resolve();
  /** Why the newest anchor is not in the external anchor file. */
  #unwritten: Problem | null = null;

  /** @param external the external anchor file of the installation; null: none is set */
  constructor(file: string, external: () => Promise<string | null> = () => Promise.resolve(null)) {
    this.#file = file;
    this.#external = external;
  }

  /** The file of the home, then the external anchor file if it can be read. */
  async read(): Promise<{ kept: KeptAnchors[]; external: ExternalAnchorFile }> {
    const kept = [parseAnchors(basename(this.#file), await this.text())];
    const file = await this.#external();
    if (file === null) return { kept, external: { file, problem: null } };
    try {
      kept.push(parseAnchors(file, await readFile(file, 'utf8')));
      return { kept, external: { file, problem: this.#unwritten } };
    } catch (error) {
      return { kept, external: { file, problem: systemProblem(error) } };
    }
  }

  /** The file of the home as it is, with what is damaged in it; empty while there is none. */
  async text(): Promise<string> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch (error) {
      if (hasSystemCode(error, 'ENOENT')) return '';
      throw error;
    }
  }

  /**
   * Adds the anchor that `make` returns for what is kept now; undefined adds none. One call at a time: what `make` saw
   * is still true when its anchor is written. Resolves when it is durable in the home; an external file that cannot be
   * written is left out, and named by {@link read}.
   */
  async next(make: (kept: readonly KeptAnchors[]) => Promise<AuditAnchor | undefined>): Promise<void> {
    const run = this.#last.then(() => this.#add(make));
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** Renames the file of the home, which then has no anchors. @returns the name that it is kept under */
  async setAside(at: Date): Promise<string> {
    const kept = this.#file.replace(/(\.jsonl)?$/, `-${at.toISOString().replaceAll(/[:.]/g, '-')}.jsonl`);
    await rename(this.#file, kept);
    await syncFolder(dirname(kept));
    return basename(kept);
  }

  /**
   * Makes an empty external anchor file.
   * @returns its path @throws when the folder cannot be written
   */
  async beginExternal(folder: string, at: Date): Promise<string> {
    const file = join(resolve(folder), `vouch-audit-${at.toISOString().replaceAll(/[:.]/g, '-')}.jsonl`);
    const handle = await open(file, 'wx', 0o600);
    await handle.close();
    await syncFolder(dirname(file));
    return file;
  }

  async #add(make: (kept: readonly KeptAnchors[]) => Promise<AuditAnchor | undefined>): Promise<void> {
    const { kept } = await this.read();
    const anchor = await make(kept);
    if (anchor !== undefined) {
      const before = await this.text();
      // A damaged line stays as it is: it is evidence.
      await writeDurably(this.#file, `${ended(before)}${JSON.stringify(anchor)}\n`);
    }
    await this.#appendToExternal(anchor ?? kept[0]?.anchors.at(-1));
  }

  /** Appends only, because it may be a file to which the operating system allows nothing else. */
  async #appendToExternal(newest: AuditAnchor | undefined): Promise<void> {
    const file = await this.#external();
    this.#unwritten = null;
    if (file === null || newest === undefined) return;
    try {
      const text = await readFile(file, 'utf8');
      if (parseAnchors(file, text).anchors.at(-1)?.hash === newest.hash) return;
      const handle = await open(file, 'a');
      try {
        await handle.appendFile(`${text === ended(text) ? '' : '\n'}${JSON.stringify(newest)}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      this.#unwritten = systemProblem(error);
    }
  }
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function parseAnchors(file: string, text: string): KeptAnchors {
  const anchors: AuditAnchor[] = [];
  const damaged: KeptAnchors['damaged'][number][] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const anchor = anchorOf(line);
    if (anchor === undefined) damaged.push({ line: index + 1, after: anchors.at(-1)?.sequence ?? 0 });
    else anchors.push(anchor);
  }
  return { file, anchors, damaged };
}

function anchorOf(line: string): AuditAnchor | undefined {
  try {
    return auditAnchor.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
