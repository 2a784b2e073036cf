/** Starts a worker that ignores its pipe, prints the worker's process id, and dies. Argument: the worker's program. */
import { fork } from 'node:child_process';
import { confinedStart, confinementHere } from '../../core/workers/confinement/confinement.ts';

const [workerPath = ''] = process.argv.slice(2);
const start = confinedStart({ workerPath, flags: [], reads: [], memory: 2 ** 29 }, confinementHere());
const worker = fork(workerPath, [], { ...start, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
worker.once('message', () => {
  process.stdout.write(`${worker.pid}\n`, () => process.kill(process.pid, 'SIGKILL'));
});
