import { systemApi } from '../../contracts/dashboard/system.ts';
import type { Command } from 'commander';
import type { HealthReport, HealthState } from '../../contracts/diagnostics.ts';
import { runAsHomeOwner } from '../terminal/homeOwner.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import { mustBeHome, withRunningService } from '../client/localClient.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { subcommand } from '../terminal/arguments.ts';

const MARKS: Record<HealthState, string> = {
  good: 'ok',
  attention: 'WARNING',
  failed: 'FAILED',
  skipped: 'skipped',
};

/** `vouch doctor`: the numbered checks of the System status screen. It also works where the data directory cannot be opened. */
export function addDoctorCommand(program: Command, terminal: Terminal): void {
  subcommand(program, 'doctor', 'check the installation and show how to fix each problem').action(
    async () => {
      mustBeHome(terminal.home());
      const running = await withRunningService(terminal.home(), (api) => api.ask(systemApi.diagnose));
      const code = running === undefined ? await runAsHomeOwner(terminal.home()) : undefined;
      if (code !== undefined) {
        process.exitCode = code;
        return;
      }
      const report = running ?? (await examine(terminal.home()));
      terminal.print(report, print);
      const failed = report.checks.filter(({ state }) => state === 'failed').map(({ number }) => number);
      if (failed.length > 0) throw new CliError(`Failed checks: ${failed.join(', ')}.`, EXIT.failed);
    },
  );
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
