/** The list and the review queue: its states, its filters, its keys. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { eventually, focused, follow, hasCount, holdTimers } from './browser.ts';
import { validationDetail } from '../../core/contracts/dashboard/validations.ts';
import { ERASED_NAME } from '../../core/contracts/erasure.ts';
import { FAILURES } from '../../core/contracts/errors/failures.ts';
import { NO_SELFIE } from '../../core/contracts/incomplete.ts';
import { FIRST_PERSON, personName, rowOf } from './fixtures.ts';
import { IN_BROWSER, openHarness, RESTING_PLACE } from './harness.ts';

const { site, openPageAt } = await openHarness();

test('a page says what is wrong, and what to quote, when its route fails', IN_BROWSER, async (t) => {
  site.behaviour.answer = 503;
  const page = await openPageAt(t, '/validations');
  await page.getByText('Enrollment queue is unavailable').waitFor();
  await page.getByText('5f0c6f1e-0d2b-4c56-9a53-7f3a2f4f3b11').waitFor();
  // Otherwise the page asks by itself once its events come again, perhaps before the button is pressed.
  await page.route('**/api/dashboard/events', (route) => route.abort());
  site.behaviour.answer = 200;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('100,000 validations').waitFor();
});

test('a page without permission says so and offers no useless button', IN_BROWSER, async (t) => {
  site.behaviour.answer = 403;
  const page = await openPageAt(t, '/validations');
  await page.getByRole('heading', { name: 'Not allowed' }).waitFor();
  await hasCount(page.getByRole('button', { name: 'Try again' }), 0);
});

test('an empty list says what comes here and leads to it', IN_BROWSER, async (t) => {
  site.behaviour.rows = 0;
  const page = await openPageAt(t, '/validations');
  await page.getByRole('link', { name: 'Enrol faces' }).click();
  await page.getByText('Drop photos or whole folders here').waitFor();
});

test('without the service the rows stay in place, and the page says since when', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations');
  await page.getByRole('row').nth(5).waitFor();
  const title = page.locator('main h1');
  const place = await title.boundingBox();
  await page.context().setOffline(true);
  await page.getByLabel('Name, reference or number').fill('zzz');
  await page.getByText('The Vouch service has not responded since').waitFor();
  assert.deepEqual(await title.boundingBox(), place, 'what is read moves when the service goes');
  await page.context().setOffline(false);
  await page.getByText('No matching validations').waitFor();
  await page.getByText('The Vouch service has not responded since').waitFor({ state: 'detached' });
});

test('the palette finds people, faces, uploads and actions', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations');
  await page.getByRole('row').nth(5).waitFor();
  const ask = async (text: string, found: string) => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Name, number, ID').fill(text);
    await page.locator('.mantine-Spotlight-action', { hasText: found }).first().click();
  };
  await ask('jonas h', '239999');
  await page.waitForURL('**/validations/239999');
  await ask('jonas h', 'Refused entry 2025');
  await page.getByRole('heading', { name: 'Jonas', exact: false }).last().waitFor();
  await page.waitForURL(/internal-biometrics\/11\?face=5002$/);
  await page.locator('.face-detail .whole-photo-box').waitFor();
  await ask(personName(FIRST_PERSON).toLowerCase(), '2 photos');
  await page.waitForURL(`**/persons/${FIRST_PERSON}`);
  await ask('6f4d7', '50 photos');
  await page.waitForURL(/uploads\/6f4d7a52/);
  await ask('dark th', 'Use dark theme');
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
});

test('the list and a validation name the person in the photo', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations?status=2');
  const { id, person } = rowOf(3);
  const name = person?.name ?? '';
  await page
    .getByRole('row')
    .filter({ hasText: name })
    .locator('.soft:visible', { hasText: name })
    .first()
    .click();
  await page.waitForURL(`**/validations/${id}*`);
  await page.locator('a:visible', { hasText: name }).first().click();
  await page.waitForURL(`**/persons/${String(person?.id)}`);
});

test('an Incomplete validation gives its reason in the list and on its page', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations?status=4');
  for (const [index, { sentence, remedy }] of [
    [20, NO_SELFIE],
    [261, FAILURES.FACE_TOO_SMALL],
  ] as const) {
    const { id, name } = rowOf(index);
    const row = page.getByRole('row').filter({ hasText: name }).filter({ hasText: sentence });
    await row.first().getByText(sentence, { exact: true }).waitFor();
    await follow(page, `/validations/${id}?status=4`);
    await page.getByRole('alert').filter({ hasText: sentence }).getByText(remedy).waitFor();
    await page.goBack();
  }
});

test('a filter is in the address, so a copied link shows the same rows', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations?status=1');
  await page.getByText(/^\d+ validations, 0 to review$/).waitFor();
  await page.evaluate(KEEP_FIRST_ROW);
  await page.getByText('Review Needed', { exact: true }).first().click();
  await page.waitForURL(/status=2/);
  await page.getByText('1,031 validations').waitFor();
  assert.deepEqual(
    await page.evaluate(AFTER_FILTER),
    { sameRow: true, samePicture: false, words: true, transitions: 0 },
    'the words change where they stand, the picture never passes to another row, and nothing is animated',
  );
  await page.reload();
  await page.getByText('1,031 validations').waitFor();
});

/** Run in the page. */
const KEEP_FIRST_ROW = `{
  const row = document.querySelector('.rows-row');
  window.kept = { row, picture: row.querySelector('img'), words: row.textContent, transitions: 0 };
  addEventListener('transitionrun', ({ target }) => {
    if (target.closest('.rows') !== null) window.kept.transitions++;
  });
}`;
const AFTER_FILTER = `(async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const row = document.querySelector('.rows-row');
  const { kept } = window;
  return {
    sameRow: row === kept.row,
    samePicture: row.querySelector('img') === kept.picture,
    words: row.textContent !== kept.words && row.querySelector('img').alt.endsWith(row.children[1].textContent),
    transitions: kept.transitions,
  };
})()`;

test('no letter is lost while the rows of the letters before are on their way', IN_BROWSER, async (t) => {
  site.behaviour.rows = 2000;
  const page = await openPageAt(t, '/validations');
  await page.getByRole('row').nth(5).waitFor();
  const field = page.getByLabel('Name, reference or number');
  await field.pressSequentially('tariq lindqvist', { delay: 25 });
  await eventually(() => assert.match(page.url(), /text=tariq\+lindqvist$/));
  await eventually(async () => assert.equal(await field.inputValue(), 'tariq lindqvist'));
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await eventually(async () => assert.equal(await field.inputValue(), ''));
});

test('a hundred thousand rows keep only those in sight in the page', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations');
  await page.getByRole('row').nth(5).waitFor();
  await page.locator('[role=grid][aria-rowcount="100001"]').waitFor();
  await eventually(async () => assert.ok((await page.getByRole('row').count()) < 80));
});

test(
  'a list asks for what is in sight: more rows once scrolled, faces once it stands',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/validations');
    await page.getByRole('row').nth(5).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const of = (part: string) => asked.filter((url) => url.includes(part)).length;
    await page.reload();
    await page.getByRole('row').nth(5).waitFor();
    await page.locator('.rows-row .face-thumbnail').first().waitFor();
    await eventually(async () => assert.equal(await page.evaluate(FACES_SHOWN), true));
    assert.equal(of('cursor='), 0, 'the rows after those of the screen');
    // The browser asks for them after it has drawn: the words do not wait for the faces.
    assert.equal(await page.locator('.rows-row img.face-thumbnail:not([loading=lazy])').count(), 0);
    const passed = await page.evaluate<number>(TO_THE_END);
    await eventually(async () => assert.equal(await page.evaluate(FACES_SHOWN), true));
    asked.length = 0;
    await page.evaluate(FLY_TO_THE_TOP);
    const flown = of('/thumbnail');
    assert.ok(
      passed > 800 && flown < passed / 8,
      `${flown} faces were asked for of ${passed} rows that flew by`,
    );
    await eventually(async () => assert.equal(await page.evaluate(FACES_SHOWN), true));
  },
);

/** Run in the page. */
const FACES_SHOWN = `(() => {
  const faces = [...document.querySelectorAll('.rows-row img.face-thumbnail')];
  return faces.length > 10 && faces.every((face) => face.complete && face.naturalWidth > 0);
})()`;
/** Goes where the loaded rows end until a thousand have come. Gives how many there are. */
const TO_THE_END = `(async () => {
  const rows = document.querySelector('.rows');
  while (rows.scrollHeight < 36_000) {
    rows.scrollTop = rows.scrollHeight;
    await new Promise(requestAnimationFrame);
  }
  rows.scrollTop = rows.scrollHeight;
  return rows.scrollHeight / 36;
})()`;
/** As fast where frames are slow: a slow list may ask for faces. */
const FLY_TO_THE_TOP = `(async () => {
  const rows = document.querySelector('.rows');
  let before = performance.now();
  while (rows.scrollTop > 0) {
    const now = performance.now();
    rows.scrollTop -= Math.max(1500, 10 * (now - before));
    before = now;
    await new Promise(requestAnimationFrame);
  }
})()`;

test('keys typed ahead decide the next cases in order, and the last is undone', IN_BROWSER, async (t) => {
  site.behaviour.rows = 3000;
  const page = await openPageAt(t, '/review');
  await page.locator('.case-head').waitFor();
  const queue = await page.evaluate<number[]>(
    `fetch('/api/dashboard/validations?status=2&order=asc&limit=8').then((answer) => answer.json()).then(({ items }) => items.map(({ id }) => id))`,
  );
  for (let key = 0; key < 6; key++) await page.keyboard.press('r', { delay: 20 });
  // A slow machine has the time of a wait for each.
  for (let stored = 1; stored <= 6; stored++)
    await eventually(() => assert.ok(site.decisions.length >= stored, `${site.decisions.length} decisions`));
  assert.deepEqual(
    site.decisions,
    queue.slice(0, 6).map((id) => `${id}:reject`),
  );
  await page.keyboard.press('z');
  await page.waitForURL(new RegExp(`/review/${queue[5] ?? 0}$`));
  await eventually(() => assert.equal(site.decisions[6], `${queue[5] ?? 0}:review`));
  // No key decides a case whose faces are still on their way.
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<undefined>();
  await page.route('**/image', async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(`/review/${queue[6] ?? 0}`);
  await page.locator('.pane-loading').first().waitFor();
  await page.keyboard.press('r');
  await page.getByText('1 key waits for the next case.').waitFor();
  assert.equal(site.decisions.length, 7);
  arrive(undefined);
  await eventually(() => assert.equal(site.decisions[7], `${queue[6] ?? 0}:reject`));
});

test('only clearing a strong blacklist match needs a confirmation, no key ahead', IN_BROWSER, async (t) => {
  site.behaviour.rows = 3000;
  const page = await openPageAt(t, RESTING_PLACE);
  const hit = await page.evaluate<number>(
    `fetch('/api/dashboard/validations?status=2&hit=blacklist&order=asc').then((answer) => answer.json()).then(({ items }) => items[0].id)`,
  );
  await page.goto(`/review/${hit}`);
  const side = page.getByRole('complementary', { name: 'Decision' });
  await side.getByRole('button', { name: /^Different person .*on the blacklist → Verified/ }).waitFor();
  await page.keyboard.type('vr');
  const dialog = page.getByRole('dialog', { name: 'Clear a strong blacklist match?' });
  await dialog.getByText('87.9 (strong)').waitFor();
  await page.keyboard.press('Enter');
  await hasCount(dialog, 0);
  assert.deepEqual(site.decisions, [], 'Enter cancels');
  await page.keyboard.press('v');
  await dialog.getByRole('button', { name: 'Different person' }).click();
  await eventually(() => assert.deepEqual(site.decisions, [`${hit}:verify`]));
});

test(
  'marked pairs are stored one by one, whatever others decide, and can be undone',
  IN_BROWSER,
  async (t) => {
    site.behaviour.rows = 3000;
    const page = await openPageAt(t, '/review/pairs');
    const tiles = page.locator('.pair');
    await tiles.first().getByRole('button', { name: 'Same person' }).waitFor();
    const ids = (await tiles.evaluateAll((all) => all.map((tile) => tile.querySelector('a')?.pathname))).map(
      (path) => path?.split('/').pop() ?? '',
    );
    for (const key of ['r', 'r', 'r']) await page.keyboard.press(key);
    await page
      .getByRole('status')
      .getByText(`Validation ${ids[2] ?? ''}: Same person`)
      .waitFor();
    assert.equal(await focused(page), `li Trust Validation ${ids[3] ?? ''}`);
    // Another reviewer decides the second case.
    await page.evaluate(
      `fetch('/api/dashboard/validations/${ids[1] ?? ''}/decision', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ decision: 'verify', note: 'First.', seenStatus: 2 }) })`,
    );
    await eventually(() => assert.equal(site.decisions.length, 1));
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    await page.route(`**/validations/${ids[2] ?? ''}/decision`, async (route) => {
      await released;
      await route.continue();
    });
    await page.keyboard.press('Enter');
    await tiles.nth(1).getByText('Decided by another reviewer').waitFor();
    const changed = page.getByText(`Another reviewer has already decided validation ${ids[1] ?? ''}.`);
    assert.equal(await changed.count(), 0, 'the outcome is stated when all decisions are sent');
    release(undefined);
    await changed.waitFor();
    assert.deepEqual(site.decisions.slice(1), [`${ids[0] ?? ''}:reject`, `${ids[2] ?? ''}:reject`]);
    await tiles.nth(2).getByRole('button', { name: 'Undo' }).click();
    await eventually(() => assert.equal(site.decisions[3], `${ids[2] ?? ''}:review`));
    await page.getByText('2 decisions stored').waitFor();
    await page.keyboard.press('z');
    await eventually(() => assert.equal(site.decisions[4], `${ids[0] ?? ''}:review`));
    assert.equal(site.decisions.length, 5, 'what was undone alone is not undone twice');
  },
);

test('each band of the pairs is named with its number of cases', IN_BROWSER, async (t) => {
  site.behaviour.rows = 9000;
  const page = await openPageAt(t, '/review/pairs');
  await page.locator('.pair').first().waitFor();
  const open = Array.from({ length: 9000 }, (_, index) => rowOf(index)).filter(({ status }) => status === 2);
  for (const band of ['possible', 'strong']) {
    const cases = open.filter(({ bestMatch }) => bestMatch?.band === band).length;
    assert.ok(cases > 0);
    await page.getByText(`${band} (${cases})`, { exact: true }).waitFor();
  }
});

test('pairs open at the first band that has cases', IN_BROWSER, async (t) => {
  site.behaviour.rows = 9000;
  const page = await openPageAt(t, RESTING_PLACE);
  await page.route(/validations\?.*band=possible/, async (route) => {
    const answer = await route.fetch();
    const body: unknown = await answer.json();
    assert.ok(typeof body === 'object');
    await route.fulfill({ json: { ...body, items: [], nextCursor: null, total: 0 } });
  });
  await page.goto('/review/pairs');
  await page.locator('.pair').first().waitFor();
  await page.getByRole('radio', { name: /^strong/, checked: true }).waitFor({ state: 'attached' });
});

test('a comparison marks the places of its photos until they are loaded', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, RESTING_PLACE);
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  await page.route('**/image', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/review');
  const places = page.locator('.pane-loading:visible');
  await hasCount(places, 2);
  for (const place of await places.all()) {
    const { width, height } = (await place.boundingBox())!;
    assert.ok(width > 40 && height > 40, `${width} × ${height}`);
  }
  release(undefined);
  await hasCount(places, 0);
  await hasCount(page.locator('.pane-window img:visible'), 2);
});

test('a matched person who was erased is called so in the language of the page', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, RESTING_PLACE, { arabic: true });
  await page.route(/\/api\/dashboard\/validations\/\d+$/, async (route) => {
    const response = await route.fetch();
    const { duplicates, blacklists, ...detail } = validationDetail.parse(await response.json());
    await route.fulfill({
      json: {
        ...detail,
        duplicates: duplicates.map((match) => ({ ...match, name: ERASED_NAME })),
        blacklists: blacklists.map((match) => ({ ...match, fullName: ERASED_NAME })),
      },
    });
  });
  await page.goto('/review');
  await page.locator('.match').getByText('شخص مُحي').first().waitFor();
  await hasCount(page.getByText(ERASED_NAME, { exact: true }), 0);
});

test('a photo that cannot be read says so where it would stand', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, RESTING_PLACE);
  await page.route('**/image', (route) => route.fulfill({ status: 503 }));
  await page.goto('/review');
  await hasCount(page.locator('.pane-window').getByText('The image cannot be loaded'), 2);
  await page.goto(`/validations/${rowOf(1).id}`);
  await page.locator('.summary').getByText('The image cannot be loaded').waitFor();
});

test('a finger that presses and holds blinks the images, at targets of 40 pixels', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/review', {
    hasTouch: true,
    isMobile: true,
    viewport: { width: 768, height: 1024 },
  });
  const blink = page.getByRole('button', { name: 'Alternate (hold)' });
  const aid = page.getByText('visual aid, not evidence');
  await blink.waitFor();
  const sizes = await page
    .locator('.compare-tools button')
    .evaluateAll((all) =>
      all.map((tool) => Math.min(tool.getBoundingClientRect().width, tool.getBoundingClientRect().height)),
    );
  assert.ok(sizes.length > 8 && Math.min(...sizes) >= 40, sizes.join());
  await blink.dispatchEvent('pointerdown', { pointerType: 'touch', isPrimary: true });
  await aid.waitFor();
  await blink.dispatchEvent('pointerup', { pointerType: 'touch', isPrimary: true });
  await hasCount(aid, 0);
});

test(
  'a wide comparison shows the overlay too; lines are measured by pointer and key',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/review', { viewport: { width: 1920, height: 1080 } });
    await eventually(async () =>
      assert.equal(await page.locator('.compare-panes .pane-window img').count(), 4),
    );
    // The tools and the buttons at their end fit in one row.
    await page.setViewportSize({ width: 1440, height: 900 });
    await hasCount(page.locator('.compare-panes .pane-window img'), 2);
    const tools = page.getByRole('toolbar', { name: 'Comparison view' });
    await eventually(async () => assert.ok(((await tools.boundingBox())?.height ?? 99) < 44));
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.keyboard.press('m');
    const [first, second] = [page.locator('.measure-field').first(), page.locator('.measure-field').nth(1)];
    await first.click({ position: { x: 60, y: 80 } });
    await first.click({ position: { x: 120, y: 80 } });
    await second.focus();
    await page.keyboard.press('Enter');
    for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    const lines = page.getByRole('list', { name: 'Measured lines' }).getByRole('listitem');
    await hasCount(lines, 2);
    // Both photos are fitted to the eyes, so lengths in the panes compare as they do in the faces.
    const lengths = (await lines.allInnerTexts()).map((line) =>
      Number(/([\d.]+)% of the eye distance/.exec(line)?.[1]),
    );
    assert.ok(Math.abs(lengths[1]! / lengths[0]! - 72 / 60) < 0.02, `measured ${lengths.join(' and ')}`);
    await page.keyboard.press('Escape');
    await hasCount(page.locator('.measure-field'), 0);
    await page.getByRole('button', { name: 'Remove line 1' }).click();
    await hasCount(lines, 1);
  },
);

test('a small screen shows the matches, the decision and the history of a case', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/review', { viewport: { width: 1024, height: 700 } });
  const side = page.getByRole('complementary', { name: 'Decision' });
  const match = side.locator('.match').first();
  await match.waitFor();
  await eventually(async () =>
    assert.ok(((await match.boundingBox())?.height ?? 0) > 80, 'a match keeps its height'),
  );
  const kinds = await side
    .locator('.match-kind')
    .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  assert.ok(kinds.length > 0 && Math.max(...kinds) <= 0, `the list of a match is not cut: ${kinds.join()}`);
  const reject = await side.getByRole('button', { name: 'Same person' }).boundingBox();
  assert.ok(reject !== null && reject.y + reject.height < 700, 'deciding needs no scrolling');
  await side.getByText('Finalised').waitFor();
});

test('letters in the note are letters, not decisions', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/review');
  await page.locator('.case-head').waitFor();
  await page.keyboard.press('n');
  await page.keyboard.type('very rare');
  const note = page.getByLabel('Note', { exact: true });
  await eventually(async () => assert.equal(await note.inputValue(), 'very rare'));
  await page.keyboard.press('Escape');
  assert.match(await focused(page), /^aside /);
  await page.keyboard.press('2');
  await page.locator('.match[aria-pressed=true]:focus').waitFor();
  // In the palette too, from the first on.
  const release = await holdTimers(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('re');
  await release();
  await page.keyboard.type('v');
  const asked = page.getByRole('dialog').getByRole('textbox');
  await eventually(async () => assert.equal(await asked.inputValue(), 'rev'));
  await page.getByRole('dialog').getByText('Review', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await hasCount(page.getByRole('dialog'), 0);
  assert.deepEqual(site.decisions, []);
});

test('a second reviewer learns of the other decision, and nothing is overwritten', IN_BROWSER, async (t) => {
  const first = await openPageAt(t, '/review');
  const second = await openPageAt(t, '/review');
  await first.locator('.case-head').waitFor();
  await second.locator('.case-head').waitFor();
  await first.keyboard.press('v');
  await eventually(() => assert.equal(site.decisions.length, 1));
  await second.keyboard.press('r');
  await second.getByText('Another reviewer has already decided').waitFor();
  assert.equal(site.decisions.length, 1);
});

test('a comparison is printed once it is in the audit log', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/review');
  await page.evaluate(() => {
    window.print = () => {
      window.dispatchEvent(new Event('beforeprint'));
      document.body.dataset.printed = String(Number(document.body.dataset.printed ?? 0) + 1);
    };
  });
  const print = page.getByRole('button', { name: 'Print' });
  await print.waitFor();
  site.behaviour.answer = 503;
  await print.click();
  await page.locator('.compare-tools .error-line').waitFor();
  assert.equal(await page.locator('body').getAttribute('data-printed'), null);
  site.behaviour.answer = 200;
  await print.click();
  await page.locator('body[data-printed="1"]').waitFor();
  assert.equal(site.exports.length, 1, 'once, although the browser said that it prints');
  const [notice] = site.exports;
  assert.match(notice?.kind === 'comparison' ? notice.object : '', /^validation:\d+$/);
  const recorded = page.waitForResponse((response) => response.url().endsWith('/exports'));
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await recorded;
  assert.equal(site.exports.length, 2);
});

test(
  'faces of a blacklist are selected and opened by keyboard, and in the address',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/company/internal-biometrics/11?status=enrolled');
    await page.locator('.face-cell').nth(5).waitFor();
    for (const key of ['j', 'j', 'x', 'j', 'x', 'k']) await page.keyboard.press(key);
    await page.getByRole('status').getByText('2 selected').waitFor();
    await page.locator('.face-cell.at', { hasText: '5001' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/status=enrolled&face=5001$/);
    await page.locator('.face-detail .whole-photo-box').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.face-cell.at', { hasText: '5001' }).waitFor();
    await page.getByRole('radio', { name: 'Failed' }).click({ force: true });
    await page.waitForURL(/status=failed$/);
    await hasCount(page.getByText('2 selected'), 0);
    await hasCount(page.getByRole('button', { name: 'Move to list…' }), 0);
    await page.locator('.face-cell').first().getByRole('button').click();
    const remedy = page.getByRole('link', { name: 'Upload corrected photo' });
    await remedy.waitFor();
    // Enter belongs to the link that has the focus, not to the list beneath.
    await remedy.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/enrol\?blacklist=11/);
  },
);

test(
  'a face under the pointer shows its whole photo until Escape or the pointer goes',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/validations');
    const preview = page.locator('.hover-preview');
    await page.locator('.rows-row .face-thumbnail').nth(2).hover();
    await preview.locator('.whole-photo-box').waitFor();
    await preview.hover();
    await preview.getByText('Quality').waitFor();
    await page.keyboard.press('Escape');
    await preview.waitFor({ state: 'detached' });
    await page.locator('.rows-row .face-thumbnail').nth(4).hover();
    await preview.waitFor();
    await page.locator('main .page-head').hover();
    await preview.waitFor({ state: 'detached' });
  },
);

test('a refusal is shown in the language of the page, by its code', IN_BROWSER, async (t) => {
  site.behaviour.answer = 503;
  const page = await openPageAt(t, '/validations', { arabic: true });
  await page.getByText('القرص ممتلئ').waitFor();
  await hasCount(page.locator('.notice bdi[lang=en]'), 0);
  await page.goto('/company/internal-biometrics/new');
  site.behaviour.answer = 200;
  await page.getByRole('textbox').first().fill('Document fraud');
  await page.locator('main button[type=submit]').click();
  await page.getByText('هذا الاسم مستخدم بالفعل.').waitFor();
  // A path stands alone within the sentence: its slash does not go to the other end.
  await page.goto('/settings/backup');
  await page
    .getByText(/\u2068\/\S+\u2069/)
    .first()
    .waitFor({ state: 'attached' });
});
