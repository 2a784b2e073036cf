/** Words that every report uses, its head and its foot included. */

export const en = {
  page: (page: number, pages: number) => `page ${page} of ${pages}`,
  made: (when: string, by: string, company: string) => `${company} · created ${when} by ${by}`,
  head: (company: string, title: string) => `${company} · ${title}`,
  titled: (title: string, number: string) => `${title}: ${number}`,
  decides: 'Vouch only measures similarity. A person decides; this report decides nothing.',
  foot: (version: string) => `Vouch ${version} · similarity, not identity; a person decides`,
  lettersMissing:
    'Letters that no installed font has are printed as their Unicode numbers, such as [U+738B]. An administrator can add fonts (manual: “Fonts of reports”), and the report can then be created again.',
  no: 'none',
  comma: ', ',
  duplicate: 'Main gallery',
  file: 'File',
  sha256: 'SHA-256',
  pixels: 'Dimensions',
  quality: 'Quality',
  outOf100: (value: number) => `${value} out of 100`,
  photosMatch: (agreeing: string, all: string) => `${agreeing} of ${all} photos match`,
  samePicture: 'Probably the same picture again',
  model: 'Pipeline',
};

export const ar: typeof en = {
  page: (page, pages) => `صفحة ${page} من ${pages}`,
  made: (when, by, company) => `${company} · تاريخ الإنشاء ${when}، بواسطة ${by}`,
  head: (company, title) => `${company} · ${title}`,
  titled: (title, number) => `${title}: ${number}`,
  decides: 'يقيس Vouch التشابه فقط. القرار لشخص، وهذا التقرير لا يقرر شيئًا.',
  foot: (version) => `\u2066Vouch ${version}\u2069 · تشابه لا إثبات هوية، والقرار لشخص`,
  lettersMissing:
    'الحروف التي لا يحتويها أي خط مثبَّت تُطبع بأرقامها في يونيكود، مثل \u2066[U+738B]\u2069. يمكن للمسؤول إضافة خطوط (الدليل: «خطوط التقارير»)، ثم يُنشأ التقرير من جديد.',
  no: 'لا يوجد',
  comma: '، ',
  duplicate: 'المجموعة الرئيسية',
  file: 'الملف',
  sha256: 'SHA-256',
  pixels: 'الأبعاد',
  quality: 'الجودة',
  outOf100: (value) => `${value} من 100`,
  photosMatch: (agreeing, all) => `تطابق ${agreeing} من ${all} من الصور`,
  samePicture: 'الأرجح أنها الصورة نفسها مرة أخرى',
  model: 'خط المعالجة',
};
