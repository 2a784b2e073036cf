/** Endings of image files, behind at least one character. Any other ending is part of a name: "J. R. Smith". */
const EXTENSION = /(?<=.)\.(jpe?g|jpe|jfif|png)$/i;

/** A face's Name: the uploaded file's name without folder and extension. */
export function nameOf(fileName: string): string {
  const base = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  const extension = EXTENSION.exec(base);
  return (extension === null ? base : base.slice(0, extension.index)).trim() || base;
}
