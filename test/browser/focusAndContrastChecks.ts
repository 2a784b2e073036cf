/** Checks that the keyboard focus is visible and that no state is shown by colour alone. */
import type { Page } from 'playwright-core';

/**
 * Gives the focus to everything that Tab reaches, one after the other, and compares how it looks with how it looked.
 * A control that is laid invisibly over its picture (a radio, a switch) may show it on its label.
 */
const FOCUS = `(async () => {
  const PARTS = ['outlineStyle', 'outlineWidth', 'outlineColor', 'boxShadow', 'borderTopColor', 'borderBottomColor', 'backgroundColor', 'insetBlockStart', 'textDecorationLine'];
  const look = (element) => {
    const style = getComputedStyle(element);
    const outline = style.outlineStyle === 'none' || parseFloat(style.outlineWidth) === 0;
    return PARTS.filter((part) => !(outline && part.startsWith('outline'))).map((part) => part + style[part]).join();
  };
  const name = (element) => {
    const said = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
    return element.tagName.toLowerCase() + (typeof element.className === 'string' ? '.' + element.className.split(' ').join('.') : '') + ' "' + said + '"';
  };
  const reached = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
    (element) => element.tabIndex >= 0 && !element.disabled && !element.hidden && element.checkVisibility({ visibilityProperty: true }) && element.closest('[inert], [aria-hidden=true]') === null,
  );
  const before = document.activeElement;
  const found = [];
  for (const element of reached) {
    element.blur();
    const shown = [element, ...(element.labels ?? []), element.nextElementSibling, element.parentElement, element.closest('[data-size]')].filter((each) => each instanceof Element);
    const without = shown.map(look).join('|');
    element.focus({ focusVisible: true, preventScroll: true });
    if (document.activeElement !== element) continue;
    if (shown.map(look).join('|') === without) found.push('nothing shows the focus: ' + name(element));
    element.blur();
  }
  if (reached.length < 4) found.push('Tab reaches next to nothing: ' + reached.length);
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return [...new Set(found)].slice(0, 12);
})()`;

/** States by more than their colour: a word and a picture; a link within a text by more than its own. */
const COLOUR_ALONE = `(() => {
  const found = [];
  const visible = (element) => element.checkVisibility({ visibilityProperty: true });
  for (const state of document.querySelectorAll('.status, .band')) {
    if (!visible(state)) continue;
    if (state.textContent.trim() === '') found.push('a state without a word: ' + state.outerHTML.slice(0, 80));
    if (state.querySelector('svg') === null) found.push('a state without a picture: ' + state.textContent);
  }
  for (const link of document.querySelectorAll('main p a, main dd a, main td a, main [role=gridcell] a')) {
    if (!visible(link) || link.matches('[class*=Button]')) continue;
    if (!getComputedStyle(link).textDecorationLine.includes('underline') && link.querySelector('svg') === null)
      found.push('a link by its colour alone: ' + link.textContent);
  }
  for (const mark of document.querySelectorAll('main svg.tabler-icon:not([aria-hidden=true])'))
    if (visible(mark) && !mark.hasAttribute('aria-label') && mark.closest('[aria-label], [title], button, a') === null)
      found.push('a mark without a name: ' + mark.outerHTML.slice(0, 80));
  return [...new Set(found)].slice(0, 12);
})()`;

/** The elements that have the focus without showing it, one line each. */
export async function invisibleFocus(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(FOCUS);
}

/** The states that only a colour shows, one line each. */
export async function colourOnlyStates(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(COLOUR_ALONE);
}
