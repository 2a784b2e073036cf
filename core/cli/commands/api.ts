import { localApi } from '../../contracts/local.ts';
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Argument, Option, type Command } from 'commander';
import { ask, withLocalApi, type Sent } from '../client/localClient.ts';
import { exists, writeAtomically, writeStream } from '../terminal/atomicWrite.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError } from '../terminal/output.ts';
import { standardOutput } from '../terminal/standardOutput.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { subcommand } from '../terminal/arguments.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

interface CallOptions {
  company?: string;
  query?: string[];
  body?: string;
  image?: string;
  file?: string;
  output?: string;
}

/** `vouch api …`: every operation of the dashboard, also those without a command. */
export function addApiCommands(program: Command, terminal: Terminal): void {
  const api = subcommand(program, 'api', 'call the operations of the dashboard as the local administrator');
  subcommand(api, 'list', 'list the operations; those under /local exist at the terminal only').action(
    async () => {
      terminal.show(await ask(terminal.home(), localApi.operations));
    },
  );
  subcommand(api, 'call', 'call an operation and print its answer')
    .addArgument(new Argument('<method>', 'method as listed').choices(METHODS))
    .argument('<path>', 'path as listed, with values in the place of names such as :id')
    .option('--company <name>', 'name of the company (default: the only company)')
    .option('--query <name=value...>', 'parameters of the address')
    .addOption(new Option('--body <json>', 'JSON object').conflicts(['image', 'file']))
    .addOption(new Option('--image <file>', 'JPEG or PNG as the body').conflicts(['body', 'file']))
    .addOption(new Option('--file <file>', 'another file as the body').conflicts(['body', 'image']))
    .option('--output <file>', 'write the answer to this new file')
    .action(async (method: string, path: string, options: CallOptions) => {
      if (!path.startsWith('/')) throw new CliError(`"${path}" is not a path. It must begin with "/".`);
      const { company, query = [], output } = options;
      const asked = { company, query: queryOf(query), body: await bodyOf(options) };
      await withLocalApi(terminal.home(), async (local) => {
        const { headers, body } = await local.open(`${method} ${path as `/${string}`}`, asked);
        if (output === undefined)
          await print(String(headers['content-type'] ?? 'text/plain'), body, terminal);
        else {
          const { bytes } = await writeAtomically(output, (partial) => writeStream(partial, body));
          terminal.show({ file: output, bytes });
        }
      });
    });
}

async function print(type: string, body: AsyncIterable<Uint8Array>, terminal: Terminal): Promise<void> {
  if (type.startsWith('application/json')) {
    const answer: unknown = JSON.parse(await text(body));
    console.log(JSON.stringify(answer, null, terminal.isJson() ? undefined : 2));
    return;
  }
  if (!/^(text\/|application\/x-ndjson)/.test(type))
    throw new CliError('The answer is no text. Write it to a file with --output.');
  const decoder = new TextDecoder();
  for await (const chunk of body) await standardOutput.deliver(decoder.decode(chunk, { stream: true }));
}

/** @throws {CliError} a parameter has no value */
function queryOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((parameter) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(parameter) ?? [];
      if (name === undefined || value === undefined)
        throw new CliError(`"${parameter}" is not NAME=VALUE. An example: --query limit=10`);
      return [name, value];
    }),
  );
}

/** @throws {CliError} a file cannot be read, or the text is no JSON object */
async function bodyOf({ body, image, file }: CallOptions): Promise<Sent['body']> {
  if (image !== undefined) return readGiven(image);
  if (file !== undefined) {
    if (!(await exists(file))) throw new CliError(`There is no file ${file}.`);
    return createReadStream(file);
  }
  if (body === undefined) return undefined;
  const notJson = new CliError('The body is not a JSON object. An example: --body \'{"name":"Visitors"}\'');
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw notJson;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notJson;
  return value;
}
