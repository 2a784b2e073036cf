/** The terminal's program: `vouch <command>`. Exit codes: see `cli/output.ts`. */
import { endWithOutput, runProgram } from './cli/run.ts';
import { standardOutput } from './cli/terminal/standardOutput.ts';

// Everything that a command or the service writes is for its own account alone.
process.umask(0o077);
standardOutput.takeConsole();
const args = process.argv.slice(2);
process.exitCode = await endWithOutput(await runProgram(args), args);
