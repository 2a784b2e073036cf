/** The company's settings: the overview, Trust Flows, pipelines, blacklists. */
import { TARGET_FPIRS } from '../../core/contracts/flows.ts';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axeViolations } from './axe.ts';
import { eventually, follow, hasCount } from './browser.ts';
import { IN_BROWSER, openHarness, PIXEL } from './harness.ts';
import { UNFINISHED } from './screenStates.ts';

const { site, openPageAt } = await openHarness();

test('the first page opens the list that each of its numbers counts', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/');
  await page.getByRole('link', { name: '54 Duplicates' }).click();
  await page.waitForURL(/\/validations\?from=.*hit=duplicate/);
  await page.goBack();
  await page.getByRole('link', { name: /Trust Flow with an unpublished draft/ }).click();
  await page.getByRole('row', { name: /Ferry terminal/ }).waitFor();
  await hasCount(page.getByRole('row', { name: /Border desk/ }), 0);
});

test('the first page leads to each next step, also of an upload that was left', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/');
  const next = page.getByRole('region', { name: 'Next steps' });
  await next.getByRole('link', { name: 'Start review' }).waitFor();
  await hasCount(next.getByRole('link', { name: 'Continue upload' }), 0);
  await next.getByRole('link', { name: '412 enrolled faces' }).click();
  await page.waitForURL('**/duplicates/find?mode=new');
  await page.evaluate(UNFINISHED);
  await page.goto('/');
  await next.getByRole('link', { name: '12,830 photos of an upload' }).click();
  await page.getByText('12,830 of 20,480').waitFor();
  await page.evaluate('localStorage.clear()');
});

test('the reviews that wait are one click away, and Verify opens the first tab', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/audit');
  await page.getByRole('link', { name: 'Validations that wait for review' }).click();
  await page.waitForURL('**/review');
  const tabs = page.getByRole('navigation', { name: 'Screens of this menu entry' });
  await tabs.getByRole('link', { name: 'Review', exact: true }).waitFor();
  assert.equal(await tabs.locator('[aria-current=page]').innerText(), 'Review');
  await page.getByRole('link', { name: 'Verify', exact: true }).click();
  await page.waitForURL('**/verify');
  // A page inside a tab has a title of its own and no tabs.
  await follow(page, '/review/pairs');
  await page.getByRole('heading', { level: 1, name: 'Review pairs' }).waitFor();
  await hasCount(tabs, 0);
});

test('a warning of the health checks is not called passed', IN_BROWSER, async (t) => {
  site.behaviour.health = 'warned';
  const page = await openPageAt(t, '/system');
  await page.getByText(/^No check failed\. Check \d+ has a warning\./).waitFor();
  await page.getByText('1 check passed').waitFor();
  // Sizes are in the units of the checks.
  await page.getByText('214 GiB').first().waitFor();
  await page.getByText('1.3 GiB').waitFor();
});

test('models are in rows of one size, each with its hash to copy', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/system');
  const rows = page.getByRole('table').filter({ hasText: 'SHA-256' }).getByRole('row');
  await rows.nth(1).waitFor();
  assert.equal(await rows.nth(1).getByRole('button', { name: 'Copy' }).count(), 1);
  const cells = rows.nth(1).getByRole('cell');
  assert.match(await cells.last().innerText(), /^[0-9a-f]{12}…/);
  const lines = await cells.nth(3).evaluate((cell) => {
    const range = cell.ownerDocument.createRange();
    range.selectNodeContents(cell);
    return range.getClientRects().length;
  });
  assert.equal(lines, 1, 'number and unit of the size stand in one line');
});

test('backups are named with their folder, in the list and in the command', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings/backup');
  const path = '/media/vouch/Backup A/vouch-2026-03-01T02-00-00Z.vouch';
  await page.getByRole('cell', { name: path }).waitFor();
  // The folder has a blank, so the shell needs it quoted.
  await page.getByText(/^vouch restore '\/media\/vouch\/Backup A\/vouch-.*\.vouch'\s/).waitFor();
});

test('first steps follow the facts, and stay hidden once they were hidden', IN_BROWSER, async (t) => {
  site.behaviour.rows = 0;
  const page = await openPageAt(t, '/');
  const steps = page.getByRole('region', { name: 'First steps' });
  await hasCount(steps.getByRole('listitem'), 6);
  assert.equal(
    await steps.getByRole('link', { name: 'Create a backup key' }).getAttribute('href'),
    '/settings/backup',
  );
  await steps.getByRole('button', { name: 'Hide first steps' }).click();
  await hasCount(steps, 0);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('No backup key exists, so no backup can be made.').first().waitFor();
  await hasCount(steps, 0);
  site.behaviour.rows = 240_000;
  await page.goto('/?steps');
  await hasCount(steps.getByText('(done)'), 6);
});

test('demo photos are cut and sent from the first page, and removed from it', IN_BROWSER, async (t) => {
  site.behaviour.rows = 0;
  const page = await openPageAt(t, '/');
  const sent = page.waitForRequest((request) => request.url().includes('/uploads?'));
  await page.getByRole('button', { name: 'Load demo photos' }).click();
  assert.equal(new URL((await sent).url()).searchParams.get('demo'), 'true');
  await page.getByText('The demo photos are sent').first().waitFor();
  // One for the demo blacklist, and one of a visit of the same man.
  assert.equal(site.received.length, 27);
  for (const name of ['Demo man 3.jpg', 'Пример.jpg', 'مثال 5-1.jpg', 'Demo man.jpg'])
    assert.ok(site.received.includes(name), name);
  assert.equal(site.verifications.length, 1);
  site.behaviour.demo = 22;
  await page.goto('/');
  await page.getByText('Demo photos in this company: 22').waitFor();
  await page.getByRole('button', { name: 'Remove demo photos' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This erases 22 demo photos').waitFor();
  await dialog.getByLabel('Type Harbour Registry to confirm').fill('Harbour Registry');
  await dialog.getByRole('button', { name: 'Remove demo photos' }).click();
  await page.getByText('The demo photos are erased').first().waitFor();
  await hasCount(page.getByText('Demo photos in this company'), 0);
});

test(
  'the newest matches show both faces, and the days of the chart are a table too',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/');
    const matches = page.getByRole('region', { name: 'Newest matches' });
    await hasCount(matches.getByRole('link'), 8);
    await matches.getByText('on Refused entry 2025').first().waitFor();
    await matches.getByText('The matched face was erased.').waitFor();
    const chart = page.getByRole('region', { name: 'Last 14 days' });
    await chart.getByRole('img', { name: /Trust Validations of the last 14 days: [\d,]+ in all/ }).waitFor();
    await chart.getByText('Show as table').click();
    await hasCount(chart.getByRole('row'), 15);
    assert.deepEqual(await axeViolations(page), []);
  },
);

test(
  'tool settings are kept as a draft, then saved; leaving with changes asks first',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/trust-flows/7');
    const panel = page.getByRole('complementary', { name: 'Border desk' });
    // Only active lists are offered, each with its count.
    await panel.getByRole('checkbox', { name: /Refused entry 2025 enrolled faces: 50,000/ }).waitFor();
    await hasCount(panel.getByRole('checkbox', { name: /Visitors 2019/ }), 0);
    await eventually(async () =>
      assert.ok(await panel.getByRole('button', { name: /^Publish version/ }).isDisabled()),
    );
    await panel.getByRole('checkbox', { name: /Document fraud/ }).click();
    await panel.getByText('Unsaved changes.').waitFor();
    // Blacklists may be compared more strictly than the enrolled faces.
    await panel.getByRole('switch', { name: 'Separate match threshold for blacklists' }).click();
    await panel.getByLabel('Match threshold of blacklists').selectOption('1 in 1,000,000 (very strict)');
    // One of the lists has a rate of its own, which its row states.
    const own = panel.getByLabel('Match threshold of Refused entry 2025');
    await own.selectOption('1 in 1,000 searches of unknown people');
    await hasCount(panel.getByLabel('Match threshold of Visitors 2019'), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
    // A draft that is still being saved cannot be published: the service would refuse the settings before it.
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
    await page.route('**/flows/7/tool', async (route) => {
      await held;
      await route.continue();
    });
    await panel.getByRole('button', { name: 'Save draft' }).click();
    const publish = panel.getByRole('button', { name: /^Publish version/ });
    await eventually(async () => assert.ok(await publish.isDisabled()));
    release(undefined);
    await panel.getByText('New validations do not use this draft until you publish it.').waitFor();
    await panel.getByText('Applies to new validations only.').waitFor();
    await panel.getByText('Refused entry 2025 (false alarms: 1 in 1,000 searches)').waitFor();
    await publish.click();
    await panel.getByText('Version 4, active since').waitFor();
    const value = String(TARGET_FPIRS[2]);
    await eventually(async () => assert.equal(await own.inputValue(), value));
  },
);

test('a flow is published in one step, at a rate in words with its false alarms', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/trust-flows/9');
  const panel = page.getByRole('complementary', { name: 'Staff entrance' });
  await panel.getByText('Trust Flow number 9').waitFor();
  await panel.getByRole('button', { name: 'Copy' }).waitFor();
  const threshold = panel.getByLabel('Match threshold', { exact: true });
  await panel
    .getByText('Persons compared: 100,000. Expect about 10.0 false alarms per verification')
    .waitFor();
  await threshold.selectOption('1 in 1,000,000 (very strict)');
  await panel.getByText('expect about 1 false alarm per 10 verifications of unknown people.').waitFor();
  await threshold.selectOption('Other rate…');
  await panel.getByLabel('One false match in').fill('5000000');
  await panel.getByText('per 50 verifications of').waitFor();
  await threshold.selectOption('1 in 100 searches of unknown people');
  await panel.getByText('expect about 1 false alarm per 99 verifications of').waitFor();
  // Among so many persons the law of the thresholds ends before 1 in 10,000.
  await threshold.selectOption('1 in 10,000 searches of unknown people');
  await panel.getByText('expect about 1 false alarm per 1,000 verifications of').waitFor();
  await panel.getByRole('button', { name: 'Publish version 2' }).click();
  await panel.getByText('Version 2, active since').waitFor();
});

test(
  'a new flow begins as a draft at a rate for the gallery, and is published later',
  IN_BROWSER,
  async (t) => {
    // Five thousand faces: a false alarm in 20 verifications at 1 in 100,000.
    site.behaviour.rows = 5_000;
    const page = await openPageAt(t, '/trust-flows/new');
    await page.getByLabel('Name').fill('Turnstiles');
    await page.getByRole('button', { name: 'Create Trust Flow' }).click();
    const panel = page.getByRole('complementary', { name: 'Turnstiles' });
    await panel.getByText('Not published yet. Verifications cannot use this Trust Flow.').waitFor();
    const threshold = panel.getByLabel('Match threshold', { exact: true });
    assert.equal(await threshold.inputValue(), 'strict');
    await panel.getByText('expect about 1 false alarm per 20 verifications of').waitFor();
    await hasCount(panel.getByRole('button', { name: 'Discard draft' }), 0);
    await hasCount(panel.getByRole('link', { name: 'New verification' }), 0);
    await threshold.selectOption('1 in 10,000 (balanced)');
    await panel.getByText('Suggested for this number of persons: 1 in 100,000.').waitFor();
    await panel.getByRole('button', { name: 'Publish version 1' }).click();
    await panel.getByText('Version 1, active since').waitFor();
  },
);

test('a draft that another operator replaced is shown before it can be published', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/trust-flows/8');
  const panel = page.getByRole('complementary', { name: 'Ferry terminal' });
  await panel.getByRole('button', { name: 'Publish version 4' }).waitFor();
  // As another browser does.
  await page.evaluate(`(async () => {
    const flows = '/api/dashboard/flows';
    const { items } = await (await fetch(flows)).json();
    const { draft, revision } = items.find(({ id }) => id === 8);
    const body = JSON.stringify({ revision, settings: { ...draft, targetFmr: 1e-5 } });
    await fetch(flows + '/8/tool', { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  })()`);
  await panel.getByRole('button', { name: 'Publish version 4' }).click();
  await panel.getByText('Another operator has changed this Trust Flow in the meantime.').waitFor();
  await panel.getByRole('cell', { name: '1 in 100,000' }).first().waitFor();
  await panel.getByRole('button', { name: 'Publish version 4' }).click();
  await panel.getByText('Version 4, active since').waitFor();
});

test('a pipeline change is confirmed, paused, and cancelled with undo', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings');
  // The group opens its first screen.
  await page.waitForURL('**/settings/company');
  await page.getByRole('link', { name: 'Recognition' }).click();
  await page.getByText('Active pipeline: full').waitFor();
  await page.getByText('net.onnx differs from the file that the manifest names').waitFor();
  await page.getByRole('button', { name: 'Switch to this pipeline example-r50' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('full stays active until the switch.').waitFor();
  await dialog.getByText('Your calibration applies to the current pipeline only.').waitFor();
  await dialog.getByRole('button', { name: 'Start switch' }).click();
  await page.getByText(/14\.2 faces per second, about 1 hr 45 mins? left/).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused. Finished templates are kept.').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Cancel switch' }).click();
  await page.getByRole('heading', { name: 'Switching to' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Switching to example-r50' }).waitFor();
});

test(
  'faces that the new pipeline refuses wait for a decision that says what it costs',
  IN_BROWSER,
  async (t) => {
    site.behaviour.change = 'refused';
    const page = await openPageAt(t, '/settings/pipelines');
    await page.getByText('Decide about these faces to complete the switch.').waitFor();
    await hasCount(page.getByRole('row', { name: /No face detected/ }), 2);
    await page.getByRole('link', { name: 'Refused entry 2025' }).waitFor();
    await page.getByRole('button', { name: 'Continue without them' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('These people produce no matches').waitFor();
    await dialog.getByRole('button', { name: 'Continue without them' }).click();
    await page.getByRole('heading', { name: 'Failed faces', exact: true }).waitFor({ state: 'detached' });
  },
);

test('deleting a blacklist says what goes with it and asks for its name', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/company/internal-biometrics/12');
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('erases 1,300 enrolled faces').waitFor();
  await dialog.getByText('Border desk').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Delete' });
  await eventually(async () => assert.ok(await confirm.isDisabled()));
  await dialog.getByLabel('Type Document fraud to confirm').fill('Document fraud');
  await eventually(async () => assert.ok(await confirm.isEnabled()));
});

test(
  'measured thresholds are shown with their basis, and removed after confirmation',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/settings');
    await page.getByRole('link', { name: 'Recognition' }).click();
    await page.getByRole('link', { name: 'Face calibration' }).click();
    await page.getByText('Thresholds calibrated on 300 of your photos').waitFor();
    await page.getByRole('img', { name: /At FMR 1e-4.*FNMR is 1\.4%/ }).waitFor();
    await page.locator('.calibration-table > summary').first().click();
    await page
      .getByRole('row', { name: /1 in 10,000 default of new Trust Flows estimated 0\.4800/ })
      .waitFor();
    await page.getByText("vouch calibration measure PHOTOS --company 'Harbour Registry' --apply").waitFor();
    await page.getByRole('button', { name: 'Restore default thresholds' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It rests on 60 people and 300 photos').waitFor();
    await dialog.getByLabel('Type Harbour Registry to confirm').fill('Harbour Registry');
    await dialog.getByRole('button', { name: 'Restore default thresholds' }).click();
    await page.getByText('not calibrated on your photos yet').waitFor();
    await hasCount(page.getByRole('img', { name: /DET/ }), 0);
  },
);

test('labelled photos of a folder are measured, compared and applied', IN_BROWSER, async (t) => {
  site.behaviour.calibrated = false;
  const folder = mkdtempSync(join(tmpdir(), 'vouch-labelled-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const person of ['anna', 'berta']) {
    mkdirSync(join(folder, person));
    for (const shot of [1, 2]) writeFileSync(join(folder, person, `${shot}.png`), PIXEL);
  }
  const table = join(folder, 'groups.csv');
  writeFileSync(table, 'person,group\nanna,Office\nanna,Yard\n');
  const page = await openPageAt(t, '/settings/calibration');
  await page.locator('input[type=file]').setInputFiles(folder);
  await page.getByText('The file groups.csv in the folder cannot be used.').waitFor();
  writeFileSync(table, 'person,group\nanna,Office\nberta,Yard\n');
  const begun = page.waitForRequest((request) => request.url().endsWith('/calibration/runs'));
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/photos'))
      sent.push(`${searchParams.get('person') ?? ''} ${searchParams.get('file') ?? ''}`);
  });
  await page.locator('input[type=file]').setInputFiles(folder);
  await page.getByText('420 photos of 84 people were measured.').waitFor();
  assert.deepEqual((await begun).postDataJSON(), { groups: { anna: 'Office', berta: 'Yard' } });
  await page.getByText('People in groups.csv without photos: 1. Check their names: Bertha').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'Yard, night shift' });
  await row.getByText('13 of 210').waitFor();
  await page.getByText('Highest FNMR: Yard, night shift. Its interval is above').waitFor();
  await page
    .getByText('Too small for rates (10 people and 30 mated pairs are needed): Visitors (7).')
    .waitFor();
  assert.deepEqual(sent.sort(), [
    'anna anna/1.png',
    'anna anna/2.png',
    'berta berta/1.png',
    'berta berta/2.png',
  ]);
  await page.getByText(/the new threshold is stricter than the active one. It misses [\d.]+% of/).waitFor();
  // A distance says nothing to an operator: it stands under the technical details only.
  await hasCount(page.getByText('0.4800').filter({ visible: true }), 0);
  await page.getByText('1 Image is not sharp enough').waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'Apply thresholds' }).click();
  await page.getByText('The measured thresholds are active').first().waitFor();
  await page.getByText('Thresholds calibrated on 300 of your photos').waitFor();
});

test(
  'error rates of the site are read when opened, and too few searches said to be so',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/settings/calibration');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page
      .getByText('Thresholds calibrated on')
      .or(page.getByText('Default thresholds,'))
      .first()
      .waitFor();
    const isAsked = () => asked.some((path) => path.endsWith('/calibration/site'));
    assert.ok(!isAsked(), 'searches cost time, so they wait for the operator');
    await page.getByText('Error rates of searches among enrolled faces').first().click();
    const row = page.getByRole('row').filter({ hasText: '94 of 400' });
    await row.getByText('24%').waitFor();
    await row.getByText('too few searches (25)').waitFor();
    await page.getByText('the photos of 12 of these persons').waitFor();
    assert.ok(isAsked());
    assert.deepEqual(await axeViolations(page), []);
  },
);

test('labelled signatures of a folder are measured, applied and reset', IN_BROWSER, async (t) => {
  site.behaviour.signaturesCalibrated = false;
  const folder = mkdtempSync(join(tmpdir(), 'vouch-signatures-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'anna', 'imitations'), { recursive: true });
  for (const file of ['1.png', '2.png', 'imitations/1.png']) writeFileSync(join(folder, 'anna', file), PIXEL);
  const page = await openPageAt(t, '/signatures/calibration');
  await page.getByText('not calibrated on your signatures yet').waitFor();
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams: label } = new URL(request.url());
    if (pathname.endsWith('/runs/made-up/signatures'))
      sent.push(['writer', 'file', 'forgery'].map((key) => label.get(key) ?? '').join(' '));
  });
  await page.locator('input[type=file]').setInputFiles(folder);
  await page.getByText('1 file is in no pair').click();
  await page.getByText('anna/3.png: the image is blank').waitFor();
  assert.deepEqual(sent.sort(), [
    'anna anna/1.png false',
    'anna anna/2.png false',
    'anna anna/imitations/1.png true',
  ]);
  await page.getByRole('row', { name: /different writers, score 40 or higher 3\.1% .* 1\.2%/ }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'Apply scale' }).click();
  await page.getByText('Scale calibrated on 460 of your signatures').waitFor();
  await page.getByRole('button', { name: 'Restore default scale' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('It rests on 460 signatures of 40 writers').waitFor();
  await dialog.getByLabel('Type Harbour Registry to confirm').fill('Harbour Registry');
  await dialog.getByRole('button', { name: 'Restore default scale' }).click();
  await page.getByText('not calibrated on your signatures yet').waitFor();
});

test(
  'other machines are let in under names, and out again; a passphrase is asked for',
  IN_BROWSER,
  async (t) => {
    site.behaviour.asksPassphrase = true;
    const page = await openPageAt(t, '/settings/network');
    await page.getByText('Only this machine can connect.').waitFor();
    const turnOn = page.getByRole('button', { name: 'Turn on network access' });
    await eventually(async () => assert.ok(await turnOn.isDisabled()));
    await page.getByLabel('Host names').fill('vouch.site.lan, 10.0.0.5');
    await turnOn.click();
    await page.getByLabel('Passphrase').fill('violet harbour at nine');
    await turnOn.click();
    await page.getByText('https://vouch.site.lan:4611').waitFor();
    await page.getByText('compare the fingerprint').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('button', { name: 'Turn off network access' }).click();
    await page.getByRole('status').getByText('Only this machine can connect.').waitFor();
  },
);

test('a certificate that expires soon is reported, and renewed after a warning', IN_BROWSER, async (t) => {
  site.behaviour.network = 'ending';
  const page = await openPageAt(t, '/settings/network');
  await page.getByText('Expires soon').waitFor();
  await page.getByRole('button', { name: 'Renew certificate' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('which are rejected until then').waitFor();
  const before = await dialog.locator('.settings-hash').innerText();
  await dialog.getByRole('button', { name: 'Renew certificate' }).click();
  await dialog.getByText('The new certificate is active').waitFor();
  await dialog.getByText(before).waitFor();
  await hasCount(dialog.locator('.settings-hash'), 2);
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await hasCount(page.getByText('Expires soon'), 0);
});

test('a listener that does not answer says so, and why', IN_BROWSER, async (t) => {
  site.behaviour.network = 'failing';
  const page = await openPageAt(t, '/settings/network');
  await page.getByText('Not responding').waitFor();
  await page.getByText('Another program uses port 4611').waitFor();
  const arabic = await openPageAt(t, '/settings/network', { arabic: true });
  const said = arabic.getByText(/لا تصل الشبكة إلى هذا العنوان.*يستخدم برنامج آخر المنفذ 4611/);
  assert.doesNotMatch(await said.innerText(), /[a-z]{3,}/i, 'each cause is in the language of the page');
});

test('the strict thresholds are chosen with an explanation of whom they are for', IN_BROWSER, async (t) => {
  site.behaviour.calibrated = false;
  const page = await openPageAt(t, '/settings/calibration');
  await page.locator('.calibration-table > summary').first().click();
  await page
    .getByRole('row', { name: /1 in 10,000 default of new Trust Flows 0\.5320 0\.5320 0\.4710/ })
    .waitFor();
  // There is no card for a curve that does not exist yet.
  await hasCount(page.getByText('Detection error trade-off'), 0);
  await page.getByText('When to choose the strict thresholds').click();
  await page.getByText('most people here are women').waitFor();
  // An arrow key moves the choice, and changes nothing.
  await page.getByRole('radio', { name: /^Standard thresholds/ }).press('ArrowDown');
  await page.getByRole('radio', { name: /^Strict thresholds/, checked: true }).waitFor();
  await hasCount(page.getByText('Strict thresholds selected'), 0);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Strict thresholds selected').waitFor();
  await page.getByText('Strict default thresholds, not calibrated').waitFor();
  await page
    .getByRole('row', { name: /1 in 10,000 default of new Trust Flows 0\.4710 0\.5320 0\.4710/ })
    .waitFor();
});
