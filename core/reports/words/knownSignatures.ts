/** Words of the report of a signature compared with several known ones. */
import { CERTAINTY } from '../../contracts/certainty.ts';
import {
  KNOWN_WARNING_TEXT,
  OVERSTATES_TEXT,
  type KnownAlternative,
  type Support,
} from '../../contracts/knownSignatures.ts';
import { MEASURED_SIGNATURE_WRITERS } from '../../contracts/signatures.ts';

const { media, paper } = MEASURED_SIGNATURE_WRITERS;
/** A likelihood ratio or a number of letters from left to right, in a sentence of either direction. */
const number = (text: string) => `\u2066${text}\u2069`;

/** The supported proposition: the known writer, or the alternative. */
type Favoured = Exclude<Support['favours'], 'neither'>;
const SIDES_EN = {
  known_writer: 'for the first proposition',
  alternative: 'for the alternative',
  neither: 'either way',
};
const SIDES_AR = { known_writer: 'للفرضية الأولى', alternative: 'للبديل', neither: 'لأي من الفرضيتين' };

export const en = {
  title: 'Report on a signature compared with known signatures',
  calibration: 'Calibration',
  propositions: 'Propositions',
  first: 'First: the writer of the known signatures wrote the questioned one naturally.',
  alternatives: {
    imitation: 'Alternative 1: another person imitated the known signatures.',
    stranger: 'Alternative 2: another person signed without a model.',
  } satisfies Record<KnownAlternative, string>,
  separate:
    'Each alternative has a value of its own. The two values are never combined. Neither is the probability of a proposition, which depends on the other circumstances of the case.',
  findings: 'Findings',
  against: { imitation: 'Imitation', stranger: 'Another writer' } satisfies Record<KnownAlternative, string>,
  ratio: 'Likelihood ratio',
  range: 'Supported range',
  rangeText: (lowest: string, highest: string) => `${number(lowest)} to ${number(highest)}`,
  inWords: 'In words (ENFSI guideline, 2015)',
  support: ({ strength, favours }: Support) => `${CERTAINTY.en.strengths[strength]} ${SIDES_EN[favours]}`,
  means: (ratio: string, favours: Favoured, of: KnownAlternative) => {
    const known = 'the writer of the known signatures wrote the questioned one naturally';
    const other =
      of === 'imitation' ? 'another person imitated them' : 'another person signed without a model';
    const [more, less] = favours === 'known_writer' ? [known, other] : [other, known];
    return `The likeness is about ${number(ratio)} times more probable if ${more} than if ${less}.`;
  },
  bounded: 'A value is bounded by the number of writers that were measured: the validation supports no more.',
  overstates: OVERSTATES_TEXT as string,
  boundedRatio: (ratio: string, lowest: string, highest: string) =>
    `${number(ratio)} (supported: ${number(lowest)} to ${number(highest)})`,
  noRatios: (first: string, second: string) =>
    `No value, because the known signatures form two groups that do not resemble each other: ${number(first)} and ${number(second)}. Compare with each group on its own.`,
  notCompared: 'Not compared, because an image contains no usable signature.',
  differs: (which: string, imitation: string, stranger: string) =>
    `Known signature ${which} differs from the others. Without it, the likelihood ratio is ${imitation} against imitation and ${stranger} against another writer.`,
  rank: 'Rank',
  rankText: (closer: number, of: number) =>
    `The questioned signature is farther from the known ones than ${closer} of ${of} are from one another.`,
  noRank: 'No rank from fewer than 3 known signatures.',
  agreement: 'Agreement of the known',
  agreementText: (similarity: number) => `mean similarity ${similarity} out of 100`,
  nearest: 'Nearest',
  farthest: 'Farthest',
  specimen: (which: number) => `Known signature ${which}`,
  overlayNote:
    'Known signature in blue, questioned signature in orange, aligned by the matcher. Visual aid, not evidence.',
  questioned: 'Questioned signature',
  complexity: 'Complexity',
  complexities: { LOW: 'low', MEDIUM: 'medium', HIGH: 'high' },
  mediaFact: 'Media',
  oneMedium: 'one medium',
  severalMedia: 'several media, as stated with the request',
  warnings: 'Warnings',
  warning: KNOWN_WARNING_TEXT,
  received: 'Received signatures',
  toQuestioned: 'Similarity to the questioned one',
  toOthers: 'Similarity to the other known ones',
  own: 'Error rates on the company’s own signatures',
  ownCase: 'Finding',
  ownGenuine: 'known writer, finding for the alternative',
  ownOther: 'another person, finding for the known writer',
  writers: 'Writers',
  ownText:
    'Shares of findings that support the wrong proposition, on known sets drawn from the company’s own signatures, with the 95% interval from resampling the writers in brackets. A finding of no support either way counts as neither right nor wrong. Disguise, age and illness of a writer are in no rate.',
  validation: 'Validation',
  rate: {
    imitation: (known: number) => `against imitation, known signatures: ${known}`,
    stranger: (known: number) => `against another writer, known signatures: ${known}`,
  } satisfies Record<KnownAlternative, (known: number) => string>,
  unmeasured: 'not measured',
  validationText: `Shares of wrong decisions at one threshold for all writers, with the 95% confidence interval over writers in brackets, on real signatures that were never used to build the rule. Writers on paper: ${paper}, Latin script. Writers across media: ${media}, fixed names, at most 3 known signatures each. So few writers leave the intervals wide.`,
  notCoveredTitle: 'Not covered',
  notCovered:
    'Disguise by the writer, age, illness, injury and haste are in no value. Neither are scripts and media that were not measured. Copies can lose traces of the pen that an examiner sees on an original.',
};

export const ar: typeof en = {
  title: 'تقرير مقارنة توقيع بتواقيع المضاهاة',
  calibration: 'المعايرة',
  propositions: 'الفرضيات',
  first: 'الأولى: كتب صاحب تواقيع المضاهاة التوقيع محل الفحص كتابة طبيعية.',
  alternatives: {
    imitation: 'البديل 1: قلّد شخص آخر تواقيع المضاهاة.',
    stranger: 'البديل 2: وقّع شخص آخر دون نموذج.',
  },
  separate:
    'لكل بديل قيمة مستقلة، ولا تُجمع القيمتان أبدًا. ولا تمثل أي منهما احتمال فرضية، فذلك يتوقف على بقية ظروف القضية.',
  findings: 'الاستنتاجات',
  against: { imitation: 'تقليد', stranger: 'كاتب آخر' },
  ratio: 'نسبة الأرجحية',
  range: 'المجال المدعوم',
  rangeText: (lowest, highest) => `من ${number(lowest)} إلى ${number(highest)}`,
  inWords: 'بالكلمات (دليل ENFSI، 2015)',
  support: ({ strength, favours }) => `${CERTAINTY.ar.strengths[strength]} ${SIDES_AR[favours]}`,
  means: (ratio, favours, of) => {
    const known = 'كتب صاحب تواقيع المضاهاة التوقيع محل الفحص كتابة طبيعية';
    const other = of === 'imitation' ? 'قلّد شخص آخر تواقيع المضاهاة' : 'وقّع شخص آخر دون نموذج';
    const [more, less] = favours === 'known_writer' ? [known, other] : [other, known];
    return `احتمال هذا التشابه إذا ${more}، مقارنةً بما لو ${less}: نحو ${number(ratio)} إلى 1.`;
  },
  bounded: 'القيمة محدودة بعدد الكُتّاب الذين شملهم القياس، ولا تدعم بيانات التحقق أكثر من ذلك.',
  overstates: 'نسبة الأرجحية من 1 إلى 3 أعلى مما تؤيده القياسات: القيمة المذكورة 1 تقابل نحو 0.3 في القياسات.',
  boundedRatio: (ratio, lowest, highest) =>
    `${number(ratio)} (المدعوم: من ${number(lowest)} إلى ${number(highest)})`,
  noRatios: (first, second) =>
    `لا قيمة، لأن تواقيع المضاهاة تشكّل مجموعتين لا تتشابهان: ${number(first)} و${number(second)}. قارن بكل مجموعة على حدة.`,
  notCompared: 'لم تُجرَ المقارنة، لأن إحدى الصور لا تحوي توقيعًا صالحًا.',
  differs: (which, imitation, stranger) =>
    `يختلف توقيع المضاهاة ${which} عن البقية. من دونه تبلغ نسبة الأرجحية ${imitation} مقابل التقليد و${stranger} مقابل كاتب آخر.`,
  rank: 'الترتيب',
  rankText: (closer, of) => `التوقيع محل الفحص أبعد عن تواقيع المضاهاة من ${closer} من ${of} منها عن بعضها.`,
  noRank: 'لا ترتيب مع أقل من 3 تواقيع مضاهاة.',
  agreement: 'توافق تواقيع المضاهاة',
  agreementText: (similarity) => `متوسط التشابه ${similarity} من 100`,
  nearest: 'الأقرب',
  farthest: 'الأبعد',
  specimen: (which) => `توقيع المضاهاة ${which}`,
  overlayNote:
    'توقيع المضاهاة بالأزرق، والتوقيع محل الفحص بالبرتقالي، بعد محاذاتهما آليًا. أداة بصرية مساعدة، وليست دليلًا.',
  questioned: 'التوقيع محل الفحص',
  complexity: 'التعقيد',
  complexities: { LOW: 'منخفض', MEDIUM: 'متوسط', HIGH: 'عالٍ' },
  mediaFact: 'الوسائل',
  oneMedium: 'وسيلة واحدة',
  severalMedia: 'عدة وسائل، بحسب ما ورد مع الطلب',
  warnings: 'تنبيهات',
  warning: {
    FEW_KNOWN: 'تواقيع المضاهاة أقل من 5. تتفاوت النتيجة أكثر مما لو كانت 5 أو أكثر.',
    KNOWN_DISAGREE: 'تختلف تواقيع المضاهاة فيما بينها أكثر من تواقيع معظم الكُتّاب.',
    ONE_KNOWN_DIFFERS: 'يختلف أحد تواقيع المضاهاة عن البقية.',
    TWO_GROUPS: 'تشكّل تواقيع المضاهاة مجموعتين.',
    CROSS_MEDIUM: 'لم تُكتب كل التواقيع بوسيلة واحدة. تنطبق معدلات الخطأ بين الوسائل المختلفة.',
    LOW_COMPLEXITY: 'التوقيع محل الفحص بسيط إلى حد يسهل معه تقليده.',
    QUESTIONED_IS_COPY:
      'يشبه التوقيع محل الفحص أحد تواقيع المضاهاة أكثر مما يتشابه توقيعان طبيعيان. قد يكون نسخة أو منقولًا بالشف.',
    KNOWN_ARE_COPIES:
      'يتشابه اثنان من تواقيع المضاهاة أكثر مما تتشابه التواقيع الطبيعية. تُحسب النسخ توقيعًا واحدًا.',
    OUTSIDE_VALIDATION: 'لا تشبه التواقيع تلك التي قيست عليها معدلات الخطأ.',
    FOREIGN_INK: 'أُزيل حبر آخر من صورة واحدة على الأقل. قد يكون انخفاض التشابه بسببه.',
  },
  received: 'التواقيع المستلمة',
  toQuestioned: 'التشابه مع محل الفحص',
  toOthers: 'التشابه مع بقية تواقيع المضاهاة',
  own: 'معدلات الخطأ على تواقيع الشركة',
  ownCase: 'الاستنتاج',
  ownGenuine: 'كاتب تواقيع المضاهاة، والاستنتاج للبديل',
  ownOther: 'شخص آخر، والاستنتاج لكاتب تواقيع المضاهاة',
  writers: 'الكُتّاب',
  ownText:
    'نسب الاستنتاجات التي تؤيد الفرضية الخاطئة، على مجموعات مضاهاة مسحوبة من تواقيع الشركة، وبين قوسين مجال 95% من إعادة سحب الكُتّاب. الاستنتاج الذي لا يؤيد أيًا من الفرضيتين لا يُعد صوابًا ولا خطأ. لا يدخل التمويه ولا العمر ولا المرض في أي معدل.',
  validation: 'بيانات التحقق',
  rate: {
    imitation: (known) => `مقابل التقليد، تواقيع المضاهاة: ${known}`,
    stranger: (known) => `مقابل كاتب آخر، تواقيع المضاهاة: ${known}`,
  },
  unmeasured: 'غير مقيس',
  validationText: `نسب القرارات الخاطئة عند عتبة واحدة لكل الكُتّاب، وبين قوسين مجال ثقة 95% على الكُتّاب، مقيسة على تواقيع حقيقية لم تُستخدم في بناء القاعدة. الكُتّاب على الورق: ${paper}، بالحرف اللاتيني. الكُتّاب بين وسائل مختلفة: ${media}، بأسماء محددة وبثلاثة تواقيع مضاهاة على الأكثر لكل منهم. قلة الكُتّاب تجعل المجالات واسعة.`,
  notCoveredTitle: 'غير مشمول',
  notCovered:
    'لا يدخل تمويه الكاتب ولا العمر ولا المرض ولا الإصابة ولا العجلة في أي قيمة، ولا الخطوط والوسائل التي لم تُقس. وقد تفقد النسخ آثارًا للقلم يراها الخبير على الأصل.',
};
