/** Words of the report of a search. */

export const en = {
  title: 'Face search report',
  probe: 'Probe photo',
  face: 'Face in the photo',
  faceOf: (face: number, faces: number) => `${face} of ${faces}`,
  kept: 'The photo was not stored, and nothing was enrolled. The hash is of the file that was searched.',
  settings: 'Searched watchlists',
  list: 'Watchlist',
  faces: 'Enrolled faces',
  all: 'Total',
  side: 'Side by side',
  candidates: 'Candidates, most similar first',
  none: 'No match. No enrolled person reached the threshold. This is a result, not an error.',
  name: 'Name',
  id: 'Number',
};

export const ar: typeof en = {
  title: 'تقرير بحث بالوجه',
  probe: 'صورة البحث',
  face: 'الوجه في الصورة',
  faceOf: (face, faces) => `${face} من ${faces}`,
  kept: 'لم تُحفظ الصورة ولم يُسجَّل شيء. قيمة التجزئة للملف المستخدم في البحث.',
  settings: 'قوائم المراقبة المشمولة بالبحث',
  list: 'قائمة المراقبة',
  faces: 'الوجوه المسجَّلة',
  all: 'المجموع',
  side: 'جنبًا إلى جنب',
  candidates: 'المرشحون، الأكثر شبهًا أولًا',
  none: 'لا تطابق: لم يبلغ أي شخص مسجَّل العتبة. هذه نتيجة وليست خطأ.',
  name: 'الاسم',
  id: 'الرقم',
};
