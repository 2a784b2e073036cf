/**
 * The sentence about an invalid value, in the style of the hosted service: the field and the rule, which implies the
 * fix.
 */
import { z } from 'zod';

/** The names that zod has for what it expected, as a caller would say them. */
const KINDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a time like 2026-01-31T09:30:00Z',
  date: 'a date like 2026-01-31',
  uuid: 'a UUID',
  base64: 'valid base64 data',
};

/** How a limit on the size of a value of this kind is counted. */
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' items' };

/**
 * The sentence for an issue of a schema that has none of its own.
 * @returns undefined where nothing better than the library's own words is known
 */
export function plainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  const rule = ruleOf(issue);
  const name = issue.path?.map(String).join('.') ?? '';
  return rule === undefined ? undefined : `The ${name === '' ? 'request' : name} ${rule}.`;
}

function ruleOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'field is required';
      return KINDS[issue.expected] === undefined ? undefined : `must be ${KINDS[issue.expected]}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'field is required';
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small': {
      const least = `${issue.minimum}${UNITS[issue.origin] ?? ''}`;
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return issue.inclusive === false ? `must be greater than ${least}` : `must be at least ${least}`;
    }
    case 'too_big': {
      const most = `${issue.maximum}${UNITS[issue.origin] ?? ''}`;
      return issue.inclusive === false ? `must be less than ${most}` : `must not be greater than ${most}`;
    }
    case 'invalid_format':
      return FORMATS[issue.format] === undefined ? undefined : `must be ${FORMATS[issue.format]}`;
    case 'unrecognized_keys':
      return `has no field named ${issue.keys.join(', ')}`;
    default:
      return undefined;
  }
}

/** From now on every schema of this process says what is wrong as `plainIssue` does, unless it has words of its own. */
export function installZodMessages(): void {
  z.config({ customError: plainIssue });
}
