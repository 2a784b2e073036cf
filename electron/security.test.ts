import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { closeSession, confine, WEB_PREFERENCES, type Closable } from './security.ts';

const PROJECT = join(import.meta.dirname, '..');
const SERVICE = 'http://127.0.0.1:4610';
const HERE = () => SERVICE;
/** The shell itself, without its tests. */
const SOURCES = readdirSync(join(PROJECT, 'electron'))
  .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|^fake/.test(name))
  .map((name) => readFileSync(join(PROJECT, 'electron', name), 'utf8'));

/** Keeps what was registered, so that a test can fire it. */
class Recorder {
  readonly handlers = new Map<string, (...parameters: never[]) => void>();
  windowOpen: (() => { action: string }) | undefined;
  permission: Parameters<Closable['setPermissionRequestHandler']>[0] | undefined;
  check: Parameters<Closable['setPermissionCheckHandler']>[0] | undefined;
  device: (() => boolean) | undefined;
  request:
    | ((
        request: { url: string; resourceType: string },
        answer: (verdict: { cancel: boolean }) => void,
      ) => void)
    | undefined;
  readonly webRequest = {
    onBeforeRequest: (handler: NonNullable<Recorder['request']>) => {
      this.request = handler;
    },
  };

  on(event: string, handler: (...parameters: never[]) => void): void {
    this.handlers.set(event, handler);
  }
  setWindowOpenHandler(handler: () => { action: 'deny' }): void {
    this.windowOpen = handler;
  }
  setPermissionRequestHandler(handler: NonNullable<Recorder['permission']>): void {
    this.permission = handler;
  }
  setPermissionCheckHandler(handler: NonNullable<Recorder['check']>): void {
    this.check = handler;
  }
  setDevicePermissionHandler(handler: () => boolean): void {
    this.device = handler;
  }

  /** @returns whether the event was prevented */
  fire(event: string, facts: object, ...rest: unknown[]): boolean {
    let prevented = false;
    const handler = this.handlers.get(event) as ((...parameters: unknown[]) => void) | undefined;
    assert(handler, event);
    handler({ ...facts, preventDefault: () => (prevented = true) }, ...rest);
    return prevented;
  }
}

test('1, 13, 14: the window loads only the service and opens no other window', () => {
  const contents = new Recorder();
  confine(contents, HERE);
  for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
    assert(!contents.fire(event, { url: `${SERVICE}/validations/1` }));
    for (const url of [
      'https://example.org/',
      'http://127.0.0.1:4611/',
      'file:///etc/passwd',
      'javascript:1',
    ])
      assert(contents.fire(event, { url }), `${event} ${url}`);
  }
  assert.deepEqual(contents.windowOpen?.(), { action: 'deny' });
});

test('2, 3, 4, 6, 8–11: the page has no Node, its own world and a sandbox', () => {
  assert.deepEqual(WEB_PREFERENCES, {
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    sandbox: true,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  });
  const source = SOURCES.join('\n');
  const windows = source.match(/new (electron\.)?BrowserWindow\(/g)?.length;
  assert.equal(windows, 2, 'the window of the service and that of the passphrase');
  assert.equal(source.match(/webPreferences: \{ \.\.\.WEB_PREFERENCES, preload/g)?.length, windows);
  assert.match(source, /app\.enableSandbox\(\)/);
  assert.doesNotMatch(source, /enableBlinkFeatures|disable-web-security|no-sandbox/);
});

test('5, 7: only own pages have the camera and notifications, and nothing else', () => {
  const session = new Recorder();
  closeSession(session, HERE);
  const page = { requestingUrl: `${SERVICE}/verify`, isMainFrame: true };
  const video = { ...page, mediaTypes: ['video'] };
  const grants = (name: string, details: typeof video) => {
    let granted = false;
    session.permission?.({}, name, (answer) => (granted = answer), details);
    return granted;
  };
  assert.equal(grants('media', video), true);
  assert.equal(grants('notifications', video), true);
  assert.equal(grants('notifications', { ...video, requestingUrl: 'https://example.org/' }), false);
  assert.equal(grants('notifications', { ...video, isMainFrame: false }), false);
  for (const name of ['camera', 'geolocation', 'clipboard-read', 'openExternal'])
    assert.equal(grants(name, video), false, name);
  for (const other of [
    { mediaTypes: ['video', 'audio'] },
    { mediaTypes: [] },
    { isMainFrame: false },
    { requestingUrl: 'https://example.org/verify' },
  ])
    assert.equal(grants('media', { ...video, ...other }), false, JSON.stringify(other));
  const checks = (name: string, origin: string, mediaType: string, isMainFrame = true) =>
    session.check?.({}, name, origin, { mediaType, isMainFrame });
  assert.equal(checks('media', SERVICE, 'video'), true);
  assert.equal(checks('media', SERVICE, 'audio'), false);
  assert.equal(checks('media', 'https://example.org', 'video'), false);
  assert.equal(checks('media', SERVICE, 'video', false), false);
  assert.equal(checks('notifications', SERVICE, ''), true);
  assert.equal(checks('notifications', 'https://example.org', ''), false);
  assert.equal(checks('geolocation', SERVICE, 'video'), false);
  assert.equal(session.device?.(), false);
  const policy = readFileSync(join(PROJECT, 'core', 'api', 'dashboard', 'pagePolicy.ts'), 'utf8');
  assert.match(policy, /'default-src': "'none'"/);
  assert.match(policy, /'script-src': "'self'"/);
  assert.doesNotMatch(policy, /unsafe-(inline|eval)/);
});

test('12: no page is embedded', () => {
  const contents = new Recorder();
  confine(contents, HERE);
  assert(contents.fire('will-attach-webview', {}));
});

test('15: the shell hands no address to the system', () => {
  assert(SOURCES.length >= 10);
  for (const source of SOURCES) assert.doesNotMatch(source, /openExternal|openPath|showItemInFolder/);
});

test('17: the bridge has one documented interface and hides its channel', () => {
  const preload = readFileSync(join(PROJECT, 'electron', 'preload.ts'), 'utf8');
  assert.equal(preload.match(/exposeInMainWorld\(/g)?.length, 1);
  assert.doesNotMatch(preload, /exposeInMainWorld\([^)]*ipcRenderer/);
  // Its calls and their channels: no object of Electron is passed on, and no path is answered.
  assert.deepEqual(preload.match(/ipcRenderer\.\w+\(\w+/g), [
    'ipcRenderer.invoke(CHOOSE_CHANNEL',
    'ipcRenderer.invoke(OFFER_CHANNEL',
  ]);
  assert.equal(preload.match(/getPathForFile/g)?.length, 1);
});

test('requests leave for the service alone, and only its files are saved', () => {
  const session = new Recorder();
  closeSession(session, HERE);
  const cancelled = (url: string, resourceType = 'xhr') => {
    let verdict = false;
    session.request?.({ url, resourceType }, ({ cancel }) => (verdict = cancel));
    return verdict;
  };
  assert(!cancelled(`${SERVICE}/assets/index.js`));
  assert(!cancelled('blob:http://127.0.0.1:4610/1'));
  assert(!cancelled('data:text/html,hello', 'mainFrame'), 'the shell shows pages of its own');
  assert(cancelled('data:text/html,hello', 'subFrame'));
  for (const url of [
    'https://example.org/',
    'http://127.0.0.1:9/',
    'ws://127.0.0.1:4610/',
    'file:///etc/passwd',
  ])
    assert(cancelled(url), url);
  const download = (url: string) => session.fire('will-download', {}, { getURL: () => url });
  assert(!download(`blob:${SERVICE}/1`));
  assert(download('https://example.org/program.exe'));
});

test('16 and the fuses: Electron is current, no second Node, deaf to the environment', () => {
  const builder = readFileSync(join(PROJECT, 'electron-builder.yml'), 'utf8');
  for (const fuse of [
    'runAsNode: false',
    'enableNodeOptionsEnvironmentVariable: false',
    'enableNodeCliInspectArguments: false',
    'enableCookieEncryption: true',
    'onlyLoadAppFromAsar: true',
    'enableEmbeddedAsarIntegrityValidation: true',
    'grantFileProtocolExtraPrivileges: false',
  ])
    assert.match(builder, new RegExp(`^  ${fuse}\\b`, 'm'), fuse);
  const { devDependencies } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    devDependencies: { electron: string };
  };
  assert(Number(/\d+/.exec(devDependencies.electron)?.[0]) >= 45);
});

test('the desktop package carries the folder that the service package is made of', () => {
  const builder = readFileSync(join(PROJECT, 'electron-builder.yml'), 'utf8');
  assert.match(builder, /^ {2}- \{ from: release\/service, to: service \}$/m);
  for (const target of ['AppImage', 'deb', 'nsis', 'dmg']) assert(builder.includes(target), target);
});
