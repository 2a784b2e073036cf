// Loaded before a program with `--import`: at its end, prints the packages that it loaded to the standard error, as JSON.
import { registerHooks } from 'node:module';

const packages = new Set();
registerHooks({
  load(url, context, next) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
    if (name !== undefined) packages.add(name);
    return next(url, context);
  },
});
process.on('exit', () => {
  process.stderr.write(`${JSON.stringify([...packages].sort())}\n`);
});
