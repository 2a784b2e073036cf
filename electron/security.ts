/**
 * The limits of the window: it shows only the service's own pages. Electron's objects are typed by the parts that are used,
 * so that every rule is tested without a window. The list these rules answer is Electron's own security checklist.
 */

/** Restricts navigation of the window to its own service. */

/** @param address of the running service, e.g. http://127.0.0.1:4610 */
export function mayNavigate(target: string, address: string | undefined): boolean {
  if (address === undefined || !URL.canParse(target)) return false;
  const url = new URL(target);
  return url.origin === new URL(address).origin && url.username === '' && url.password === '';
}

/** Of every window: no Node in the page, its own world for the preload, a sandboxed process. */
export const WEB_PREFERENCES = {
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
} as const;

interface Cancellable {
  preventDefault(): void;
}

/** The part of Electron's WebContents that is confined. */
export interface Confinable {
  on(
    event: 'will-navigate' | 'will-redirect' | 'will-frame-navigate',
    act: (event: Cancellable & { url: string }) => void,
  ): unknown;
  on(event: 'will-attach-webview', act: (event: Cancellable) => void): unknown;
  setWindowOpenHandler(answer: () => { action: 'deny' }): void;
}

/** The page stays on the service: no other address, no further window, no embedded page. @param address of the service, as it is now */
export function confine(contents: Confinable, address: () => string | undefined): void {
  for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate'] as const)
    contents.on(event, (going) => {
      if (!mayNavigate(going.url, address())) going.preventDefault();
    });
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** The part of Electron's Session that is closed. */
export interface Closable {
  setPermissionRequestHandler(
    answer: (
      contents: unknown,
      permission: string,
      answer: (granted: boolean) => void,
      details: { requestingUrl?: string; isMainFrame?: boolean; mediaTypes?: string[] },
    ) => void,
  ): void;
  setPermissionCheckHandler(
    answer: (
      contents: unknown,
      permission: string,
      requestingOrigin: string,
      details: { mediaType?: string; isMainFrame?: boolean },
    ) => boolean,
  ): void;
  setDevicePermissionHandler(answer: () => boolean): void;
  on(event: 'will-download', act: (event: Cancellable, item: { getURL(): string }) => void): unknown;
  webRequest: {
    onBeforeRequest(
      answer: (
        request: { url: string; resourceType: string },
        answer: (verdict: { cancel: boolean }) => void,
      ) => void,
    ): void;
  };
}

/**
 * Grants the camera, without sound, and notifications to the page of the service, and no other permission. Saves only the files that the
 * service sends, and lets no request leave this machine.
 */
export function closeSession(session: Closable, address: () => string | undefined): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const { requestingUrl = '', isMainFrame, mediaTypes = [] } = details;
    const video = mediaTypes.length > 0 && mediaTypes.every((type) => type === 'video');
    const wanted = permission === 'notifications' || (permission === 'media' && video);
    answer(wanted && isMainFrame === true && mayNavigate(requestingUrl, address()));
  });
  session.setPermissionCheckHandler(
    (_contents, permission, origin, { mediaType, isMainFrame }) =>
      (permission === 'notifications' || (permission === 'media' && mediaType === 'video')) &&
      isMainFrame === true &&
      mayNavigate(origin, address()),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    if (!mayNavigate(item.getURL().replace(/^blob:/, ''), address())) event.preventDefault();
  });
  session.webRequest.onBeforeRequest((request, answer) => {
    answer({ cancel: !mayLoad(request, address()) });
  });
}

/**
 * The service, what its pages made themselves, the shell's own pages, and the developer tools. A frame inside a page must
 * come from the service: the shell's own pages, which are `data:` URLs, have no frames.
 */
function mayLoad(
  { url, resourceType }: { url: string; resourceType: string },
  address: string | undefined,
): boolean {
  const madeHere = resourceType === 'subFrame' ? /^devtools:/ : /^(data|blob|devtools):/;
  return madeHere.test(url) || mayNavigate(url, address);
}
