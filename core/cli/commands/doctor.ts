import type { Command } from 'commander';
import type { HealthReport, HealthState } from '../../contracts/diagnostics.ts';
import { runAsHomeOwner } from '../terminal/homeOwner.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import { withAdminSocket, mustBeHome } from '../client/adminClient.ts';
import type { Terminal } from '../terminal/terminal.ts';

const MARKS: Record<HealthState, string> = {
  good: 'ok',
  attention: 'LOOK',
  failed: 'FAILED',
  skipped: 'skipped',
};

/** `vouch doctor`: the same numbered checks as the System screen; works on a home that cannot be opened, too. */
export function addDoctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('check what has to be in order, and say what to do where it is not')
    .action(async () => {
      mustBeHome(terminal.home());
      const running = await withAdminSocket(terminal.home(), (administrate) => administrate('doctor', {}));
      const code = running === undefined ? await runAsHomeOwner(terminal.home()) : undefined;
      if (code !== undefined) {
        process.exitCode = code;
        return;
      }
      const report = running ?? (await examine(terminal.home()));
      if (terminal.isJson()) terminal.show(report);
      else print(report);
      const failed = report.checks.filter(({ state }) => state === 'failed').map(({ number }) => number);
      if (failed.length > 0) throw new CliError(`Not in order: ${failed.join(', ')}.`, EXIT.failed);
    });
}

async function examine(home: string): Promise<HealthReport> {
  // The whole product is loaded only by who must run it.
  const { examineHome } = await import('../../service/offline.ts');
  return examineHome({ home });
}

function print({ checks }: HealthReport): void {
  const width = Math.max(...checks.map(({ name }) => name.length));
  for (const { number, name, state, finding, whatToDo } of checks) {
    console.log(
      `${String(number).padStart(2)}  ${name.padEnd(width)}  ${MARKS[state].padEnd(7)}  ${finding}`,
    );
    if (whatToDo !== null) console.log(`${' '.repeat(width + 15)}→ ${whatToDo}`);
  }
}
