/** Words of the report of two compared faces that no other report has. */

export const en = {
  title: 'Face comparison report',
  first: 'First photo',
  second: 'Second photo',
  faces: 'Compared faces',
  unusable: 'No usable face',
  reference: 'Reference',
  support: 'In words (ENFSI guideline, 2015)',
};

export const ar: typeof en = {
  title: 'تقرير مقارنة وجهين',
  first: 'الصورة الأولى',
  second: 'الصورة الثانية',
  faces: 'الوجهان المقارَنان',
  unusable: 'لا يوجد وجه صالح',
  reference: 'المرجع',
  support: 'بالكلمات (دليل ENFSI، 2015)',
};
