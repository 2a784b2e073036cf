/** The camera dialog with the browser's fake camera. */
import { after, test } from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { CAMERA, eventually, follow } from './browser.ts';
import { drawPhoto } from './drawnFaces.ts';
import { IN_BROWSER, openHarness, RESTING_PLACE } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-camera-'));
after(() => rmSync(folder, { recursive: true }));
/** A film of one picture: a frame is a JPEG, and a film is its frames behind one another. */
const film = join(folder, 'face.mjpeg');
const picture = await sharp(Buffer.from(drawPhoto(21, 2).svg))
  .resize(640, 480, { fit: 'contain', background: '#687' })
  .flatten()
  .jpeg()
  .toBuffer();
writeFileSync(film, Buffer.concat([picture, picture, picture]));

const { site, openPageAt } = await openHarness([...CAMERA, `--use-file-for-fake-video-capture=${film}`]);

/** Remembers each stream that the page opens, so that a test can see whether it still runs. */
const REMEMBER_STREAMS = `{
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  window.streams = [];
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    window.streams.push(stream);
    return stream;
  };
}`;
/** Each frame ends with its number, and the page remembers what it shows. */
const NUMBER_FRAMES = `{
  let frames = 0;
  const { toBlob } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.toBlob = function (take, ...how) {
    return toBlob.call(this, (blob) => take(new Blob([blob, ' frame ' + ++frames], { type: blob.type })), ...how);
  };
  const { createObjectURL } = URL;
  URL.createObjectURL = (object) => createObjectURL.call(URL, (window.shown = object));
}`;
/** By the page's clock each frame is 300 ms later than the one before, however slow the machine is. */
const TIME_FRAMES = `{
  let time = 0;
  const { toBlob } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.toBlob = function (...how) {
    time += 300;
    return toBlob.apply(this, how);
  };
  performance.now = () => time;
}`;
const running = (page: Page) =>
  page.evaluate<number>(
    `streams.flatMap((stream) => stream.getTracks()).filter(({ readyState }) => readyState === 'live').length`,
  );

async function openCamera(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use camera' }).click();
  await eventually(async () => assert.equal(await running(page), 1));
}

test(
  'guidance follows the checks, and the space bar captures the unmirrored frame',
  IN_BROWSER,
  async (t) => {
    site.behaviour.frame = ['FACE_TOO_SMALL', 'TOO_DARK'];
    const page = await openPageAt(t, RESTING_PLACE, { permissions: ['camera'] });
    await page.addInitScript(REMEMBER_STREAMS);
    await page.goto('/verify?flow=7');
    await openCamera(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Move closer to the camera.').waitFor();
    assert.equal(await dialog.locator('.camera-check-bad').count(), 2);
    site.behaviour.frame = [];
    await dialog.getByText('The picture is good.').waitFor();
    await page.keyboard.press(' ');
    await page.locator('.photo-field img').waitFor();
    assert.equal(await running(page), 0);
    const before = site.frames;
    await page.getByRole('button', { name: 'Run verification' }).click();
    await page.getByText('Review Needed').first().waitFor();
    assert.equal(site.frames, before, 'a closed camera sends no frame');
  },
);

test('an automatic capture waits for three good frames, however slow they are', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/verify?flow=7', { permissions: ['camera'] });
  // Two frames are more than a second apart.
  await page.route('**/camera/frames', async (route) => {
    await sleep(1_100);
    await route.continue();
  });
  await page.getByRole('button', { name: 'Use camera' }).click();
  await page.getByText('Capture automatically').click();
  await page.locator('.photo-field img').waitFor();
  assert.ok(site.frames >= 3, `${site.frames} frames`);
});

test('the best of the good frames of about one second is the photo', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, RESTING_PLACE, { permissions: ['camera'] });
  await page.addInitScript(NUMBER_FRAMES);
  await page.addInitScript(TIME_FRAMES);
  const dark = { refusals: ['TOO_DARK'], quality: 99 };
  const good = (quality: number) => ({ refusals: [], quality });
  const answers = [dark, good(20), good(30), good(95)];
  let automatic = false;
  let asked = 0;
  let best = 0;
  await page.route('**/camera/frames', (route) => {
    asked += 1;
    const answer = automatic ? (answers.shift() ?? good(30)) : dark;
    if (answer.quality === 95) best = asked;
    return route.fulfill({ json: answer });
  });
  await page.goto('/verify?flow=7');
  await page.getByRole('button', { name: 'Use camera' }).click();
  await page.getByText('Capture automatically').click();
  automatic = true;
  await page.locator('.photo-field img').waitFor();
  const end = await page.evaluate<string>(`shown.slice(-8).text()`);
  assert.equal(Number(/\d+$/.exec(end)?.[0]), best, end);
});

test('a frame from before a wait for other cameras is not taken', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, RESTING_PLACE, { permissions: ['camera'] });
  await page.addInitScript(NUMBER_FRAMES);
  let asked = 0;
  await page.route('**/camera/frames', (route) => {
    asked += 1;
    return asked <= 2
      ? route.fulfill({ json: { refusals: [], quality: 90 } })
      : route.fulfill({ status: 429, json: { message: 'Too Many Attempts.', code: 'TOO_MANY_ATTEMPTS' } });
  });
  await page.goto('/verify?flow=7');
  await page.getByRole('button', { name: 'Use camera' }).click();
  // The pauses after these refusals are longer than a second together.
  await eventually(() => assert.ok(asked >= 6));
  await page.keyboard.press(' ');
  await page.locator('.photo-field img').waitFor();
  const end = await page.evaluate<string>(`shown.slice(-8).text()`);
  assert.ok(Number(/\d+$/.exec(end)?.[0]) >= asked, end);
});

test('locking, closing and leaving each stop the camera', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, RESTING_PLACE, { permissions: ['camera'] });
  await page.addInitScript(REMEMBER_STREAMS);
  await page.goto('/verify?flow=7');
  const stops = () => eventually(async () => assert.equal(await running(page), 0));
  await openCamera(page);
  await page.keyboard.press('Escape');
  await stops();
  await openCamera(page);
  await page.evaluate(
    `localStorage.setItem('vouch-locked', '{"state":{"locked":true},"version":0}');
     dispatchEvent(new StorageEvent('storage', { key: 'vouch-locked' }))`,
  );
  await page.getByRole('heading', { name: 'Locked' }).or(page.locator('.center-card')).first().waitFor();
  await stops();
  await page.evaluate(
    `localStorage.setItem('vouch-locked', '{"state":{"locked":false},"version":0}');
     dispatchEvent(new StorageEvent('storage', { key: 'vouch-locked' }))`,
  );
  await eventually(async () => assert.equal(await running(page), 1));
  await follow(page, '/');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await stops();
});

test('a refused, missing or lost camera says what happened and what to do', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, RESTING_PLACE, { permissions: ['camera'] });
  await page.addInitScript(REMEMBER_STREAMS);
  await page.goto('/verify?flow=7');
  // The camera is disconnected before its picture has started.
  await page.evaluate(
    `{ const play = HTMLMediaElement.prototype.play;
       HTMLMediaElement.prototype.play = function () {
         return new Promise((started) => { window.startPicture = () => { HTMLMediaElement.prototype.play = play; started(); }; });
       }; }`,
  );
  await openCamera(page);
  await page.waitForFunction(`window.startPicture !== undefined`);
  await page.evaluate(`streams[0].getTracks()[0].dispatchEvent(new Event('ended'))`);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The camera was disconnected').waitFor();
  await page.evaluate(
    `new Promise((drawn) => { startPicture(); requestAnimationFrame(() => requestAnimationFrame(drawn)); })`,
  );
  assert.equal(await dialog.getByText('The camera was disconnected').isVisible(), true);
  for (const [name, text] of [
    ['NotAllowedError', 'The browser blocked the camera'],
    ['NotFoundError', 'No camera found'],
    ['NotReadableError', 'The camera could not be opened'],
  ] as const) {
    await page.evaluate(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', '${name}'))`,
    );
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText(text).waitFor();
  }
  await page.evaluate(`Object.defineProperty(window, 'isSecureContext', { value: false })`);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('not available on this connection').waitFor();
  assert.deepEqual(await axeViolations(page), []);
});
