/** What the company decides how to work: the overview, Trust Flows, pipelines, blacklists. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { axeViolations } from './axe.ts';
import { eventually, hasCount } from './browser.ts';
import { IN_BROWSER, openHarness } from './harness.ts';

const { site, openPageAt } = await openHarness();

test('the first page opens the list that each of its numbers counts', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/');
  await page.getByRole('link', { name: '54 Duplicate Detected' }).click();
  await page.waitForURL(/\/validations\?from=.*hit=duplicate/);
  await page.goBack();
  await page.getByRole('link', { name: /Trust Flow with settings/ }).click();
  await page.getByRole('row', { name: /Ferry terminal/ }).waitFor();
  await hasCount(page.getByRole('row', { name: /Border desk/ }), 0);
});

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
      assert.ok(await panel.getByRole('button', { name: 'Save the Trust Flow' }).isDisabled()),
    );
    await panel.getByRole('checkbox', { name: /Document fraud/ }).click();
    await panel.getByText('Changed here, not saved yet.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await panel.getByRole('button', { name: 'Save the settings' }).click();
    await panel.getByText('Nothing is screened by them until the Trust Flow is saved too.').waitFor();
    await panel.getByText('Validations that ran before this save are not screened by it.').waitFor();
    await panel.getByRole('button', { name: 'Save the Trust Flow' }).click();
    await panel.getByText('Version 4 is in force').waitFor();
  },
);

test('a pipeline change is confirmed, paused, and cancelled with undo', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/system');
  await page.getByRole('main').getByRole('link', { name: 'Pipelines' }).click();
  await page.getByText('Faces are compared by the pipeline full').waitFor();
  await page.getByText('net.onnx has another SHA-256').waitFor();
  await page.getByRole('button', { name: 'Change to this example-r50' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The pipeline full serves until the switch.').waitFor();
  await dialog.getByText('count for the pipeline that serves now, and for no other').waitFor();
  await dialog.getByRole('button', { name: 'Start the change' }).click();
  await page.getByText(/14\.2 faces a second, about 1 hr 45 mins? left/).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused. What was described is kept.').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Cancel the change' }).click();
  await page.getByRole('heading', { name: 'Changing to' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Changing to example-r50' }).waitFor();
});

test(
  'faces that the new pipeline refuses wait for a decision that says what it costs',
  IN_BROWSER,
  async (t) => {
    site.behaviour.change = 'refused';
    const page = await openPageAt(t, '/pipelines');
    await page.getByText('It does not switch until somebody decides about them.').waitFor();
    await hasCount(page.getByRole('row', { name: /No face detected/ }), 2);
    await page.getByRole('link', { name: 'Refused entry 2025' }).waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('button', { name: 'Change over without them' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('These people match no longer').waitFor();
    await dialog.getByRole('button', { name: 'Change over without them' }).click();
    await page.getByRole('heading', { name: 'Refused faces' }).waitFor({ state: 'detached' });
  },
);

test('deleting a blacklist says what goes with it and asks for its name', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/company/internal-biometrics/12');
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1,284 enrolled faces go with it').waitFor();
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
    const page = await openPageAt(t, '/system');
    await page.getByRole('main').getByRole('link', { name: 'Calibration' }).click();
    await page.getByText('Thresholds from 300 of your own photos').waitFor();
    await page.getByRole('img', { name: /At FMR 1e-4.*FNMR is 1\.4%/ }).waitFor();
    await page.getByRole('row', { name: /1 in 10,000 new Trust Flows bounded 0\.4800/ }).waitFor();
    await page.getByText("vouch calibration measure PHOTOS --company 'Harbour Registry' --apply").waitFor();
    await page.getByRole('button', { name: 'Back to the shipped thresholds' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('thresholds of 60 people and 300 photos go').waitFor();
    await dialog.getByLabel('Type Harbour Registry to confirm').fill('Harbour Registry');
    await dialog.getByRole('button', { name: 'Back to the shipped thresholds' }).click();
    await page.getByText('not yet measured on your photos').waitFor();
    await hasCount(page.getByRole('img', { name: /DET/ }), 0);
  },
);

test(
  'other machines are let in under names, and out again; a passphrase is asked for',
  IN_BROWSER,
  async (t) => {
    site.behaviour.asksPassphrase = true;
    const page = await openPageAt(t, '/system');
    await page.getByText('No other machine is let in:').waitFor();
    const turnOn = page.getByRole('button', { name: 'Let other machines in' });
    await eventually(async () => assert.ok(await turnOn.isDisabled()));
    await page.getByLabel('Names of this machine').fill('vouch.site.lan, 10.0.0.5');
    await turnOn.click();
    await page.getByLabel('Passphrase').fill('violet harbour at nine');
    await turnOn.click();
    await page.getByText('https://vouch.site.lan:4611').waitFor();
    await page.getByText('compare the fingerprint').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('button', { name: 'Let no other machine in' }).click();
    await page.getByText('No other machine is let in:').waitFor();
  },
);

test('a certificate that expires soon is reported, and renewed after a warning', IN_BROWSER, async (t) => {
  site.behaviour.lan = 'ending';
  const page = await openPageAt(t, '/system');
  await page.getByText('Ends soon').waitFor();
  await page.getByRole('button', { name: 'Make another certificate' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Programs that trust the present one are refused').waitFor();
  const before = await dialog.locator('.system-hash').innerText();
  await dialog.getByRole('button', { name: 'Make it' }).click();
  await dialog.getByText('The new certificate is in use').waitFor();
  await dialog.getByText(before).waitFor();
  await hasCount(dialog.locator('.system-hash'), 2);
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await hasCount(page.getByText('Ends soon'), 0);
});

test('a listener that does not answer says so, and why', IN_BROWSER, async (t) => {
  site.behaviour.lan = 'failing';
  const page = await openPageAt(t, '/system');
  await page.getByText('It does not answer').waitFor();
  await page.getByText('Port 4611 is taken by another program').waitFor();
});

test('the strict thresholds are chosen with an explanation of whom they are for', IN_BROWSER, async (t) => {
  site.behaviour.calibrated = false;
  const page = await openPageAt(t, '/calibration');
  await page.getByRole('row', { name: /1 in 10,000 new Trust Flows 0\.5320 0\.5320 0\.4710/ }).waitFor();
  await page.getByText('when most people here are women').waitFor();
  await page.getByRole('radio', { name: /strict thresholds/ }).click();
  await page.getByText('The strict thresholds are chosen').waitFor();
  await page.getByText('The strict thresholds of the pipeline: not yet measured').waitFor();
  await page.getByRole('row', { name: /1 in 10,000 new Trust Flows 0\.4710 0\.5320 0\.4710/ }).waitFor();
});
