import type { ImageKind } from './imageKind.ts';

/** The data URI of an image, as the service takes it. */
export async function dataUriOf({ file, kind }: { file: File; kind: ImageKind }): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // In portions: a call takes only so many arguments.
  for (let from = 0; from < bytes.length; from += 32_768)
    text += String.fromCharCode(...bytes.subarray(from, from + 32_768));
  return `data:${kind};base64,${btoa(text)}`;
}

/** The file of a data URI of the service. @param image base64, JPEG or PNG */
export function fileOf(image: string, name: string): File {
  const [head = '', content = ''] = image.split(',');
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  return new File([bytes], name, { type: head.slice('data:'.length, -';base64'.length) });
}
