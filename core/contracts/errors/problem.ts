/** One catalogue of every error that a person or a client can meet. Sentences are made from it, never compared. */
import { API_ERRORS, DUPLICATE_ERRORS } from './api.ts';
import type { ErrorEntry } from './entries.ts';
import { COMPANY_ERRORS } from './company.ts';
import { FIELD_ERRORS } from './fields.ts';
import { INSTALLATION_ERRORS } from './installation.ts';
import { RECORD_ERRORS } from './records.ts';
import { TERMINAL_ERRORS } from './terminal.ts';
import type { z } from 'zod';

/** The codes that the dashboard can show: each has a text in every language of the dashboard. */
export const SHOWN_ERRORS = {
  ...API_ERRORS,
  ...DUPLICATE_ERRORS,
  ...FIELD_ERRORS,
  ...COMPANY_ERRORS,
  ...INSTALLATION_ERRORS,
  ...RECORD_ERRORS,
} as const;
export type ShownErrorCode = keyof typeof SHOWN_ERRORS;

/** All of them; those of the terminal alone are in English only, as the terminal is. */
export const ERRORS = { ...SHOWN_ERRORS, ...TERMINAL_ERRORS } as const;
export type ErrorCode = keyof typeof ERRORS;

type NamesIn<T extends string> = T extends `${string}{{${infer N}}}${infer Rest}` ? N | NamesIn<Rest> : never;
/** Causes are problems, never texts: a text of the operating system or of a library is in one language only. */
type ParametersOf<C extends ErrorCode> = {
  [N in NamesIn<(typeof ERRORS)[C]['text']>]: N extends 'cause' | 'again' ? Problem : string | number;
};

/** A problem as a value becomes its sentence in the language of the text around it. */
export type ProblemParameter = string | number | Problem;
export type ProblemParameters = Readonly<Record<string, ProblemParameter>>;

/** A problem as a value; each interface makes its own sentence of it. */
export interface Problem {
  code: ErrorCode;
  parameters: ProblemParameters;
}

/** A code whose text has no parameters. */
export type PlainCode = {
  [C in ErrorCode]: [NamesIn<(typeof ERRORS)[C]['text']>] extends [never] ? C : never;
}[ErrorCode];

/** Why nothing can be enrolled at all in a company. */
export const BLOCKED_CODES = ['STORAGE_NOT_CONFIGURED', 'REGISTRATION_DISABLED'] as const;

/** Messages of the fields of a request by their path. */
export type FieldProblems = Record<string, Problem[]>;

/** @param given a value for each `{{name}}` of the code's text */
export function problem<C extends ErrorCode>(
  code: C,
  ...given: [NamesIn<(typeof ERRORS)[C]['text']>] extends [never] ? [] : [ParametersOf<C>]
): Problem {
  return { code, parameters: given[0] ?? {} };
}

/** @returns the catalogue's English sentence with its parameters */
export function sentenceOf({ code, parameters }: Problem): string {
  return ERRORS[code].text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = parameters[name] ?? '';
    return typeof value === 'object' ? sentenceOf(value) : String(value);
  });
}

/** @returns the HTTP status of an answer with this code */
export function statusOf(code: ErrorCode): number {
  const entry: ErrorEntry = ERRORS[code];
  return entry.status ?? 422;
}

/** @param text of an unknown origin, e.g. of another version of the service */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

/** A fault that a schema reports about a value. */
interface Issue {
  code?: string | undefined;
  message: string;
  minimum?: unknown;
  maximum?: unknown;
}

/** The faults that a schema found in a value, with the schema's own sentence. */
export function problemOfIssue(issue: Issue): Problem {
  const parameters = { sentence: issue.message };
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
      return { code: 'FIELD_NOT_OF_KIND', parameters };
    case 'too_small':
      return { code: 'FIELD_TOO_SMALL', parameters: { ...parameters, least: Number(issue.minimum) } };
    case 'too_big':
      return { code: 'FIELD_TOO_LARGE', parameters: { ...parameters, most: Number(issue.maximum) } };
    default:
      return { code: 'FIELD_INVALID', parameters };
  }
}

/**
 * An error that a person can read, act on and report: its message is the catalogue's sentence. Callers
 * distinguish the causes by the code; a subclass adds what one kind of caller needs, as the status of an HTTP response.
 */
export class CodedError extends Error {
  override name = 'CodedError';
  readonly problem: Problem;

  /** @param reason a code without parameters, or a problem */
  constructor(reason: PlainCode | Problem, options?: ErrorOptions) {
    const found = typeof reason === 'string' ? { code: reason, parameters: {} } : reason;
    super(sentenceOf(found), options);
    this.problem = found;
  }
}

/** The input of a caller has faults. An interface with forms shows each at its field, the terminal all of them. */
export class InvalidInput extends CodedError {
  override name = 'InvalidInput';
  readonly fields: FieldProblems;

  constructor(fields: FieldProblems) {
    super(problem('INPUT_INVALID', { sentences: Object.values(fields).flat().map(sentenceOf).join('\n') }));
    this.fields = fields;
  }
}

/** @param cause of a `catch`, or of a rejected promise @returns its message, or the value as text when it is no error */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** @param cause of a `catch`, or of a rejected promise @returns itself, or an error whose message is the value as text */
export function errorOf(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}

/** The faults that a schema found, by the dotted path of the field. */
export function fieldErrors(error: {
  issues: readonly { path: readonly PropertyKey[]; code: string; message: string }[];
}): FieldProblems {
  const errors: FieldProblems = {};
  for (const issue of error.issues)
    (errors[issue.path.map(String).join('.')] ??= []).push(problemOfIssue(issue));
  return errors;
}

/**
 * The values that a caller sent, by their schema.
 * @param field of which the input is the value; absent: the input is an object of fields
 * @throws {InvalidInput} with each fault at its field
 */
export function checked<T extends z.ZodType>(schema: T, input: unknown, field?: string): z.output<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new InvalidInput(
    field === undefined ? fieldErrors(parsed.error) : { [field]: parsed.error.issues.map(problemOfIssue) },
  );
}
