/**
 * The key as bindings name it. On a keyboard layout without Latin letters (Arabic, Greek) a letter is named by its
 * place on the keyboard, so that V is the same key for every operator.
 */
export function keyOf({ key, code }: { key: string; code: string }): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return letter === undefined || /^[\p{Script=Latin}\p{ASCII}]/u.test(key) ? key : letter.toLowerCase();
}
