/** The kind of an image by its first bytes, as the service decides too. Names and MIME types are not trusted. */
export type ImageKind = 'image/jpeg' | 'image/png';

const MAGIC: Record<ImageKind, readonly number[]> = {
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
};

/** @returns null: neither JPEG nor PNG. Rejects when the disk would not give it. */
export async function imageKind(file: Blob): Promise<ImageKind | null> {
  const head = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  const kinds = Object.keys(MAGIC) as ImageKind[];
  return kinds.find((kind) => MAGIC[kind].every((byte, index) => head[index] === byte)) ?? null;
}
