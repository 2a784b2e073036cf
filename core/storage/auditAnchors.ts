import { readFile } from 'node:fs/promises';
import { auditAnchor, type AuditAnchor } from '../contracts/audit.ts';
import type { AuditAnchors, KeptAnchors } from '../domain/audit/ports.ts';
import { writeDurably } from './durable.ts';

/** One JSON line per anchor, in a file of the home. A copy of it elsewhere tells even of a whole home that was put back. */
export class FileAuditAnchors implements AuditAnchors {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async read(): Promise<KeptAnchors> {
    return parseAnchors(await this.text());
  }

  async text(): Promise<string> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
      throw error;
    }
  }

  async add(anchor: AuditAnchor): Promise<void> {
    const before = await this.text();
    // A line that is damaged stays as it is: it is evidence.
    const ended = before === '' || before.endsWith('\n') ? before : `${before}\n`;
    await writeDurably(this.#file, `${ended}${JSON.stringify(anchor)}\n`);
  }
}

function parseAnchors(text: string): KeptAnchors {
  const anchors: AuditAnchor[] = [];
  const damaged: KeptAnchors['damaged'][number][] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const anchor = anchorOf(line);
    if (anchor === undefined) damaged.push({ line: index + 1, after: anchors.at(-1)?.sequence ?? 0 });
    else anchors.push(anchor);
  }
  return { anchors, damaged };
}

function anchorOf(line: string): AuditAnchor | undefined {
  try {
    return auditAnchor.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
