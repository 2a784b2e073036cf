import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { EXIT } from '../../core/cli/terminal/output.ts';
import { addCommands, createProgram } from '../../core/cli/program.ts';
import { runProgram } from '../../core/cli/run.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
const PAGE = readFileSync(join(DOCS, 'reference/terminal.md'), 'utf8');

test('the page lists the exit codes that there are', () => {
  const table = PAGE.slice(PAGE.indexOf('## Exit codes'), PAGE.indexOf('Every command can end with'));
  const listed = [...table.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]));
  assert.deepEqual(listed, Object.values(EXIT));
});

async function wholeProgram(): Promise<Command> {
  const program = createProgram({});
  await addCommands(program);
  return program;
}

/** @returns each command line that the table of the page has: `company create|list` stands for two */
function commandsOfPage(): string[] {
  return [...PAGE.matchAll(/^\| `([^`]+)`/gm)].flatMap(([, cell = '']) => {
    const words = cell.split(' ');
    const last = words.findLastIndex((word) => /^[a-z][a-z-]*(\\\|[a-z-]+)*$/.test(word));
    return words[last]!.split('\\|').map((word) => [...words.slice(0, last), word].join(' '));
  });
}

/** @returns the commands that have no commands of their own, with the words before them */
function leavesOf(command: Command, before: readonly string[] = []): string[] {
  return command.commands
    .filter((each) => each.name() !== 'help')
    .flatMap((each) => {
      const words = [...before, each.name()];
      return each.commands.length === 0 ? [words.join(' ')] : leavesOf(each, words);
    });
}

test('the page names every command', async () => {
  const named = commandsOfPage();
  const leaves = leavesOf(await wholeProgram());
  assert(leaves.length > 90, `${leaves.length} commands`);
  const missing = leaves.filter(
    (leaf) => !named.some((line) => line === leaf || line.startsWith(`${leaf} `)),
  );
  assert.deepEqual(missing, []);
});

test('the program knows every command line of the pages', async () => {
  const program = await wholeProgram();
  let checked = 0;
  for (const page of globSync('**/*.md', { cwd: DOCS })) {
    const text = readFileSync(join(DOCS, page), 'utf8');
    for (const [, block = ''] of text.matchAll(/^```sh ?\w*\n([\s\S]*?)^```$/gm))
      for (const [, line = ''] of block.matchAll(/(?:^|until |sudo |-u vouch |npx )vouch ([^|;>#\n]+)/gm)) {
        const words = line
          .trim()
          .replaceAll(/"[^"]*"/g, 'X')
          .split(/\s+/);
        assert.equal(unknownPart(program, words), undefined, `${page}: vouch ${line}`);
        checked += 1;
      }
  }
  assert(checked > 60, `${checked} command lines were found`);
});

/** A text may name a group of commands or a whole command; other words that follow belong to the sentence. */
test('the program knows every command that a text of the product names', () => {
  const program = createProgram({});
  const root = join(import.meta.dirname, '..', '..');
  const files = globSync('{core,renderer,electron}/**/*.{ts,tsx}', { cwd: root });
  let checked = 0;
  for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const { 0: match, 1: line = '', index } of text.matchAll(
      /(?<![\w'"/-])vouch ((?:[a-z][a-z-]+ ?){1,3})/g,
    )) {
      // The text of a signature, not of a command: `vouch audit head ${sequence}`.
      if (text.startsWith('${', index + match.length)) continue;
      let here = program;
      for (const word of line.trim().split(' ')) {
        const next = here.commands.find((command) => command.name() === word);
        assert(next !== undefined || here.commands.length === 0, `${file}: vouch ${line}`);
        here = next ?? here;
        if (here.commands.length === 0) break;
      }
      checked += 1;
    }
  }
  assert(checked > 80, `${checked} commands were found`);
});

/** @returns the first word of a command line that is neither a command, an option nor a value; undefined: it is right */
function unknownPart(program: Command, words: readonly string[]): string | undefined {
  const lineage = [program];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (word.startsWith('--')) {
      const option = lineage.flatMap(({ options }) => options).find(({ long }) => long === word);
      if (option === undefined) return word;
      if (option.required || option.optional) at += 1;
      continue;
    }
    const here = lineage.at(-1)!;
    const next = here.commands.find((command) => command.name() === word);
    if (next !== undefined) lineage.push(next);
    else if (here.commands.length > 0) return word;
  }
  return lineage.at(-1)!.commands.length > 0 ? '(a command is missing)' : undefined;
}

test('a wrong command line and a refused command end with 2 and words', async (t) => {
  let said = '';
  t.mock.method(process.stderr, 'write', (text: string) => {
    said += text;
    return true;
  });
  t.mock.method(console, 'error', (text: string) => {
    said += text;
  });
  assert.equal(await runProgram(['company', 'fly']), EXIT.usage);
  assert.match(said, /^error: unknown command 'fly'/);
  said = '';
  const nowhere = join(import.meta.dirname, '..', 'docs', 'nowhere');
  assert.equal(await runProgram(['enroll', nowhere, '--company', 'Acme']), EXIT.usage);
  assert.match(said, /is not a folder/);
});
