import { InvalidArgumentError } from 'commander';

export function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new InvalidArgumentError('It must be a whole number.');
  return number;
}

export function isoTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('It must be a time such as 2030-01-31T12:00:00Z.');
  return time.toISOString();
}
