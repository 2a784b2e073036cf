/** The content of a page when a test failed, for a reader who has only the end of a log. */
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';

/** Of a page; the log of a run is cut off at its beginning. */
const LINES = 60;
const WIDTH = 180;
/** How long a page that may have crashed is asked for its content, milliseconds. */
const SNAPSHOT_TIMEOUT_MS = 5_000;
/** The parts whose text is in the snapshot: layers over the screen, then the screen; without a screen, the whole page. */
const PARTS = ['[role=dialog], dialog[open], [role=menu]', '.undo', 'main'];

/** The runner's context of a finished test; its types lack these two fields. */
type EndedTest = TestContext & { passed: boolean; error: Error | null };

/**
 * Writes under the error of a failed test what its page showed: of many tests the summary shows errors, and no more.
 * The error itself stays first. Of a test that passed nothing is written.
 */
export async function appendSnapshotOnFailure(
  t: TestContext,
  page: Page,
  complaints: readonly string[],
): Promise<void> {
  const { passed, error } = t as EndedTest;
  if (passed || error === null) return;
  const shown = await failureSnapshot(page, complaints);
  // The runner wraps what was thrown; one that took too long is only a sentence.
  if (error.cause instanceof Error) appendToStack(error.cause, shown);
  else error.cause = `${String(error.cause)}\n${shown}`;
}

/** Writes under the stack of an error, where every reporter shows it. */
export function appendToStack(error: Error, shown: string): void {
  error.stack = `${error.stack ?? String(error)}\n${shown}`;
}

/** Address, focus and words of all pages of a window, and what they complained about. */
export async function failureSnapshot(page: Page, complaints: readonly string[]): Promise<string> {
  const pages = page.context().pages();
  const shown = await Promise.all(pages.map(pageSnapshot));
  if (pages.length === 0) shown.push('No page was open any more.');
  return [...shown, `Complaints: ${complaints.length === 0 ? 'none' : complaints.join(' | ')}`].join('\n');
}

async function pageSnapshot(page: Page): Promise<string> {
  // A page that is closed or hangs is reported as such, so that the test's own failure stays first.
  const answered = async (what: Promise<string>): Promise<string> =>
    what.catch(
      (error: unknown) => `(${error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'gone'})`,
    );
  const focus = page
    .locator(':focus')
    .evaluate((element) => (element.cloneNode() as Element).outerHTML, null, {
      timeout: SNAPSHOT_TIMEOUT_MS,
    });
  const parts = page.locator(PARTS.join(', ')).filter({ visible: true });
  const words = parts.count().then(async (count) => {
    const all = count === 0 ? [page.locator('body')] : await parts.all();
    return (await Promise.all(all.map((part) => part.ariaSnapshot({ timeout: SNAPSHOT_TIMEOUT_MS })))).join(
      '\n',
    );
  });
  const lines = (await answered(words)).split('\n');
  return [
    `The page at ${page.url()}, the focus on ${cut(await answered(focus))}:`,
    ...lines.slice(0, LINES).map((line) => `  ${cut(line)}`),
    ...(lines.length > LINES ? [`  … and ${lines.length - LINES} lines more`] : []),
  ].join('\n');
}

function cut(line: string): string {
  return line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line;
}
