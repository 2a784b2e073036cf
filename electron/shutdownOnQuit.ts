/** Delays quitting until the service has stopped, also after repeated requests. */

interface Quitting {
  /** Stops the service, which finishes the images in progress. */
  stop: () => Promise<void>;
  quit: () => void;
}

/** @returns the handler of `before-quit`: the first quit stops the service and quits after it has ended */
export function shutdownOnQuit({ stop, quit }: Quitting): (event: { preventDefault(): void }) => void {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  return (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    if (state === 'stopping') return;
    state = 'stopping';
    void stop().finally(() => {
      state = 'stopped';
      quit();
    });
  };
}
