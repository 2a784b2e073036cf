import { useEffect, useRef } from 'react';

/** Where the focus was, and what was around it then, the innermost first. */
interface Place {
  element: HTMLElement;
  around: readonly HTMLElement[];
}

/** Places that are remembered: those of a dialog, of the control that opened it, and of a notice over both. */
const PLACES = 12;
const HEADING = 'h1, h2, h3';
const CONTROL = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
/** Parts of a page that are read from their heading, where that comes before any control. */
const PARTS = 'main, .page, section, aside, .page-body, .page-scroll, .split, .dialog-body';

/**
 * Gives the focus to an element that has none by itself, such as a heading or what held a control that is gone. Tab
 * continues from there.
 */
function focusOn(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex') && element.tabIndex < 0) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}

/** Leaves a text field on a screen with keys, so that letters are keys again. The focus stays around the field. */
export function leaveField(field: HTMLElement): void {
  const around = field.closest<HTMLElement>('aside, main');
  if (around === null) field.blur();
  else focusOn(around);
}

/**
 * After a key of the screen has chosen another entry of a list, the entry has the focus, which reads it.
 * @param selector of the control of the chosen entry @param chosen changes with it @returns to be called by the key
 */
export function useChosenByKey(selector: string, chosen: unknown): () => void {
  const byKey = useRef(false);
  useEffect(() => {
    if (!byKey.current) return;
    byKey.current = false;
    document.querySelector<HTMLElement>(selector)?.focus();
  }, [selector, chosen]);
  return () => {
    byKey.current = true;
  };
}

/** The screen is read from its heading. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1, main h2');
  if (heading !== null) focusOn(heading);
}

/** After a change of the screen: its heading has the focus, unless one of its fields or a dialog has it already. */
export function focusScreen(): void {
  if (document.activeElement?.closest('main, dialog, [role=dialog]') == null) focusHeading();
}

const isUsable = (element: HTMLElement) =>
  element.isConnected && element.checkVisibility() && !element.matches(':disabled');

/**
 * Keeps the focus in the page while the page changes. A control that goes takes the focus along: the browser gives it to the
 * document, and a screen reader begins again at the top. Here the focus stays where the control was, on what held it. It
 * is given to no other control, which a second press of the same key would run. @returns ends it
 */
export function keepFocus(): () => void {
  let places: readonly Place[] = [];
  /** Undefined: the operator has left it, e.g. by a click beside all controls. */
  let last: HTMLElement | undefined;
  /** A control that is disabled while its action runs, and what has the focus for it. */
  let waiting: { element: HTMLElement; holder: Element | null } | undefined;

  const enter = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    const around: HTMLElement[] = [];
    for (let each = target.parentElement; each !== null; each = each.parentElement) around.push(each);
    const others = places.filter(({ element }) => element !== target);
    places = [{ element: target, around }, ...others].slice(0, PLACES);
  };
  const leave = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null) return;
    // A browser may report the control that goes while it is still there.
    queueMicrotask(() => {
      if (target === last && isUsable(last) && document.hasFocus()) last = undefined;
    });
  };
  const restore = () => {
    const { activeElement, body } = document;
    if (waiting?.holder === activeElement && isUsable(waiting.element)) {
      waiting.element.focus({ preventScroll: true });
      waiting = undefined;
    }
    const lost = activeElement === body || activeElement?.matches(':disabled') === true;
    if (!lost || last === undefined) return;
    const { element: gone } = places[0] ?? {};
    for (const place of places) {
      const whole = place.around.find((each) => each.matches('main, dialog'));
      if (isUsable(place.element)) place.element.focus({ preventScroll: true });
      else if (whole === undefined || !isUsable(whole)) continue;
      else stayAt(place.around.find(isUsable) ?? whole);
      break;
    }
    if (document.activeElement === body) focusHeading();
    if (gone?.matches(':disabled') === true) waiting = { element: gone, holder: document.activeElement };
  };
  const observer = new MutationObserver(restore);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  document.addEventListener('focusin', enter);
  document.addEventListener('focusout', leave);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', enter);
    document.removeEventListener('focusout', leave);
  };
}

/** @param holder the innermost of what was around a control that is still there */
function stayAt(holder: HTMLElement): void {
  const isPart = holder.matches(PARTS);
  const list = holder.matches('.split')
    ? holder.querySelector<HTMLElement>('[role=grid]')
    : holder.closest<HTMLElement>('[role=grid]');
  const first = isPart ? holder.querySelector<HTMLElement>(`${HEADING}, ${CONTROL}`) : null;
  if (list !== null) focusOn(list);
  else if (first?.matches(HEADING) === true) focusOn(first);
  else if (!isPart || holder.closest('dialog') !== null) focusOn(holder);
  else focusHeading();
}
