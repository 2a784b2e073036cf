import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Command } from 'commander';
import { EXIT } from './output.ts';
import { makeProgram } from './program.ts';
import { runProgram } from './run.ts';

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

function commandsOf(command: Command, path: string[] = []): { path: string[]; command: Command }[] {
  return command.commands.flatMap((one) => {
    const own = [...path, one.name()];
    return [{ path: own, command: one }, ...commandsOf(one, own)];
  });
}

test('with --json every command says what is wrong with its line as one line of JSON, and as text without', async (t) => {
  const commands = commandsOf(makeProgram(() => undefined));
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
    assert.deepEqual([asText.code, asText.said], [EXIT.usage, `error: ${error.message}\n`]);
  }
});

test('a wrong number is said whether it is read with the line or by the command', async (t) => {
  const words = /It must be a whole number/;
  const active = ['--company', 'Acme', '--active', 'yes'];
  for (const line of [
    ['serve', '--port', 'x'],
    ['blacklist', 'set', 'x', ...active],
    ['token', 'revoke', 'x', '--company', 'Acme'],
    ['flow', 'create', 'Gate', '--company', 'Acme', '--blacklist', 'x'],
    ['blacklist', 'export', 'x', '--company', 'Acme', '--for', 'South', '--out', 'nowhere'],
  ]) {
    const { code, said } = await failing(t, '--home', `${import.meta.dirname}/no-such-home`, ...line);
    assert.equal(code, EXIT.usage, said);
    assert.match(said, words, line.join(' '));
    const asJson = await failing(t, '--home', `${import.meta.dirname}/no-such-home`, '--json', ...line);
    assert.match((JSON.parse(asJson.said) as { error: { message: string } }).error.message, words);
  }
});

test('a command that is half said in JSON is told what it may be', async (t) => {
  const { code, said } = await failing(t, '--json', 'blacklist');
  assert.equal(code, EXIT.usage);
  assert.match((JSON.parse(said) as { error: { message: string } }).error.message, /undo-import/);
});
