/** The terminal's program: `vouch <command>`. Exit codes: see `cli/output.ts`. */
import { endWithOutput, runProgram } from './cli/run.ts';
import { standardOutput } from './cli/terminal/standardOutput.ts';

// Everything that a command or the service writes is for its own account alone.
process.umask(0o077);
standardOutput.takeConsole();
/** Milliseconds for what a command has left open. */
const LONGEST_REST = 250;

const args = process.argv.slice(2);
process.exitCode = await endWithOutput(await runProgram(args), args);
// Nothing is left to do. A connection to a database or a call to a disk that hangs would keep the process.
setTimeout(() => process.exit(), LONGEST_REST).unref();
