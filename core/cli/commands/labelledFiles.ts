/** Image files of a folder, each labelled with a person. */
import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { reasonOf } from '../terminal/inputFile.ts';
import { CliError } from '../terminal/output.ts';

export interface LabelledFile {
  path: string;
  /** Path below the folder. */
  name: string;
  person: string;
}

/** An option that is a regular expression. */
export function pattern(text: string): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch (cause) {
    throw new InvalidArgumentError(`It must be a regular expression: ${String(cause)}`);
  }
}

/**
 * The JPEG and PNG files of a folder.
 * @param person its first group in a file name is the label; undefined: the subfolder is
 * @throws {CliError} the folder cannot be read
 */
export function labelledFiles(folder: string, person: RegExp | undefined): LabelledFile[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (cause) {
    throw new CliError(`The folder ${folder} cannot be read: ${reasonOf(cause)}.`);
  }
  return names
    .filter((name) => ['.jpg', '.jpeg', '.png'].includes(extname(name).toLowerCase()))
    .sort()
    .flatMap((name) => {
      const label = person === undefined ? dirname(name) : person.exec(basename(name))?.[1];
      return label === undefined || label === '.' ? [] : [{ path: join(folder, name), name, person: label }];
    });
}
