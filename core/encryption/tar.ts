/** Tar archives (POSIX ustar, with pax headers where a name or size needs one) as streams. */
import { createTarDecoder, createTarPacker, type TarHeader, type TarPackController } from 'modern-tar';

/** An entry to write; folders and links have no content. */
export interface NewTarEntry {
  header: TarHeader;
  content?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** An entry that was read. */
export interface TarEntry {
  header: TarHeader;
  /** The unread rest is skipped when the next entry is requested. */
  content: AsyncIterable<Uint8Array>;
}

/** A stream is not a whole tar archive, or the archive is not as its manifest says. */
export class ArchiveBroken extends Error {
  override name = 'ArchiveBroken';
}

/**
 * Writes entries one after another. An archive that is not read to its end closes the entries before it ends.
 * @param entries read once, each when the one before it is written; an error in them is the error of the archive
 */
export async function* packTar(
  entries: AsyncIterable<NewTarEntry> | Iterable<NewTarEntry>,
): AsyncIterable<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const writing = writeEntries(controller, entries).catch((cause: unknown) => {
    controller.error(cause);
  });
  try {
    yield* readable;
  } finally {
    await writing;
  }
}

async function writeEntries(
  controller: TarPackController,
  entries: AsyncIterable<NewTarEntry> | Iterable<NewTarEntry>,
): Promise<void> {
  for await (const { header, content = [] } of entries) {
    const body = controller.add(header).getWriter();
    for await (const piece of content) await body.write(piece);
    await body.close();
  }
  controller.finalize();
}

/**
 * Reads the entries of an archive. Checksums, the two blocks at its end and nothing but zeros after them are required.
 * @param source closed when the reading ends, wherever it ends; its errors are thrown as they are
 * @throws {ArchiveBroken}
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncIterable<TarEntry> {
  const { readable, writable } = createTarDecoder({ strict: true });
  const writer = writable.getWriter();
  let sourceFailure: { cause: unknown } | undefined;
  const watched = async function* (): AsyncIterable<Uint8Array> {
    try {
      yield* source;
    } catch (cause) {
      sourceFailure = { cause };
      throw cause;
    }
  };
  const feeding = (async () => {
    for await (const piece of watched()) await writer.write(piece);
    await writer.close();
  })().catch((cause: unknown) => writer.abort(cause).catch(() => undefined));
  // Reading is ended without a cancellation: one of a failed stream fails again, and one of a content may end the entry after
  // it, which the decoder may have begun already.
  const read = async function* <T>(stream: ReadableStream<T>): AsyncIterable<T> {
    try {
      yield* stream.values({ preventCancel: true });
    } catch (cause) {
      if (sourceFailure !== undefined) throw sourceFailure.cause;
      throw new ArchiveBroken('The archive is cut off or malformed.', { cause });
    }
  };
  try {
    for await (const { header, body } of read(readable)) {
      yield { header, content: read(body) };
      for await (const _rest of read(body));
    }
  } finally {
    await readable.cancel().catch(() => undefined);
    await feeding;
  }
}
