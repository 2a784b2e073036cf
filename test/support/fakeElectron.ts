/** The part of Electron that the shell uses, without Electron: records the calls, and fires the events of a test. */
import { EventEmitter } from 'node:events';
import type { ShellApi } from '../../electron/shell.ts';

interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

class FakeContents extends EventEmitter {
  url = '';
  reloads = 0;
  readonly typed: object[] = [];
  windowOpen: (() => { action: string }) | undefined;

  getURL(): string {
    return this.url;
  }
  reload(): void {
    this.reloads += 1;
  }
  sendInputEvent(event: object): void {
    this.typed.push(event);
  }
  setWindowOpenHandler(handler: () => { action: string }): void {
    this.windowOpen = handler;
  }
}

/** A window; once it is closed, whatever is asked of it throws, as Electron's does. */
export class FakeWindow extends EventEmitter {
  readonly options: Partial<Bounds> & { webPreferences: object };
  readonly #contents = new FakeContents();
  readonly #closed: () => void;
  bounds: Bounds;
  isOpen = true;
  maximised = false;
  minimised = false;
  visible = false;
  focused = 0;
  readonly loaded: string[] = [];

  constructor(options: FakeWindow['options'], made: (contents: FakeContents) => void, closed: () => void) {
    super();
    this.options = options;
    this.#closed = closed;
    this.bounds = { x: 0, y: 0, width: 0, height: 0, ...options };
    made(this.#contents);
  }

  get webContents(): FakeContents {
    this.#mustBeOpen();
    return this.#contents;
  }
  loadURL(url: string): Promise<void> {
    this.#mustBeOpen();
    this.loaded.push(url);
    this.#contents.url = url;
    return Promise.resolve();
  }
  getNormalBounds(): Bounds {
    this.#mustBeOpen();
    return { x: this.bounds.x, y: this.bounds.y, width: this.bounds.width, height: this.bounds.height };
  }
  isMaximized(): boolean {
    this.#mustBeOpen();
    return this.maximised;
  }
  maximize(): void {
    this.maximised = true;
  }
  isMinimized(): boolean {
    this.#mustBeOpen();
    return this.minimised;
  }
  restore(): void {
    this.minimised = false;
  }
  show(): void {
    this.#mustBeOpen();
    this.visible = true;
  }
  focus(): void {
    this.focused += 1;
  }
  /** The effect of a click on its close button. */
  close(): void {
    this.emit('close');
    this.isOpen = false;
    this.emit('closed');
    this.#closed();
  }

  #mustBeOpen(): void {
    if (!this.isOpen) throw new TypeError('Object has been destroyed');
  }
}

class FakeApp extends EventEmitter {
  readonly #isFirst: boolean;
  readonly done: string[] = [];
  relaunched: { args: string[] } | undefined;

  constructor(isFirst: boolean) {
    super();
    this.#isFirst = isFirst;
  }

  requestSingleInstanceLock(): boolean {
    return this.#isFirst;
  }
  enableSandbox(): void {
    this.done.push('sandbox');
  }
  setAsDefaultProtocolClient(scheme: string): void {
    this.done.push(`opens ${scheme}:`);
  }
  whenReady(): Promise<void> {
    return Promise.resolve();
  }
  relaunch(how: { args: string[] }): void {
    this.relaunched = how;
  }
  /** Ends, unless a listener holds it back. */
  quit(): void {
    const asked = { held: false };
    this.emit('before-quit', { preventDefault: () => (asked.held = true) });
    this.done.push(asked.held ? 'held back' : 'gone');
    if (!asked.held) this.emit('will-quit');
  }
}

class FakeSession extends EventEmitter {
  permission:
    | ((contents: unknown, name: string, answer: (granted: boolean) => void, details: object) => void)
    | undefined;
  request:
    | ((
        request: { url: string; resourceType: string },
        answer: (verdict: { cancel: boolean }) => void,
      ) => void)
    | undefined;
  /** Value of the cookie that the service set; undefined: no operator is signed in. */
  cookie: string | undefined;
  readonly webRequest = {
    onBeforeRequest: (handler: NonNullable<FakeSession['request']>) => {
      this.request = handler;
    },
  };
  readonly cookies = {
    get: () => Promise.resolve(this.cookie === undefined ? [] : [{ value: this.cookie }]),
  };

  setPermissionRequestHandler(handler: NonNullable<FakeSession['permission']>): void {
    this.permission = handler;
  }
  setPermissionCheckHandler(): void {
    // security.test.ts asks it.
  }
  setDevicePermissionHandler(): void {
    // security.test.ts asks it.
  }
}

export interface FakeMenuItem {
  label?: string;
  accelerator?: string;
  role?: string;
  submenu?: FakeMenuItem[];
  click?: () => void;
}

class FakeTray extends EventEmitter {
  tip = '';
  menu: FakeMenuItem[] = [];

  setToolTip(tip: string): void {
    this.tip = tip;
  }
  setContextMenu(menu: FakeMenuItem[]): void {
    this.menu = menu;
  }
}

class FakeNotification extends EventEmitter {
  readonly body: string;

  constructor({ body }: { body: string }, shown: (notification: FakeNotification) => void) {
    super();
    this.body = body;
    this.show = () => {
      shown(this);
    };
  }

  readonly show: () => void;
}

/** @param isFirst whether no other shell runs. @param screens their work areas */
export function fakeElectron(
  isFirst = true,
  screens: Bounds[] = [{ x: 0, y: 0, width: 1920, height: 1040 }],
) {
  const app = new FakeApp(isFirst);
  const session = new FakeSession();
  const windows: FakeWindow[] = [];
  const trays: FakeTray[] = [];
  const notifications: FakeNotification[] = [];
  const channels = new Map<string, (event: object, ...rest: unknown[]) => unknown>();
  const menu: { items: FakeMenuItem[] } = { items: [] };
  const dialog = { chosen: undefined as string | undefined };
  const parts = {
    app,
    session: { defaultSession: session },
    screen: { getAllDisplays: () => screens.map((workArea) => ({ workArea })) },
    ipcMain: {
      handle: (channel: string, answer: (event: object, ...rest: unknown[]) => unknown) =>
        channels.set(channel, answer),
    },
    dialog: {
      showOpenDialog: () =>
        Promise.resolve({ filePaths: dialog.chosen === undefined ? [] : [dialog.chosen] }),
    },
    Menu: {
      buildFromTemplate: (template: FakeMenuItem[]) => template,
      setApplicationMenu: (items: FakeMenuItem[]) => {
        menu.items = items;
      },
    },
    nativeImage: { createFromDataURL: (url: string) => url },
    BrowserWindow: class extends FakeWindow {
      constructor(options: FakeWindow['options']) {
        super(
          options,
          (contents) => app.emit('web-contents-created', {}, contents),
          () => app.emit('window-all-closed'),
        );
        windows.push(this);
      }
    },
    Tray: class extends FakeTray {
      constructor() {
        super();
        trays.push(this);
      }
    },
    Notification: class extends FakeNotification {
      static isSupported = () => true;
      constructor(options: { body: string }) {
        super(options, (notification) => notifications.push(notification));
      }
    },
  };
  return {
    app,
    session,
    windows,
    trays,
    notifications,
    channels,
    menu,
    dialog,
    /** A use of any other part of Electron fails here at once. */
    api: standIns(parts),
  };
}

const PARTS: Readonly<Record<keyof ShellApi, true>> = {
  app: true,
  BrowserWindow: true,
  dialog: true,
  ipcMain: true,
  Menu: true,
  nativeImage: true,
  Notification: true,
  screen: true,
  session: true,
  Tray: true,
};

/** Electron's own classes cannot be made without Electron: what is seen to here is that every part has its stand-in. */
function standIns(parts: object): ShellApi {
  const stands = (all: object): all is ShellApi => Object.keys(PARTS).every((part) => part in all);
  if (!stands(parts))
    throw new Error(`There must be a stand-in for each of: ${Object.keys(PARTS).join(', ')}`);
  return parts;
}
