/** Whether all of a page can be seen and reached: nothing cut off, no scrolling in two directions, toolbars in rows. */
import type { Page } from 'playwright-core';

/**
 * Looks at every text, control and picture on the page, and at everything around it that cuts or scrolls.
 * Text shortened with an ellipsis is accepted where its end goes, by its script. Tables, program text and pictures may scroll
 * sideways (WCAG 1.4.10).
 */
const FIND_FAULTS = `(() => {
  const MAY_SCROLL_SIDEWAYS = 'pre, .wide-table';
  const found = new Set();
  const name = (element) => {
    const said = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
    return element.tagName.toLowerCase() + (element.className && typeof element.className === 'string' ? '.' + element.className.split(' ').join('.') : '') + ' "' + said + '"';
  };
  const hidden = (element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const directionOf = (element) => {
    const arabic = /\\p{Script=Arabic}/u.test(element.textContent);
    const latin = /\\p{Script=Latin}/u.test(element.textContent);
    return arabic === latin ? undefined : arabic ? 'rtl' : 'ltr';
  };
  const cuts = (value) => value === 'hidden' || value === 'clip';
  const scrolls = (value) => value === 'auto' || value === 'scroll';
  const main = document.body;
  for (const element of main.querySelectorAll('*')) {
    if (hidden(element) || element.closest('svg') !== null) continue;
    const style = getComputedStyle(element);
    if (scrolls(style.overflowX) && element.scrollWidth > element.clientWidth + 1 && element.closest(MAY_SCROLL_SIDEWAYS) === null)
      found.add('scrolls sideways by ' + (element.scrollWidth - element.clientWidth) + ': ' + name(element));
    if (style.textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth + 1 && directionOf(element) === (style.direction === 'rtl' ? 'ltr' : 'rtl'))
      found.add('shortened at its beginning: ' + name(element));
    const worth = element.matches('a, button, input, select, textarea, img, [tabindex="0"]') ||
      [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!worth || element.closest('.sr-only, .skip, [aria-hidden=true], .pane-window') !== null) continue;
    let box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || style.clipPath !== 'none') continue;
    let edges = { left: box.left, right: box.right, top: box.top, bottom: box.bottom };
    let shortened = style.textOverflow === 'ellipsis';
    if (!shortened && cuts(style.overflowX) && element.scrollWidth > element.clientWidth + 1 && element.children.length === 0 && !element.matches('input'))
      found.add('cut sideways by itself: ' + name(element));
    if (!shortened && style.overflowX === 'visible' && style.display !== 'inline' && element.scrollWidth > element.clientWidth + 1 && !element.matches('input, img') && element.closest(MAY_SCROLL_SIDEWAYS) === null && element.children.length === 0)
      found.add('spills out sideways: ' + name(element));
    if (style.position === 'fixed') { check(element, edges, shortened, { left: 0, right: innerWidth, top: 0, bottom: innerHeight }, true, true); continue; }
    let [x, y] = [true, true];
    for (let around = element.parentElement; around !== null && around !== document.documentElement; around = around.parentElement) {
      const its = getComputedStyle(around);
      const place = around.getBoundingClientRect();
      if (its.textOverflow === 'ellipsis') shortened = true;
      if (scrolls(its.overflowX)) x = false;
      if (scrolls(its.overflowY)) y = false;
      if (cuts(its.overflowX) || cuts(its.overflowY))
        check(element, edges, shortened, place, x && cuts(its.overflowX), y && cuts(its.overflowY), around);
      if (its.position === 'fixed') break;
    }
    check(element, edges, shortened, { left: 0, right: innerWidth, top: 0, bottom: innerHeight }, x, y);
  }
  for (const bar of main.querySelectorAll('[role=toolbar]:not([aria-orientation=vertical])')) {
    const bottoms = [...bar.children].filter((tool) => !hidden(tool)).map((tool) => tool.getBoundingClientRect().bottom);
    if (bottoms.length > 2 && bottoms.every((bottom, i) => i === 0 || bottom > bottoms[i - 1] + 8))
      found.add('one tool below the other: ' + name(bar));
  }
  function check(element, edges, shortened, place, x, y, around) {
    const by = around === undefined ? 'the window' : name(around).slice(0, 60);
    if (x && !shortened && (edges.left < place.left - 1.5 || edges.right > place.right + 1.5))
      found.add('cut sideways by ' + by + ': ' + name(element));
    if (y && (edges.top < place.top - 1.5 || edges.bottom > place.bottom + 1.5))
      found.add('cut in height by ' + by + ': ' + name(element));
  }
  return [...found].slice(0, 12);
})()`;

/** The elements that do not fit, one line each. */
export async function layoutProblems(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(FIND_FAULTS);
}
