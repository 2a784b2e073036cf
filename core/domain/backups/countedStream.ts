interface Follower {
  /** Called with the size of each piece before it is handed on; an error ends the stream. */
  counted: (bytes: number) => void;
  /** Called once: the source was read to its end, failed, or was given up by its reader. */
  ended?: (state: 'done' | 'failed' | 'cancelled', cause?: unknown) => Promise<void>;
}

/**
 * Follows a stream. Its end is reported also when the reader gives up before the first piece, which a generator function
 * could not do.
 */
export function countedStream(
  source: AsyncIterable<Uint8Array>,
  { counted, ended }: Follower,
): AsyncIterable<Uint8Array> {
  const inner = source[Symbol.asyncIterator]();
  let open = true;
  const end = async (...how: Parameters<NonNullable<Follower['ended']>>) => {
    if (!open) return;
    open = false;
    await ended?.(...how);
  };
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      try {
        const step = await inner.next();
        if (step.done === true) await end('done');
        else counted(step.value.length);
        return step;
      } catch (error) {
        if (open) await inner.return?.();
        await end('failed', error);
        throw error;
      }
    },
    async return() {
      await inner.return?.();
      await end('cancelled');
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
