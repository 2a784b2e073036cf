/** Writes a measurement's numbers into its own section of bench/README.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { join } from 'node:path';

const README = join(import.meta.dirname, 'README.md');
const HEADING = `# Measurements

Each section is written by the command that it names. Times are of a shared machine: believe the ratios within one run.
`;

export interface BenchReport {
  /** As in `npm run bench -- NAME`, or `npm run research -- NAME`. */
  name: string;
  title: string;
  /** Markdown: tables, and sentences that say how to read them. No path of the machine. */
  body: string;
  /** npm packages measured against, stated with their installed versions. */
  peers?: readonly string[];
  /** Arguments of this run, when they are not the default ones. */
  args?: readonly string[];
}

/** Replaces the section `name` of bench/README.md (or adds it) and states machine, Node, peers, command and date. */
export function publish(report: BenchReport): void {
  const old = existsSync(README) ? readFileSync(README, 'utf8') : HEADING;
  const [open, close] = [`<!-- bench:${report.name} -->`, `<!-- /bench:${report.name} -->`];
  const section = `${open}\n\n## ${report.title}\n\n${conditions(report)}\n\n${report.body.trim()}\n\n${close}`;
  const start = old.indexOf(open);
  const end = old.indexOf(close);
  const text =
    start >= 0 && end > start
      ? old.slice(0, start) + section + old.slice(end + close.length)
      : `${old.trimEnd()}\n\n${section}\n`;
  writeFileSync(README, text);
  console.log(`bench/README.md: section "${report.name}" updated`);
}

/**
 * A Markdown table; the first column is text, the others are aligned right.
 * @throws {RangeError} a row has not as many cells as the head: its values would stand in the wrong columns
 */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  for (const row of rows)
    if (row.length !== head.length)
      throw new RangeError(
        `A row of ${row.length} cells does not fit ${head.length} columns: ${row.join(', ')}`,
      );
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** Whether the program that runs is a fit. */
const isFit = (program = '') => /[\\/]research[\\/]/.test(program);

function conditions({ name, args = [], peers = [] }: BenchReport): string {
  const cpu = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const versions = peers.map((peer) => `${peer} ${installedVersion(peer)}`);
  return [
    `\`npm run ${isFit(process.argv[1]) ? 'research' : 'bench'} -- ${[name, ...args].join(' ')}\``,
    `${cpu}, ${cpus().length} cores, ${memory}, ${platform()}-${arch()}`,
    [`Node ${process.versions.node}`, ...versions].join(', '),
    ...busyWith(),
    new Date().toISOString().slice(0, 10),
  ].join(' · ');
}

/** How busy the machine was in the last minute; a measurement alone makes a load of about one. Windows does not say. */
function busyWith(): string[] {
  const [load = 0] = loadavg();
  return load > 0 ? [`load average ${load.toFixed(1)}`] : [];
}

function installedVersion(name: string): string {
  const file = join(import.meta.dirname, '..', 'node_modules', name, 'package.json');
  if (!existsSync(file)) return '(not installed)';
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
