/** Words of the reports about a similarity, beside those that every surface shares. */
import { CERTAINTY } from '../../contracts/certainty.ts';

export const en = {
  ...CERTAINTY.en,
  scoreHead: 'Score and band',
  means: 'Meaning of the score',
  possibleFrom: 'Possible match from',
  strongFrom: 'Strong match from',
  threshold: (score: string, comparisons: string) =>
    `score ${score}; about 1 in ${comparisons} comparisons of different people scores this high`,
  noPicture: 'No readable image is stored.',
};

export const ar: typeof en = {
  ...CERTAINTY.ar,
  scoreHead: 'الدرجة والفئة',
  means: 'معنى الدرجة',
  possibleFrom: 'تطابق محتمل من',
  strongFrom: 'تطابق قوي من',
  threshold: (score, comparisons) =>
    `الدرجة ${score}؛ المقارنات بين أشخاص مختلفين التي تبلغها: نحو 1 من ${comparisons}`,
  noPicture: 'لا صورة محفوظة قابلة للقراءة.',
};
