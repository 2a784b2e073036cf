import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { ServiceEvents } from './serviceProcess.ts';
import { CHOOSE_CHANNEL } from './folderBridge.ts';
import { fakeElectron, type FakeMenuItem } from '../test/support/fakeElectron.ts';
import { Shell, type ShellPorts } from './shell.ts';
import type { QueueState } from './trayIcon.ts';

const SERVICE = 'http://127.0.0.1:4610';

class FakeService extends EventEmitter<ServiceEvents> {
  starts = 0;
  readonly #ended = Promise.withResolvers<undefined>();
  stopping = false;

  start(): void {
    this.starts += 1;
  }
  /** As long as a batch is in progress. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.#ended.promise;
  }
  finishBatch(): void {
    this.#ended.resolve(undefined);
  }
}

interface Setting extends Partial<Pick<ShellPorts, 'args' | 'storeKey'>> {
  isFirst?: boolean;
  kept?: unknown;
  screens?: Parameters<typeof fakeElectron>[1];
}

/** A shell that has come as far as its window. */
async function open(t: TestContext, { isFirst, kept, screens, ...part }: Setting = {}) {
  const electron = fakeElectron(isFirst, screens);
  const service = new FakeService();
  const state = { window: kept };
  const queue: { now: QueueState | undefined } = { now: undefined };
  const folders: object[] = [];
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  new Shell({
    electron: electron.api,
    args: ['/opt/vouch'],
    state: {
      get: () => state.window,
      set: (_key, place) => {
        state.window = place;
      },
    },
    preload: '/opt/preload.cjs',
    storeKey: () => Promise.resolve(undefined),
    service: () => service,
    readQueue: () => Promise.resolve(queue.now),
    grantFolder: (folder) => {
      folders.push(folder);
      return Promise.resolve({ grantId: 'a grant' });
    },
    ...part,
  }).run();
  await settled();
  return {
    ...electron,
    service,
    state,
    queue,
    folders,
    get window() {
      return electron.windows[0]!;
    },
    /** The service listens, and the window has something to show. */
    listen() {
      service.emit('ready', SERVICE);
      electron.windows[0]?.emit('ready-to-show');
    },
    async later(seconds: number) {
      t.mock.timers.tick(seconds * 1_000);
      await settled();
    },
  };
}

/** Lets code go on that waits for promises that are already fulfilled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('the window shows only the service, once it listens', async (t) => {
  const shell = await open(t);
  const { window, session, app } = shell;
  assert.deepEqual(app.done, ['sandbox', 'opens vouch:']);
  assert.equal(shell.service.starts, 1);
  const { sandbox, contextIsolation, nodeIntegration } = window.options.webPreferences as Record<
    string,
    unknown
  >;
  assert.deepEqual([sandbox, contextIsolation, nodeIntegration], [true, true, false]);
  assert.deepEqual([window.visible, window.loaded], [false, []], 'an empty window is not shown');
  shell.listen();
  assert.deepEqual([window.visible, window.loaded], [true, [`${SERVICE}/`]]);

  const goes = (event: string, url: string) => {
    let allowed = true;
    window.webContents.emit(event, { url, preventDefault: () => (allowed = false) });
    return allowed;
  };
  for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate'])
    assert.deepEqual([goes(event, `${SERVICE}/review`), goes(event, 'https://example.org/')], [true, false]);
  assert.deepEqual(window.webContents.windowOpen?.(), { action: 'deny' });
  const asked = { requestingUrl: 'https://example.org/', isMainFrame: true, mediaTypes: ['video'] };
  session.permission?.(
    {},
    'media',
    (granted) => {
      assert.equal(granted, false);
    },
    asked,
  );
  let saved = true;
  const file = { getURL: () => 'https://example.org/program.exe' };
  session.emit('will-download', { preventDefault: () => (saved = false) }, file);
  assert.equal(saved, false);
  session.request?.({ url: 'https://example.org/', resourceType: 'xhr' }, ({ cancel }) => {
    assert.equal(cancel, true);
  });
});

test("a second start brings the first window to the front, on its link's screen", async (t) => {
  const second = await open(t, { isFirst: false });
  assert.deepEqual([second.windows.length, second.service.starts, second.app.done], [0, 0, ['gone']]);

  const first = await open(t);
  const { app, window } = first;
  app.emit('second-instance', {}, ['/opt/vouch', 'vouch://validation/7']);
  assert.deepEqual(window.loaded, [], 'the service does not listen yet');
  first.listen();
  assert.deepEqual(window.loaded, [`${SERVICE}/validations/7`]);
  window.minimised = true;
  app.emit('second-instance', {}, ['/opt/vouch']);
  assert.deepEqual([window.minimised, window.focused], [false, 1]);
  assert.equal(window.loaded.length, 1, 'without a link the page stays as it is');
  app.emit('open-url', { preventDefault: () => undefined }, 'vouch://review/9');
  app.emit('second-instance', {}, ['/opt/vouch', 'vouch://../../etc']);
  assert.deepEqual(window.loaded.slice(1), [`${SERVICE}/review/9`]);
  assert.equal(first.windows.length, 1);
});

test('a link that Vouch was started with is opened first', async (t) => {
  const shell = await open(t, { args: ['/opt/vouch', 'vouch://review/3'] });
  shell.listen();
  assert.deepEqual(shell.window.loaded, [`${SERVICE}/review/3`]);
});

test('quitting during a batch waits for it, and later clicks break nothing', async (t) => {
  const shell = await open(t, { args: ['/opt/vouch', '--flag', 'vouch://review/3'] });
  const { app, service, window } = shell;
  shell.listen();
  window.close();
  assert.deepEqual([service.stopping, app.done.at(-1)], [true, 'held back']);
  // The window is gone: each of these would throw if it were asked for anything.
  shell.trays[0]?.emit('click');
  shell.trays[0]?.menu.find(({ label }) => label === 'Open')?.click?.();
  for (const item of entriesOf(shell.menu.items)) item.click?.();
  service.emit('ready', SERVICE);
  service.emit('restarting', 'ended', 60_000);
  assert.equal(app.relaunched, undefined);
  app.emit('second-instance', {}, ['/opt/vouch', 'vouch://validation/7']);
  assert.deepEqual(app.relaunched, { args: ['--flag', 'vouch://validation/7'] }, 'it opens again afterwards');
  service.finishBatch();
  await settled();
  assert.equal(app.done.at(-1), 'gone');
});

test('the window returns to its place and size, on a screen that exists', async (t) => {
  const place = { x: 2_000, y: 40, width: 1_300, height: 800 };
  const both = [
    { x: 0, y: 0, width: 1_920, height: 1_040 },
    { x: 1_920, y: 0, width: 1_920, height: 1_040 },
  ];
  const { options } = (await open(t, { kept: place, screens: both })).window;
  assert.deepEqual([options.x, options.width], [2_000, 1_300]);
  const alone = await open(t, { kept: { ...place, maximised: true }, screens: both.slice(0, 1) });
  assert.deepEqual([alone.window.options.x, alone.window.options.width], [undefined, 1_300]);
  assert(alone.window.maximised);
  alone.window.bounds = { ...place, x: 10 };
  alone.window.close();
  assert.deepEqual(alone.state.window, { ...place, x: 10, maximised: true });
  for (const broken of [undefined, 'wide', { width: 'wide' }])
    assert.equal((await open(t, { kept: broken })).window.options.width, 1_440);
});

test('a service that keeps failing says why in the window until it is back', async (t) => {
  const shell = await open(t);
  const { window, service } = shell;
  shell.listen();
  service.emit('restarting', 'once', 1_000);
  assert.equal(window.loaded.length, 1, 'one crash is over before a person has read of it');
  service.emit('restarting', 'The disk is full.', 8_000);
  assert.match(decodeURIComponent(window.loaded.at(-1) ?? ''), /The disk is full\./);
  window.minimised = true;
  service.emit('ready', 'http://127.0.0.1:4999');
  assert.equal(window.loaded.at(-1), 'http://127.0.0.1:4999/');
  assert.deepEqual([window.minimised, window.focused], [true, 0], 'it takes no attention');
});

test('who gives no key gets no service', async (t) => {
  const shell = await open(t, { storeKey: () => Promise.resolve('given-up') });
  await settled();
  assert.deepEqual([shell.service.starts, shell.windows.length, shell.app.done.at(-1)], [0, 0, 'gone']);
});

test('the tray shows the queue, notifies of the end and leads back', async (t) => {
  const shell = await open(t);
  shell.listen();
  const [tray] = shell.trays;
  assert(tray);
  assert.equal(tray.tip, 'Vouch: The service is not running');
  for (const [now, tip] of [
    [{ waiting: 900, paused: false }, 'Vouch: 900 photos waiting'],
    [{ waiting: 1, paused: true }, 'Vouch: 1 photo waiting, paused'],
  ] as const) {
    shell.queue.now = now;
    await shell.later(5);
    assert.deepEqual([tray.tip, tray.menu[0]?.label], [tip, tip.slice('Vouch: '.length)]);
  }
  await shell.later(30);
  shell.queue.now = { waiting: 0, paused: false };
  await shell.later(5);
  await shell.later(60);
  assert.equal(shell.notifications.length, 1, 'once');
  assert.match(shell.notifications[0]?.body ?? '', /900 photos/);
  const { focused } = shell.window;
  shell.notifications[0]?.emit('click');
  assert.equal(shell.window.focused, focused + 1);
  tray.menu.find(({ label }) => label === 'Quit')?.click?.();
  assert(shell.service.stopping);
});

test('only a confirmed dialog of the dashboard hands a folder to the service', async (t) => {
  const shell = await open(t);
  shell.listen();
  const choose = (url: string) =>
    Promise.resolve().then(() =>
      shell.channels.get(CHOOSE_CHANNEL)?.({ senderFrame: { url, parent: null } }),
    );
  assert.equal(await choose(`${SERVICE}/enrol`), null);
  shell.dialog.chosen = '/media/camera';
  assert.match(JSON.stringify(await choose(`${SERVICE}/enrol`)), /FOLDER_SIGNED_OUT/);
  shell.session.cookie = 'token';
  assert.deepEqual(await choose(`${SERVICE}/enrol`), { grantId: 'a grant' });
  await assert.rejects(choose('https://example.org/'), /Only pages of the service/);
  assert.deepEqual(shell.folders, [{ session: 'token', path: '/media/camera' }]);
});

test("the menu's keys are those of the page and do what they say", async (t) => {
  const shell = await open(t);
  shell.listen();
  const entries = entriesOf(shell.menu.items);
  const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'guides', 'operate.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `Ctrl (\S)` \| (.+) \|$/gm)].map(([, key, label]) => [
    label,
    key,
  ]);
  assert.deepEqual(
    entries.map(({ label, accelerator }) => [label, accelerator?.replace('CmdOrCtrl+', '')]),
    documented,
  );
  const { window } = shell;
  const press = (label: string) => entries.find((one) => one.label === label)?.click?.();
  press('Signatures');
  assert.equal(window.loaded.at(-1), `${SERVICE}/signatures`);
  press('Shortcuts of this screen');
  assert.deepEqual(window.webContents.typed, [{ type: 'char', keyCode: '?' }]);
  press('Reload');
  assert.equal(window.webContents.reloads, 1);
  press('Quit');
  assert(shell.service.stopping);
});

function entriesOf(menu: readonly FakeMenuItem[]): FakeMenuItem[] {
  return menu.flatMap(({ submenu = [] }) => submenu);
}
