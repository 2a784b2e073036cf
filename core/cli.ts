/** The terminal's program: `vouch <command>`. Exit codes: see `cli/output.ts`. */
import { runProgram } from './cli/run.ts';

process.exitCode = await runProgram(process.argv.slice(2));
