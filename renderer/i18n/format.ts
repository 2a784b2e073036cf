import { CERTAINTY, type CertaintyWords } from '../../core/contracts/certainty.ts';
import { formatsOf, type Formats } from './formats.ts';
import { useTexts } from './useTexts.tsx';

/** Numbers and times in the reader's manner. Digits stay Latin: identifiers, scores and codes are compared by eye. */
export function useFormats(): Formats {
  return formatsOf(useTexts().language);
}

/** The words of how certain a similarity is, in the reader's language. */
export function useCertainty(): CertaintyWords {
  return CERTAINTY[useTexts().language === 'ar' ? 'ar' : 'en'];
}
