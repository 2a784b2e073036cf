/** The terminal's program: `vouch <command>`. Exit codes: see `cli/output.ts`. */
import { runProgram } from './cli/run.ts';

// Everything that a command or the service writes is for its own account alone.
process.umask(0o077);
process.exitCode = await runProgram(process.argv.slice(2));
