import { InvalidArgumentError, type Command } from 'commander';

/** The option of a command that works on one company. */
export const COMPANY = ['--company <name>', 'name of the company'] as const;

/** Adds a command below another one. */
export function subcommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description);
}

/** Adds a command that works on one company. */
export function companyCommand(parent: Command, name: string, description: string): Command {
  return subcommand(parent, name, description).requiredOption(...COMPANY);
}

export function wholeNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(number) || number < 0)
    throw new InvalidArgumentError('It must be a whole number.');
  return number;
}

/** A whole number from 1. */
export function countFrom1(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('It must be at least 1.');
  return number;
}

/** A whole number from 1 to a limit. */
export function countTo(most: number): (text: string) => number {
  return (text) => {
    const number = countFrom1(text);
    if (number > most) throw new InvalidArgumentError(`It must be at most ${most}.`);
    return number;
  };
}

/** A number above 0, such as 0.5. */
export function amount(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number <= 0)
    throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}

/** Seconds, 0 or more. */
export function seconds(text: string): number {
  return text.trim() === '0' ? 0 : amount(text);
}

export function isoTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It must be a time such as 2030-01-31T12:00:00Z.');
  return time.toISOString();
}

/** A TCP port; 0 lets the system choose. */
export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  return port;
}
