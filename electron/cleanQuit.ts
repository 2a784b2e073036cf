/** Quitting waits for the service, however often it is asked for. */

interface Quitting {
  /** The service finishes what is in work. */
  stop: () => Promise<void>;
  quit: () => void;
}

/** @returns the handler of `before-quit`: the first quit waits until the service has ended, and then goes through */
export function cleanQuit({ stop, quit }: Quitting): (event: { preventDefault(): void }) => void {
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
