/**
 * How certain the similarity of two faces is, in words. The dashboard, the reports and the terminal take every such word from
 * here, so one pair reads the same everywhere. Two scales exist and do not mix: the bands and odds of a search among many faces
 * are about the threshold of an alarm; the likelihood ratio of two photos is about one person or two.
 */
import { z } from 'zod';
import type { ScoreInterpretation } from './dashboard/faceImages.ts';
import type { Verdict } from './signatures.ts';

/** Strength of support, in rising order: the verbal scale of the ENFSI guideline for evaluative reporting (2015). */
export const SUPPORT_STRENGTHS = [
  'NONE',
  'WEAK',
  'MODERATE',
  'MODERATELY_STRONG',
  'STRONG',
  'VERY_STRONG',
  'EXTREMELY_STRONG',
] as const;
export type SupportStrength = (typeof SUPPORT_STRENGTHS)[number];
export const supportStrength = z
  .enum(SUPPORT_STRENGTHS)
  .describe('verbal scale of the ENFSI guideline, 2015');

/** The least log10 of a likelihood ratio of each strength: 1, 2, 10, 100, 1,000, 10,000 and 1,000,000. */
const LEAST_LOG10 = [0, Math.log10(2), 1, 2, 3, 4, 6];

/** The verbal equivalent of a likelihood ratio, in either direction. */
export function strengthOf(log10Lr: number): SupportStrength {
  const size = Math.abs(log10Lr);
  return SUPPORT_STRENGTHS[LEAST_LOG10.findLastIndex((least) => size >= least)] ?? 'NONE';
}

/**
 * A likelihood ratio as a reader sees it: at least 1 and to two digits, so that no more precision is shown than measured.
 * @param log10Lr log10 of the ratio; a negative one is the ratio of the alternative
 */
export function shownRatio(log10Lr: number): number {
  return twoDigits(10 ** Math.abs(log10Lr));
}

/** A likelihood ratio as a number, `42`, and `1/42` below 1. @param count writes a number */
export function ratioText(log10Lr: number, count: (value: number) => string = String): string {
  return `${log10Lr < 0 ? '1/' : ''}${count(shownRatio(log10Lr))}`;
}

const share = z.object({
  share: z.number().describe('0 to 1'),
  from: z.number().describe('with `to`: the 95 % confidence interval'),
  to: z.number(),
});

/** The likelihood ratio of two photos: the public interface and the dashboard have it in this form. */
export const faceLikelihood = z.object({
  log10: z.number().describe('log10 of the likelihood ratio; above 0: one person is the better explanation'),
  from: z.number().describe('with `to`: the 95 % confidence interval of `log10`'),
  to: z.number(),
  lowest: z.number().describe('log10 of the lowest ratio that the number of measured pairs supports'),
  highest: z.number().describe('log10 of the highest one; a ratio at a bound may lie beyond it'),
  favours: z.enum(['one_person', 'two_people', 'neither']),
  strength: supportStrength,
  people: z.number().int().describe('with several photos, on whom the pipeline was measured'),
  one_person: share.describe('measured pairs of one person that support two people'),
  two_people: share.describe('measured pairs of two people that support one person'),
});
export type FaceLikelihood = z.infer<typeof faceLikelihood>;

/** How certain a comparison of two photos is. */
export const faceCertainty = z.object({
  /** Share of pairs of different people that are at least as similar. */
  falseMatchRate: z.number(),
  /** Null: pairs of one person were not measured with this pipeline. */
  likelihood: faceLikelihood.nullable(),
});
export type FaceCertainty = z.infer<typeof faceCertainty>;

/**
 * The false match rate of a single comparison at which a search among `size` other people raises a false alarm with the chance
 * `fpir`, above 0 and below 1, comparisons taken as independent. @param size fewer than 1 count as 1
 */
export function comparisonRate(fpir: number, size: number): number {
  return -Math.expm1(Math.log1p(-fpir) / Math.max(1, size));
}

/** A number or a ratio from left to right, in a sentence of either direction. */
const ltr = (text: string) => `\u2066${text}\u2069`;

const en = {
  bands: { strong: 'strong', possible: 'possible', none: 'below the threshold' },
  similarity: (score: string, band: string) => `Similarity ${score} out of 100: ${band}`,
  thresholds: (possible: string, strong: string) => `possible from ${possible}, strong from ${strong}`,
  oneIn: (people: string, faces: string) =>
    `About 1 in ${people} other people would score this high (faces compared: ${faces}).`,
  lessThan: (people: string, faces: string) =>
    `Above every score that was measured: fewer than 1 in ${people} other people would score this high, and it may be far fewer (faces compared: ${faces}).`,
  likely: (faces: string) => `Another person is likely to score this high (faces compared: ${faces}).`,
  unmeasured: 'The false match rate of this score has not been measured.',
  strengths: {
    NONE: 'no support',
    WEAK: 'weak support',
    MODERATE: 'moderate support',
    MODERATELY_STRONG: 'moderately strong support',
    STRONG: 'strong support',
    VERY_STRONG: 'very strong support',
    EXTREMELY_STRONG: 'extremely strong support',
  } satisfies Record<SupportStrength, string>,
  favours: {
    one_person: (strength: string) => `${strength} for one person`,
    two_people: (strength: string) => `${strength} for two people`,
    neither: (strength: string) => `${strength} either way`,
  },
  probable: {
    one_person: (ratio: string, atBound: boolean) =>
      `This similarity is ${atBound ? 'at least' : 'about'} ${ratio} times more probable if the photos show one person than if they show two people.`,
    two_people: (ratio: string, atBound: boolean) =>
      `This similarity is ${atBound ? 'at least' : 'about'} ${ratio} times more probable if the photos show two people than if they show one person.`,
    neither: () =>
      'This similarity is about as probable if the photos show one person as if they show two people.',
  },
  range: (lowest: string, highest: string) =>
    `The number of measured pairs supports likelihood ratios from ${ltr(lowest)} to ${ltr(highest)}.`,
  noRatio: 'No likelihood ratio: pairs of one person were not measured with this pipeline.',
  rate: (pairs: string) => `About 1 in ${pairs} pairs of different people is at least this similar.`,
  rateAtMost: (pairs: string) => `At most about 1 in ${pairs} pairs of different people is this similar.`,
  rateCommon: 'Most pairs of different people are at least this similar.',
  errors: (people: string, onePerson: string, twoPeople: string) =>
    `Wrong support in the measurement: ${twoPeople} of the pairs of two people, ${onePerson} of the pairs of one person (people: ${people}; 95% confidence interval in brackets). Relatives, disguise and many years between the photos are in no rate.`,
  notCompared: 'Not compared. A photo shows no usable face.',
  perComparison: (comparisons: string) => `1 false match in ${comparisons} comparisons of different people`,
  perSearch: (searches: string, persons: string) =>
    `1 false alarm in ${searches} searches of unknown people (persons: ${persons})`,
  perSearchKept: (searches: string, chosen: string, persons: string) =>
    `1 false alarm in ${searches} searches of unknown people (persons: ${persons}). The calibration does not support the chosen rate, 1 in ${chosen}.`,
  decides: 'This is not the probability that the photos show one person. A person decides.',
  expected: {
    weekly: {
      searches: (alarms: string, uses: string, weeks: string) =>
        `About ${alarms} false alarms a week if all searches are for unknown people (searches in the last ${weeks} weeks: ${uses}).`,
      verifications: (alarms: string, uses: string, weeks: string) =>
        `About ${alarms} false alarms a week if all verifications are of unknown people (verifications in the last ${weeks} weeks: ${uses}).`,
    },
    rarely: {
      searches: (each: string, uses: string, weeks: string) =>
        `About 1 false alarm in ${each} weeks if all searches are for unknown people (searches in the last ${weeks} weeks: ${uses}).`,
      verifications: (each: string, uses: string, weeks: string) =>
        `About 1 false alarm in ${each} weeks if all verifications are of unknown people (verifications in the last ${weeks} weeks: ${uses}).`,
    },
    tooFew: {
      searches: (uses: string) =>
        `Too few searches or too few days to state false alarms a week (counted: ${uses}).`,
      verifications: (uses: string) =>
        `Too few verifications or too few days to state false alarms a week (counted: ${uses}).`,
    },
    finds: (people: string) => `Of 100 enrolled people it finds ${people}.`,
    found: (photos: number, people: string, low: string, high: string) =>
      `${people} (${ltr(`${low}–${high}`)}) with ${photos === 1 ? 'one photo' : `${photos} photos`}`,
    and: ', ',
    measuredOn: (people: string) =>
      `Measured on public photos of ${people} people, with 95% confidence intervals; not on your photos and not with your cameras.`,
    notMeasured: 'The share of enrolled people that is found was not measured at this threshold.',
  },
};
export type CertaintyWords = typeof en;

const ar: CertaintyWords = {
  bands: { strong: 'قوي', possible: 'محتمل', none: 'دون العتبة' },
  similarity: (score, band) => `التشابه ${score} من 100: ${band}`,
  thresholds: (possible, strong) => `محتمل من ${possible}، قوي من ${strong}`,
  oneIn: (people, faces) =>
    `يبلغ هذه الدرجة نحو 1 من كل ${people} من الأشخاص الآخرين (عدد الوجوه المقارَنة: ${faces}).`,
  lessThan: (people, faces) =>
    `أعلى من كل درجة قيست: يبلغها أقل من 1 من كل ${people} من الأشخاص الآخرين، وربما أقل من ذلك بكثير (عدد الوجوه المقارَنة: ${faces}).`,
  likely: (faces) => `يُرجَّح أن يبلغ شخص آخر هذه الدرجة (عدد الوجوه المقارَنة: ${faces}).`,
  unmeasured: 'لم يُقَس معدل التطابق الخاطئ لهذه الدرجة.',
  strengths: {
    NONE: 'لا تأييد',
    WEAK: 'تأييد ضعيف',
    MODERATE: 'تأييد متوسط',
    MODERATELY_STRONG: 'تأييد متوسط إلى قوي',
    STRONG: 'تأييد قوي',
    VERY_STRONG: 'تأييد قوي جدًا',
    EXTREMELY_STRONG: 'تأييد بالغ القوة',
  },
  favours: {
    one_person: (strength) => `${strength} لفرضية الشخص الواحد`,
    two_people: (strength) => `${strength} لفرضية الشخصين`,
    neither: (strength) => `${strength} لأي من الفرضيتين`,
  },
  probable: {
    one_person: (ratio, atBound) =>
      `احتمال هذا التشابه إذا كانت الصورتان لشخص واحد، مقارنةً بكونهما لشخصين: ${atBound ? 'لا يقل عن' : 'نحو'} ${ratio} إلى 1.`,
    two_people: (ratio, atBound) =>
      `احتمال هذا التشابه إذا كانت الصورتان لشخصين، مقارنةً بكونهما لشخص واحد: ${atBound ? 'لا يقل عن' : 'نحو'} ${ratio} إلى 1.`,
    neither: () => 'احتمال هذا التشابه متقارب، سواء أكانت الصورتان لشخص واحد أم لشخصين.',
  },
  range: (lowest, highest) => `يدعم عدد الأزواج المقيسة نسب أرجحية من ${ltr(lowest)} إلى ${ltr(highest)}.`,
  noRatio: 'لا نسبة أرجحية: لم تُقَس أزواج صور الشخص نفسه بخط المعالجة هذا.',
  rate: (pairs) => `نسبة أزواج الأشخاص المختلفين التي تبلغ هذا التشابه على الأقل: نحو 1 من ${pairs}.`,
  rateAtMost: (pairs) => `نسبة أزواج الأشخاص المختلفين التي تبلغ هذا التشابه: 1 من ${pairs} تقريبًا على الأكثر.`,
  rateCommon: 'معظم أزواج الأشخاص المختلفين تبلغ هذا التشابه على الأقل.',
  errors: (people, onePerson, twoPeople) =>
    `التأييد الخاطئ في القياس: ${twoPeople} من أزواج الشخصين، و${onePerson} من أزواج الشخص الواحد (عدد الأشخاص: ${people}، وبين قوسين مجال ثقة ${ltr('95%')}). لا يدخل التشابه بين الأقارب ولا التنكّر ولا مرور سنوات كثيرة بين الصورتين في أي معدل.`,
  notCompared: 'لم تجرِ المقارنة. إحدى الصورتين لا تُظهر وجهًا صالحًا.',
  perComparison: (comparisons) => `تطابق خاطئ واحد من كل ${comparisons} من مقارنات أشخاص مختلفين`,
  perSearch: (searches, persons) =>
    `إنذار كاذب واحد من كل ${searches} من عمليات البحث عن أشخاص غير معروفين (الأشخاص: ${persons})`,
  perSearchKept: (searches, chosen, persons) =>
    `إنذار كاذب واحد من كل ${searches} من عمليات البحث عن أشخاص غير معروفين (الأشخاص: ${persons}). لا تدعم المعايرة المعدل المختار، وهو 1 من ${chosen}.`,
  decides: 'ليس هذا احتمال أن تكون الصورتان لشخص واحد. القرار لشخص.',
  expected: {
    weekly: {
      searches: (alarms, uses, weeks) =>
        `نحو ${alarms} من الإنذارات الكاذبة في الأسبوع إن كان كل من بُحث عنهم غير معروفين (عمليات البحث في آخر ${weeks} من الأسابيع: ${uses}).`,
      verifications: (alarms, uses, weeks) =>
        `نحو ${alarms} من الإنذارات الكاذبة في الأسبوع إن كان كل من جرى التحقق منهم غير معروفين (عمليات التحقق في آخر ${weeks} من الأسابيع: ${uses}).`,
    },
    rarely: {
      searches: (each, uses, weeks) =>
        `نحو إنذار كاذب واحد كل ${each} من الأسابيع إن كان كل من بُحث عنهم غير معروفين (عمليات البحث في آخر ${weeks} من الأسابيع: ${uses}).`,
      verifications: (each, uses, weeks) =>
        `نحو إنذار كاذب واحد كل ${each} من الأسابيع إن كان كل من جرى التحقق منهم غير معروفين (عمليات التحقق في آخر ${weeks} من الأسابيع: ${uses}).`,
    },
    tooFew: {
      searches: (uses) =>
        `عمليات البحث أو الأيام أقل من أن يُذكر عدد الإنذارات الكاذبة في الأسبوع (العدد: ${uses}).`,
      verifications: (uses) =>
        `عمليات التحقق أو الأيام أقل من أن يُذكر عدد الإنذارات الكاذبة في الأسبوع (العدد: ${uses}).`,
    },
    finds: (people) => `من كل 100 شخص مسجَّل يُعثر على ${people}.`,
    found: (photos, people, low, high) =>
      `${people} (${ltr(`${low}–${high}`)}) ${photos === 1 ? 'بصورة واحدة' : `بعدد ${photos} من الصور`}`,
    and: '، ',
    measuredOn: (people) =>
      `قيس ذلك على صور عامة لعدد ${people} من الأشخاص مع مجال ثقة ${ltr('95%')}، لا على صورك ولا بكاميراتك.`,
    notMeasured: 'لم تُقَس عند هذه العتبة نسبة المسجَّلين الذين يُعثر عليهم.',
  },
};

/** The words by language. */
export const CERTAINTY: Readonly<Record<'en' | 'ar', CertaintyWords>> = { en, ar };

/** The rarest rate that a pipeline is calibrated for: a similarity beyond it has at most this rate. A share of rounding is added. */
const RAREST = 1.0001e-6;

/** Two digits: more would claim a precision that no calibration has. */
const twoDigits = (value: number) => Number(value.toPrecision(2));

/** The meaning of a score of a search: how many other people would reach it among how many faces. @param count writes a number */
export function scoreMeaning(
  words: CertaintyWords,
  {
    oneIn,
    beyondMeasured,
    gallerySize,
  }: Pick<ScoreInterpretation, 'oneIn' | 'beyondMeasured' | 'gallerySize'>,
  count: (value: number) => string,
): string {
  if (oneIn === null) return words.unmeasured;
  const faces = count(gallerySize);
  if (oneIn < 2) return words.likely(faces);
  // People are whole.
  const people = count(Math.round(twoDigits(oneIn)));
  return beyondMeasured ? words.lessThan(people, faces) : words.oneIn(people, faces);
}

/** The rate that a screening kept in one list: of a comparison, or of a search where its threshold followed the persons of the list. */
export const keptThreshold = z.object({
  /** Null: the enrolled faces. */
  list: z.string().nullable(),
  targetFmr: z.number(),
  perSearch: z.object({ persons: z.number().int(), targetFpir: z.number(), keptFpir: z.number() }).nullable(),
});
export type KeptThreshold = z.infer<typeof keptThreshold>;

/** The rate at the screening, in words. @param count writes a number */
export function thresholdMeaning(
  words: CertaintyWords,
  { targetFmr, perSearch }: Pick<KeptThreshold, 'targetFmr' | 'perSearch'>,
  count: (value: number) => string,
): string {
  const oneIn = (rate: number) => count(rate > 0.1 ? twoDigits(1 / rate) : Math.round(twoDigits(1 / rate)));
  if (perSearch === null) return words.perComparison(oneIn(targetFmr));
  const { persons, targetFpir, keptFpir } = perSearch;
  return keptFpir > targetFpir
    ? words.perSearchKept(oneIn(keptFpir), oneIn(targetFpir), count(persons))
    : words.perSearch(oneIn(keptFpir), count(persons));
}

/** The band of a comparison of two photos: its verdict says which threshold the similarity reaches, and not whose faces they are. */
export const BAND_OF_VERDICT: Readonly<
  Record<Exclude<Verdict, 'INCONCLUSIVE'>, ScoreInterpretation['band']>
> = {
  MATCH: 'strong',
  POSSIBLE_MATCH: 'possible',
  NO_MATCH: 'none',
};

/**
 * The support of a comparison of two photos for one person or two.
 * @param count writes a number
 * @returns the support in words, and the sentences that state the ratio, its bounds and the error rates
 */
export function pairSentences(
  words: CertaintyWords,
  { falseMatchRate, likelihood }: FaceCertainty,
  count: (value: number) => string,
): { support: string | null; sentences: string[] } {
  const pairs = count(Math.round(twoDigits(1 / falseMatchRate)));
  const rate =
    falseMatchRate >= 0.5
      ? words.rateCommon
      : falseMatchRate <= RAREST
        ? words.rateAtMost(pairs)
        : words.rate(pairs);
  if (likelihood === null) return { support: null, sentences: [rate, words.noRatio, words.decides] };
  const { log10, lowest, highest, favours, strength, people } = likelihood;
  const isBound = log10 <= lowest || log10 >= highest;
  const written = (log: number) => ratioText(log, count);
  return {
    support: words.favours[favours](words.strengths[strength]),
    sentences: [
      words.probable[favours](isBound ? count(shownRatio(log10)) : ratioWithin(likelihood, count), isBound),
      words.range(written(lowest), written(highest)),
      rate,
      words.errors(count(people), percentText(likelihood.one_person), percentText(likelihood.two_people)),
      words.decides,
    ],
  };
}

/** A likelihood ratio of the better explanation with its 95 % interval, from left to right: `39 (28–53)`. */
function ratioWithin({ log10, from, to }: FaceLikelihood, count: (value: number) => string): string {
  const bounds = (log10 < 0 ? [-to, -from] : [from, to]).map((log) => count(twoDigits(10 ** log)));
  return ltr(`${count(shownRatio(log10))} (${bounds.join('–')})`);
}

/** A measured share with its interval, from left to right and in one line: `1.4% (0.6–2.5)`. */
function percentText({ share: value, from, to }: FaceLikelihood['one_person']): string {
  const percent = (part: number) => String(Number((100 * part).toPrecision(2)));
  return ltr(`${percent(value)}%\u00a0(${percent(from)}–${percent(to)})`);
}
