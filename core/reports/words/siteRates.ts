/** Words of the report of the error rates of searches. */
export const en = {
  title: 'Error rates of searches among enrolled faces',
  lead: 'Enrolled photos searched the gallery that they are in, each of another person. Rates as ISO/IEC 19795-1 defines them.',
  enrolled: 'Enrolled faces',
  searches: 'Searches of random persons',
  mated: 'Searches of persons with further photos',
  falseAlarms: 'False positive identification rate (FPIR)',
  misses: 'False negative identification rate (FNIR)',
  fmr: 'False match rate',
  flows: 'Trust Flows',
  fpir: 'FPIR',
  decided: 'Decided as different persons',
  all: 'All persons',
  photos: ['1 enrolled photo', '2 enrolled photos', '3 or more'],
  oneIn: (comparisons: string) => `1 in ${comparisons}`,
  interval: (rate: string, low: string, high: string) => `${rate}% (${low}% to ${high}%)`,
  errorsOf: (errors: string, of: string) => `${errors} of ${of}`,
  tooFew: (of: string) => `too few searches (${of})`,
  byLikeness: (persons: string) =>
    `FNIR is too low here: operators put the photos of ${persons} of these persons together because they look alike.`,
  terms:
    'In brackets: 95% confidence interval (Wilson). FPIR is the share of searches that found another person. These may be persons who are enrolled twice, unless a decision says that they are different. FNIR is the share of searches that missed the other photos of the person.',
  notCovered:
    'Not covered: people who are not enrolled, photos without a usable face, other cameras, blacklists, and groups of people.',
};

export const ar: typeof en = {
  title: 'معدلات أخطاء البحث في الوجوه المسجَّلة',
  lead: 'بحثت صور مسجَّلة في الوجوه المسجَّلة التي هي منها، صورة لكل شخص. المعدلات كما يعرّفها ISO/IEC 19795-1.',
  enrolled: 'الوجوه المسجَّلة',
  searches: 'عمليات البحث عن أشخاص عشوائيين',
  mated: 'عمليات البحث عن أشخاص لهم صور أخرى',
  falseAlarms: 'معدل التعرّف الإيجابي الخاطئ (FPIR)',
  misses: 'معدل التعرّف السلبي الخاطئ (FNIR)',
  fmr: 'معدل التطابق الخاطئ',
  flows: 'مسارات الثقة',
  fpir: 'FPIR',
  decided: 'قُرِّر أنهم أشخاص مختلفون',
  all: 'كل الأشخاص',
  photos: ['صورة مسجَّلة واحدة', 'صورتان مسجَّلتان', 'ثلاث صور أو أكثر'],
  oneIn: (comparisons) => `1 من كل ${comparisons}`,
  interval: (rate, low, high) => `${rate}% (${low}%–${high}%)`,
  errorsOf: (errors, of) => `${errors} من ${of}`,
  tooFew: (of) => `عمليات البحث قليلة جدًا (${of})`,
  byLikeness: (persons) => `معدل FNIR هنا أقل من الواقع: جمع المشغّلون صورًا لتشابهها (الأشخاص: ${persons}).`,
  terms:
    'بين قوسين: مجال ثقة 95% (ويلسون). FPIR: نسبة عمليات البحث التي عثرت على شخص آخر؛ وقد يكون الشخص نفسه مسجَّلًا مرتين ما لم يقرر مشغّل أنهما مختلفان. FNIR: نسبة عمليات البحث التي لم تعثر على الصور الأخرى للشخص.',
  notCovered:
    'لا يشمل ذلك غير المسجَّلين، ولا الصور بلا وجه صالح، ولا الكاميرات الأخرى، ولا القوائم السوداء، ولا مجموعات الأشخاص.',
};
