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
  groups: 'Error rates by groups of people, measured on labelled photos of the company',
  group: 'Group',
  people: 'People',
  worst: (kind: string, group: string) => `Highest ${kind}: ${group}.`,
  worstClear: 'Its interval is above the rates of all other groups.',
  worstChance: 'Its interval includes the rate of another group, so the difference can be chance.',
  groupsTooSmall: (people: string, pairs: string, groups: string) =>
    `Too small for rates (${people} people and ${pairs} mated pairs are needed): ${groups}.`,
  ungrouped: (people: string) => `People without a group: ${people}.`,
  groupTerms:
    'These are rates of comparisons of two photos (ISO/IEC 19795-10), not of searches. FMR: pairs of two people of the same group. FNMR: pairs of photos of one person. In brackets: an interval of at least 95% that resamples the people and counts people, not photos.',
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
  groups: 'معدلات الأخطاء حسب مجموعات الأشخاص، مقيسة على صور الشركة المصنَّفة',
  group: 'المجموعة',
  people: 'الأشخاص',
  worst: (kind, group) => `أعلى ${kind}: ${group}.`,
  worstClear: 'مجال ثقتها أعلى من معدلات كل المجموعات الأخرى.',
  worstChance: 'يشمل مجال ثقتها معدل مجموعة أخرى، فقد يكون الفرق مصادفة.',
  groupsTooSmall: (people, pairs, groups) =>
    `مجموعات أصغر من أن تُذكر لها معدلات (اللازم: ${people} أشخاص و${pairs} زوجًا للشخص نفسه): ${groups}.`,
  ungrouped: (people) => `أشخاص بلا مجموعة: ${people}.`,
  groupTerms:
    'هذه معدلات مقارنة صورتين (ISO/IEC 19795-10)، لا معدلات بحث. FMR: أزواج لشخصين من المجموعة نفسها. FNMR: أزواج صور للشخص نفسه. بين قوسين: مجال ثقة لا يقل عن 95% بإعادة معاينة الأشخاص، يَعُدّ الأشخاص لا الصور.',
};
