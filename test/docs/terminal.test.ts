import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../core/cli/output.ts';
import { run } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'terminal.md'), 'utf8');

test('the page lists the exit codes that there are', () => {
  const listed = [...PAGE.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]));
  assert.deepEqual(listed, Object.values(EXIT));
});

test('the page names every command', async (t) => {
  const { stdout } = await run(temporaryFolder(t), ['--help']);
  const commands = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+)/gm)].map(
    (match) => match[1],
  );
  assert(commands.length > 5);
  for (const command of commands)
    if (command !== 'help') assert.match(PAGE, new RegExp(`\`${command}\\b`), command);
});

test('a wrong command line and a refused command end with 2 and words', async (t) => {
  const home = temporaryFolder(t);
  assert.equal((await run(home, ['company', 'fly'])).code, EXIT.usage);
  const refused = await run(home, ['enroll', join(home, 'nowhere'), '--company', 'Acme']);
  assert.equal(refused.code, EXIT.usage);
  assert.match(refused.stderr, /is not a folder/);
});
