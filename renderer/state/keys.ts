import { useLayoutEffect, useRef } from 'react';
import { create } from 'zustand';

/**
 * One or several keys (as `KeyboardEvent.key`, with `Control+` before it where Ctrl or ⌘ is held) that do the same, with the
 * text of the key help. `Forward` and `Back` are the arrow keys along a line of text: in Arabic, forward is to the left.
 */
export interface KeyBinding {
  keys: readonly string[];
  label: string;
  /** How the help shows the keys, where that is shorter than listing them. */
  shown?: readonly string[];
  run: (event: KeyboardEvent) => void;
}

interface KeyMap {
  /** The screen's bindings, the innermost (a panel over a list) last: it is asked first. */
  layers: { id: symbol; bindings: readonly KeyBinding[] }[];
  put: (id: symbol, bindings: readonly KeyBinding[]) => void;
  drop: (id: symbol) => void;
}

export const keyMap = create<KeyMap>()((set) => ({
  layers: [],
  put: (id, bindings) =>
    set(({ layers }) =>
      layers.some((layer) => layer.id === id)
        ? { layers: layers.map((layer) => (layer.id === id ? { id, bindings } : layer)) }
        : { layers: [...layers, { id, bindings }] },
    ),
  drop: (id) => set(({ layers }) => ({ layers: layers.filter((layer) => layer.id !== id) })),
}));

/** Keys that act while the calling component is on screen, from the moment it is drawn; shown by `?`. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const id = useRef(Symbol('keys'));
  useLayoutEffect(() => {
    keyMap.getState().put(id.current, bindings);
  });
  useLayoutEffect(() => {
    const layer = id.current;
    return () => keyMap.getState().drop(layer);
  }, []);
}

/** In a text field letters are letters; in a menu, a dialog or a listbox they are that thing's own. */
export function belongsToField(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest(
      'input:not([type=checkbox]):not([type=radio]), textarea, select, [role=dialog], [role=menu], [role=listbox]',
    ) !== null
  );
}

/** A dialog covers the screen: no key must act on the screen behind it, wherever the focus is. */
export function isCovered(): boolean {
  return document.querySelector('dialog[open], [aria-modal=true]') !== null;
}

/** Keys that a focused control uses itself: Enter follows a link, arrows choose among tabs. */
const OWN_KEYS: readonly (readonly [keys: RegExp, controls: string])[] = [
  [/^( |Enter)$/, 'a[href], button, summary, [role=button], [role=tab]'],
  [/^ $/, 'input[type=checkbox], input[type=radio]'],
  [/^Arrow/, 'input[type=radio], [role=tab], [role=slider]'],
];

function belongsToControl({ key, target }: KeyboardEvent): boolean {
  return (
    target instanceof Element &&
    OWN_KEYS.some(([keys, controls]) => keys.test(key) && target.closest(controls) !== null)
  );
}

/** The arrow key of a direction along the text of the page; any other key is itself. */
export function alongText(key: string): string {
  const [forward, back] = document.dir === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft'];
  return key === 'Forward' ? forward : key === 'Back' ? back : key;
}

/** Runs the innermost binding of a key, unless the focused control has a use for it. */
export function runKey(event: KeyboardEvent): boolean {
  if (belongsToControl(event)) return false;
  const name = event.ctrlKey || event.metaKey ? `Control+${keyOf(event)}` : keyOf(event);
  for (const { bindings } of keyMap.getState().layers.toReversed()) {
    const binding = bindings.find(({ keys }) => keys.some((key) => alongText(key) === name));
    if (binding === undefined) continue;
    event.preventDefault();
    binding.run(event);
    return true;
  }
  return false;
}

/**
 * The key as bindings name it. On a keyboard layout without Latin letters (Arabic, Greek) a letter is named by its
 * place on the keyboard, so that V is the same key for every operator.
 */
export function keyOf({ key, code }: { key: string; code: string }): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return letter === undefined || /^[\p{Script=Latin}\p{ASCII}]/u.test(key) ? key : letter.toLowerCase();
}
