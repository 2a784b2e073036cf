import { formatsOf, type Formats } from './formats.ts';
import { useTexts } from './useTexts.tsx';

/** Numbers and times in the reader's manner. Digits stay Latin: identifiers, scores and codes are compared by eye. */
export function useFormats(): Formats {
  return formatsOf(useTexts().language);
}
