import { readFile } from 'node:fs/promises';
import { auditAnchor, type AuditAnchor } from '../contracts/audit.ts';
import type { AuditAnchors } from '../domain/audit/ports.ts';
import { writeDurably } from './durable.ts';

/** One JSON line per anchor, in a file of the home. A copy of it elsewhere tells even of a whole home that was put back. */
export class FileAuditAnchors implements AuditAnchors {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async read(): Promise<AuditAnchor[]> {
    let text: string;
    try {
      text = await readFile(this.#file, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
    return parseAnchors(text, this.#file);
  }

  async add(anchor: AuditAnchor): Promise<void> {
    const lines = [...(await this.read()), anchor].map((one) => JSON.stringify(one));
    await writeDurably(this.#file, `${lines.join('\n')}\n`);
  }
}

/** @throws {Error} naming the line that is no anchor */
function parseAnchors(text: string, file: string): AuditAnchor[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [auditAnchor.parse(JSON.parse(line))];
    } catch (cause) {
      throw new Error(`Line ${index + 1} of ${file} is not an anchor of an audit log.`, { cause });
    }
  });
}
