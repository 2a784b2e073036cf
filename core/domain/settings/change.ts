/** Changes of settings, field by field: a change names only the settings that it changes. */
import { InvalidInput, checked, problem } from '../../contracts/errors/problem.ts';
import { z } from 'zod';
import { SETTING_WORDS, type SettingWord } from '../../contracts/settings.ts';

/** Some fields of a settings object, and of the objects in it. */
export type SettingsPatch<S> = {
  [K in keyof S]?: (S[K] extends object ? SettingsPatch<S[K]> : S[K]) | undefined;
};

/** A setting's value as the audit log holds it: text that a person typed is only named as such. */
type RecordedValue = number | boolean | null | SettingWord | 'text';

/** The changed settings, as the facts of an audit entry: the three lists have the same order. */
interface RecordedChange<Field extends string> {
  /** Paths of the changed settings, e.g. `gate.maxYaw`. */
  changed: readonly Field[];
  before: readonly RecordedValue[];
  after: readonly RecordedValue[];
}

/** Paths of the settings of an object. */
export type SettingField<S> = (keyof S & string) | `${keyof S & string}.${string}`;

/**
 * The settings after a change. Fields that the patch does not name keep their value.
 * @param before as they are now: read in the transaction that writes the result
 * @throws {InvalidInput} with the faults by the path of the setting
 */
export function patchSettings<S extends object>(
  schema: z.ZodType<S>,
  before: S,
  patch: SettingsPatch<S>,
): { settings: S; facts: RecordedChange<SettingField<S>> } {
  const now = new Map(leavesOf(before));
  const asked = leavesOf(patch).filter(([, value]) => value !== undefined);
  const unknown = asked.filter(([path]) => !now.has(path));
  if (unknown.length > 0)
    throw new InvalidInput(
      Object.fromEntries(unknown.map(([path]) => [path, [problem('SETTING_UNKNOWN', { setting: path })]])),
    );
  const settings = checked(schema, nested(new Map([...now, ...asked])));
  const next = leavesOf(settings).filter(([path, value]) => now.get(path) !== value);
  return {
    settings,
    facts: {
      changed: next.map(([path]) => path as SettingField<S>),
      before: next.map(([path]) => recorded(now.get(path))),
      after: next.map(([, value]) => recorded(value)),
    },
  };
}

type Leaf = readonly [path: string, value: unknown];

function leavesOf(settings: object): Leaf[] {
  return Object.entries(settings).flatMap(([key, value]: [string, unknown]): Leaf[] =>
    typeof value === 'object' && value !== null
      ? leavesOf(value).map(([path, leaf]) => [`${key}.${path}`, leaf])
      : [[key, value]],
  );
}

/** The object that has these values at these paths, e.g. `gate.maxYaw`. */
export function nested(leaves: ReadonlyMap<string, unknown>): object {
  const root: Record<string, unknown> = {};
  for (const [path, value] of leaves) {
    const keys = path.split('.');
    const last = keys.pop() ?? path;
    let at = root;
    for (const key of keys) at = (at[key] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return root;
}

const settingWord = z.enum(SETTING_WORDS);

function recorded(value: unknown): RecordedValue {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  const word = settingWord.safeParse(value);
  return word.success ? word.data : 'text';
}
