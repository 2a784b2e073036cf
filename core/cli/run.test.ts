import assert from 'node:assert/strict';
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { CommanderError, type Command, type OutputConfiguration } from 'commander';
import { VERSION } from '../platform/version.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { CliError, EXIT } from './terminal/output.ts';
import { addCommands, FAMILIES, createProgram } from './program.ts';
import { runProgram } from './run.ts';
import { writeAtomically, writeStream } from './terminal/atomicWrite.ts';

/** Runs a command line in this process. @returns what it said on the standard error */
async function failing(t: TestContext, ...args: string[]): Promise<{ code: number; said: string }> {
  let said = '';
  const error = t.mock.method(console, 'error', (text: string) => {
    said += `${text}\n`;
  });
  const write = t.mock.method(process.stderr, 'write', (text: string) => {
    said += text;
    return true;
  });
  try {
    return { code: await runProgram(args), said };
  } finally {
    error.mock.restore();
    write.mock.restore();
  }
}

async function wholeProgram(output: OutputConfiguration = {}): Promise<Command> {
  const program = createProgram(output);
  await addCommands(program);
  return program;
}

function commandsOf(command: Command, path: string[] = []): { path: string[]; command: Command }[] {
  return command.commands.flatMap((one) => {
    const own = [...path, one.name()];
    return [{ path: own, command: one }, ...commandsOf(one, own)];
  });
}

test('an error of a file is printed with its remedy', async (t) => {
  const file = join(temporaryFolder(t), 'letter.txt');
  writeFileSync(file, 'Dear Sir or Madam');
  const { code, said } = await failing(t, 'record', 'show', file);
  assert.notEqual(code, EXIT.ok);
  assert.match(said, /is not a face record that Vouch reads\. Use a record of ISO\/IEC 19794-5/);
});

test('with --json every usage error is one line of JSON, without it text', async (t) => {
  const commands = commandsOf(await wholeProgram());
  assert.ok(commands.length > 50, 'all commands, and those under them');
  for (const { path } of commands) {
    const asJson = await failing(t, '--json', ...path, '--no-such-option');
    assert.equal(asJson.code, EXIT.usage, path.join(' '));
    const lines = asJson.said.trimEnd().split('\n');
    assert.equal(lines.length, 1, `${path.join(' ')}: ${asJson.said}`);
    const { error } = JSON.parse(lines[0]!) as { error: { message: string; exitCode: number } };
    assert.equal(error.exitCode, EXIT.usage);
    assert.match(
      error.message,
      /^(unknown option|required option|missing required argument)/,
      path.join(' '),
    );
    const asText = await failing(t, ...path, '--no-such-option');
    const hint = 'Add --help to list the commands and options.';
    assert.deepEqual([asText.code, asText.said], [EXIT.usage, `error: ${error.message}\n${hint}\n`]);
  }
});

test('a wrong number is said whether it is read with the line or by the command', async (t) => {
  const words = /It must be a whole number/;
  const active = ['--company', 'Acme', '--active'];
  for (const line of [
    ['serve', '--port', 'x'],
    ['blacklist', 'update', 'x', ...active],
    ['api-token', 'revoke', 'x', '--company', 'Acme'],
    ['flow', 'create', 'Gate', '--company', 'Acme', '--blacklist', 'x'],
    ['blacklist', 'export', 'x', '--company', 'Acme', '--installation', 'South', '--output', 'nowhere'],
  ]) {
    const { code, said } = await failing(t, '--home', `${import.meta.dirname}/no-such-home`, ...line);
    assert.equal(code, EXIT.usage, said);
    assert.match(said, words, line.join(' '));
    const asJson = await failing(t, '--home', `${import.meta.dirname}/no-such-home`, '--json', ...line);
    assert.match((JSON.parse(asJson.said) as { error: { message: string } }).error.message, words);
  }
});

test('--signature-workers takes 1 to 32', async (t) => {
  for (const [count, words] of [
    ['0', /It must be at least 1/],
    ['33', /It must be at most 32/],
    ['1.5', /It must be a whole number/],
  ] as const) {
    const { code, said } = await failing(t, 'serve', '--signature-workers', count);
    assert.equal(code, EXIT.usage, said);
    assert.match(said, words, count);
  }
  const serve = (await wholeProgram()).commands.find((command) => command.name() === 'serve');
  const option = serve?.options.find(({ long }) => long === '--signature-workers');
  for (const count of [1, 32]) assert.equal(option?.parseArg?.(String(count), 0), count);
});

test('an incomplete command in JSON gets the possible values', async (t) => {
  const { code, said } = await failing(t, '--json', 'blacklist');
  assert.equal(code, EXIT.usage);
  assert.match((JSON.parse(said) as { error: { message: string } }).error.message, /revert-import/);
});

/** @returns what the program prints of its help for a line, or says of it */
async function helpOf(line: readonly string[]): Promise<string> {
  let said = '';
  const program = await wholeProgram({
    writeOut: (text) => (said += text),
    writeErr: (text) => (said += text),
  });
  await assert.rejects(program.parseAsync(line, { from: 'user' }), CommanderError);
  return said;
}

test('help of a command is its own, whichever way it is asked for', async () => {
  const commands = commandsOf(await wholeProgram());
  assert.ok(commands.some(({ path }) => path.join(' ') === 'flow create'));
  for (const { path, command } of commands) {
    const own = command.helpInformation();
    assert.match(own, new RegExp(`^Usage: vouch ${path.join(' ')}( |\\n)`));
    const group = path.slice(0, -1);
    for (const line of [
      ['help', ...path],
      [...path, '--help'],
      [...group, 'help', path.at(-1)!],
    ])
      if (line.join(' ') !== 'help help') assert.equal(await helpOf(line), own, line.join(' '));
  }
  assert.equal(await helpOf(['help']), (await wholeProgram()).helpInformation());
  assert.equal(await helpOf(['help', 'flow', 'fly']), "error: unknown command 'fly'\n");
});

test('each family of commands adds the commands under whose names it is loaded', async () => {
  for (const { names } of FAMILIES)
    for (const name of names) {
      const program = createProgram({});
      await addCommands(program, name);
      const added = program.commands.map((command) => command.name());
      const listsAll = name === 'help' || name === 'completion';
      assert.deepEqual(added, listsAll ? FAMILIES.flatMap((one) => one.names) : names);
    }
});

test('--version prints the version, the Node version and the data directory', async (t) => {
  const facts = { version: VERSION, node: process.version, platform: `${process.platform}-${process.arch}` };
  let printed = '';
  t.mock.method(console, 'log', (text: string) => {
    printed += `${text}\n`;
  });
  for (const line of [
    ['--version', '--home', 'here'],
    ['--home', 'here', '-V'],
    ['--home', 'here', 'status', '--version'],
  ]) {
    printed = '';
    assert.equal(await runProgram(line), EXIT.ok, line.join(' '));
    assert.equal(
      printed,
      `vouch ${facts.version}\nNode  ${facts.node} (${facts.platform})\nData directory  ${resolve('here')}\n`,
    );
    printed = '';
    assert.equal(await runProgram([...line, '--json']), EXIT.ok);
    assert.deepEqual(JSON.parse(printed), { ...facts, home: resolve('here') });
  }
});

test(
  'a backup or export without room on the disk is refused and leaves nothing',
  { skip: existsSync('/dev/full') ? false : 'needs a device that is always full' },
  async (t) => {
    const file = join(temporaryFolder(t), 'site.vouch');
    const fill = async (partial: string) => {
      // The system's own full disk, under the name that the file has while it is made.
      symlinkSync('/dev/full', partial);
      await writeStream(partial, Readable.from([Buffer.alloc(100_000)]));
    };
    await assert.rejects(writeAtomically(file, fill), (error: Error) => {
      assert(error instanceof CliError);
      assert.equal(error.exitCode, EXIT.failed);
      assert.equal(
        error.message,
        'The file could not be written: that disk is full. No part of it was left behind. Free some room, or name a file on another disk.',
      );
      return true;
    });
    assert.deepEqual(readdirSync(dirname(file)), []);
  },
);

test('an empty list says on standard error that there is none, and what to do', async (t) => {
  const home = join(temporaryFolder(t), 'home');
  const output = t.mock.method(console, 'log', () => undefined);
  assert.equal(await runProgram(['--home', home, 'company', 'create', 'Acme']), EXIT.ok);
  output.mock.resetCalls();
  const list = (...line: string[]) => failing(t, '--home', home, ...line, '--company', 'Acme');
  const groups = await list('duplicates', 'list');
  assert.deepEqual(
    [groups.code, groups.said],
    [
      EXIT.ok,
      'No group of possible duplicates has this state. Choose another one with --state, or start a search: vouch duplicates find\n',
    ],
  );
  const persons = await list('person', 'list');
  assert.match(persons.said, /^No person was found\. A decision about a group creates a person: vouch /);
  assert.match((await list('blacklist', 'list')).said, /^The list is empty\.$/m);
  assert.equal(output.mock.callCount(), 0);
  const json = await list('--json', 'person', 'list');
  assert.deepEqual([json.said, output.mock.calls[0]?.arguments], ['', ['[]']]);
});
