import type { Page } from 'playwright-core';

/** Drops a file or a folder from outside the browser onto an element, as a file manager does. */
export async function dropFromOutside(page: Page, selector: string, path: string): Promise<void> {
  const place = page.locator(selector);
  // Not while something above it still loads: it would have moved by the time of the drop.
  await place.click({ trial: true });
  const box = await place.boundingBox();
  if (box === null) throw new Error(`There is no ${selector} to drop onto.`);
  const session = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', {
      type,
      x,
      y,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
  await session.detach();
}
