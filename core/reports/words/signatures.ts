/** Words of the report of two compared signatures. */
import {
  MEASURED_SIGNATURE_WRITERS,
  SIGNATURE_REASON_TEXT,
  SIGNATURE_REASON_TEXT_ARABIC,
  type MeasuredShare,
} from '../../contracts/signatures.ts';

const { media, paper } = MEASURED_SIGNATURE_WRITERS;
const percents = (share: number) => Number((share * 100).toFixed(1));
/** One word, from left to right in either language. */
const percent = (text: string) => `\u2066${text}%\u2069`;
const measured = ({ share, from, to }: MeasuredShare) =>
  percent(`${percents(share)} (${percents(from)} – ${percents(to)})`);

export const en = {
  title: 'Signature comparison report',
  record: 'Comparison',
  compared: 'Time of comparison',
  by: 'Compared by',
  template: 'Group',
  verification: 'Reference',
  verdict: 'Verdict',
  similarity: 'Similarity',
  bands: 'Thresholds',
  bandsText: (possible: number, match: number) => `Possible Match from ${possible}, Match from ${match}`,
  nothing: 'not compared',
  matcher: 'Matcher version',
  verdicts: {
    MATCH: 'Match',
    POSSIBLE_MATCH: 'Possible Match',
    NO_MATCH: 'No Match',
    INCONCLUSIVE: 'Inconclusive',
  },
  images: 'Compared images',
  first: 'First signature',
  second: 'Second signature',
  unusable: 'No usable signature',
  reasons: SIGNATURE_REASON_TEXT,
  ink: 'Extracted ink',
  inkNote: 'Cleaned ink in grey, compared strokes in black; drawn from the files with these hashes.',
  noInk: 'The images are not stored. They were not supplied for this report, so they are not shown.',
  rates: 'Error rates',
  ratesText: `Shares of pairs of real signatures that were never used to build the matcher, at the default thresholds, with the 95% confidence interval in brackets. Writers on paper: ${paper}; across media: ${media}; all in Latin script. Disguise, age and illness of a writer are in no rate. Whether a signature is genuine is an examiner’s opinion.`,
  rateOwn: 'signatures of the company',
  ownRatesText: (writers: number) =>
    `Shares of pairs of the company’s own signatures on the company’s own scale, with the 95% confidence interval in brackets, measured on writers that the scale was not fitted on. Writers: ${writers}. Disguise, age and illness of a writer are in no rate. Whether a signature is genuine is an examiner’s opinion.`,
  rateCase: 'Pairs',
  ratePaper: 'on paper',
  rateMedia: 'across media',
  rate: {
    differentWriters: (score: number) => `different writers, score ${score} or higher`,
    skilledForgeries: (score: number) => `skilled imitations, score ${score} or higher`,
    genuine: (score: number) => `same writer, score below ${score}`,
  },
  measured: (of: MeasuredShare) =>
    of.share === 0 ? `none seen, below ${percent(String(percents(of.to)))}` : measured(of),
};

export const ar: typeof en = {
  title: 'تقرير مقارنة توقيعين',
  record: 'رقم المقارنة',
  compared: 'وقت المقارنة',
  by: 'بواسطة',
  template: 'المجموعة',
  verification: 'المرجع',
  verdict: 'النتيجة',
  similarity: 'التشابه',
  bands: 'العتبات',
  bandsText: (possible, match) => `تطابق محتمل من ${possible}، تطابق من ${match}`,
  nothing: 'لم تُجرَ المقارنة',
  matcher: 'إصدار المقارِن',
  verdicts: {
    MATCH: 'تطابق',
    POSSIBLE_MATCH: 'تطابق محتمل',
    NO_MATCH: 'لا تطابق',
    INCONCLUSIVE: 'غير حاسم',
  },
  images: 'الصورتان المقارَنتان',
  first: 'التوقيع الأول',
  second: 'التوقيع الثاني',
  unusable: 'لا يوجد توقيع صالح',
  reasons: SIGNATURE_REASON_TEXT_ARABIC,
  ink: 'الحبر المستخلص',
  inkNote: 'الحبر المنقّى بالرمادي والخطوط المقارَنة بالأسود، من الملفين بقيمتي التجزئة هاتين.',
  noInk: 'لا تُحفظ الصور، ولم تُقدَّم لهذا التقرير، لذا لا تظهر.',
  rates: 'معدلات الخطأ',
  ratesText: `نسب من أزواج تواقيع حقيقية لم تُستخدم في بناء المقارِن، عند العتبات الافتراضية، وبين قوسين مجال ثقة 95%. عدد الكُتّاب: ${paper} (ورق)، ${media} (وسائل مختلفة)، وكلهم بالحرف اللاتيني. لا يدخل التمويه ولا العمر ولا المرض في أي معدل. أما أصالة التوقيع فرأي خبير.`,
  rateOwn: 'تواقيع الشركة',
  ownRatesText: (writers) =>
    `نسب من أزواج تواقيع الشركة على مقياسها، وبين قوسين مجال ثقة 95%، مقيسة على كُتّاب لم يُضبط المقياس عليهم. عدد الكُتّاب: ${writers}. لا يدخل التمويه ولا العمر ولا المرض في أي معدل. أما أصالة التوقيع فرأي خبير.`,
  rateCase: 'الأزواج',
  ratePaper: 'على الورق',
  rateMedia: 'بين وسائل مختلفة',
  rate: {
    differentWriters: (score) => `كُتّاب مختلفون بدرجة ${score} فأعلى`,
    skilledForgeries: (score) => `تقليد متقن بدرجة ${score} فأعلى`,
    genuine: (score) => `توقيعان للشخص نفسه بدرجة أقل من ${score}`,
  },
  measured: (of) => (of.share === 0 ? `لم يُر، دون ${percent(String(percents(of.to)))}` : measured(of)),
};
