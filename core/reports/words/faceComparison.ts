/** Words of the report of two compared faces that the report of two signatures does not have. */

export const en = {
  title: 'Face comparison report',
  first: 'First photo',
  second: 'Second photo',
  faces: 'Compared faces',
  unusable: 'No usable face',
  reference: 'Reference',
  rate: 'False match rate',
  rateText: (pairs: string) => `about 1 in ${pairs} pairs of different people is at least this similar`,
  rateLess: (pairs: string) => `at most about 1 in ${pairs} pairs of different people is this similar`,
  rateCommon: 'most pairs of different people are at least this similar',
  unmeasured: 'not measured',
};

export const ar: typeof en = {
  title: 'تقرير مقارنة وجهين',
  first: 'الصورة الأولى',
  second: 'الصورة الثانية',
  faces: 'الوجهان المقارَنان',
  unusable: 'لا يوجد وجه صالح',
  reference: 'المرجع',
  rate: 'معدل التطابق الخاطئ',
  rateText: (pairs) => `نحو زوج واحد من كل ${pairs} زوج من شخصين مختلفين يبلغ هذا التشابه على الأقل`,
  rateLess: (pairs) => `نسبة أزواج الأشخاص المختلفين التي تبلغ هذا التشابه: 1 من ${pairs} تقريبًا على الأكثر`,
  rateCommon: 'معظم أزواج الأشخاص المختلفين تبلغ هذا التشابه على الأقل',
  unmeasured: 'لم يُقَس',
};
