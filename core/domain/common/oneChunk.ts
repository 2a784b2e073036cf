/** The content of a file in memory as the stream that `ImageFiles.write` reads. */
export async function* oneChunk(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(content);
}
