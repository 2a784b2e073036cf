/** Words of the report of a case folder that no other report has. */
import { CASE_FOLDER_WORDS } from '../../contracts/caseFolderWords.ts';

const shared: Record<keyof typeof CASE_FOLDER_WORDS.en, string> = CASE_FOLDER_WORDS.en;

export const en = {
  ...shared,
  report: 'Case folder report',
  lead: 'This report lists what was put into a case folder, the examinations in it, and every entry of its chain of custody. A number in brackets is that of the entry. A probe is a photo of the person in question, and a candidate is a photo that it is compared with. The report decides nothing about a person.',
  titled: 'Title',
  opened: 'Opened',
  state: 'State',
  note: 'Note',
  empty: 'The case folder is empty.',
  bytes: 'bytes',
  entry: (position: string) => `Entry ${position} of the chain of custody`,
  notExamined: (names: string) =>
    `The limits of these pictures are not stated, because no examination in this report has them: ${names}.`,
  and: ', ',
  method: 'Procedure and error rates',
  methodText: 'The error rates of a score stand beside the score of each examination.',
  sealed:
    'Exported by another installation. The signature, the chain of custody and the contents were checked when this report was made. Nothing of the case folder is stored here.',
  installation: 'Sender',
  company: 'Company',
  exported: 'Exported',
  attached: 'Files attached to this PDF',
  wholeSealed: 'Checked for this report: all entries and files are as they were written.',
  rates: 'Error rates of the site',
  ratesText:
    'Measured at the site of the case folder for this report or its export: enrolled photos searched among the enrolled faces. Which photos show one person follows from the decisions and the names that operators entered.',
  chainText:
    'Each entry has the SHA-256 of what was put in. The hash of an entry covers this SHA-256 and the entry before. It is signed with the key of the audit log, which has every hash too. An entry that was removed, or erased with a person, keeps its hash.',
  newest: 'Hash of the newest entry',
  digest: 'SHA-256 of the content, and its state',
  changed: (names: string) =>
    `Checked for this report: the content of these entries is not what was put in: ${names}.`,
  whole:
    'Checked for this report: all entries are as they were written. Files are checked when they are saved.',
  broken: (position: string) =>
    `Checked for this report: entry ${position} is not as it was written, or it is missing. The database was changed without Vouch. Do not rely on this report.`,
};

export const ar: typeof en = {
  ...CASE_FOLDER_WORDS.ar,
  report: 'تقرير ملف القضية',
  lead: 'يسرد هذا التقرير محتويات ملف قضية وعمليات المضاهاة فيه وكل قيد في سلسلة حيازته، ولا يقرر شيئًا بشأن شخص. الرقم بين قوسين هو رقم القيد. صورة البحث هي صورة الشخص المعني، والمرشح صورة تُقارَن بها.',
  titled: 'العنوان',
  opened: 'تاريخ الفتح',
  state: 'الحالة',
  note: 'ملاحظة',
  empty: 'ملف القضية فارغ.',
  bytes: 'بايت',
  entry: (position) => `القيد ${position} من سلسلة الحيازة`,
  notExamined: (names) => `لا تُذكر قيود هذه الصور لأنها ليست في أي مضاهاة في هذا التقرير: ${names}.`,
  and: '، ',
  method: 'الإجراء ومعدلات الخطأ',
  methodText: 'ترد معدلات خطأ الدرجة بجانب درجة كل مضاهاة.',
  sealed:
    'صدّره نظام آخر. فُحص التوقيع وسلسلة الحيازة والمحتويات عند إعداد هذا التقرير، ولا يُحفظ شيء من ملف القضية هنا.',
  installation: 'المرسِل',
  company: 'الشركة',
  exported: 'تاريخ التصدير',
  attached: 'ملفات مرفقة بملف PDF هذا',
  wholeSealed: 'فُحص لهذا التقرير: كل القيود والمرفقات كما كُتبت.',
  rates: 'معدلات الخطأ في الموقع',
  ratesText:
    'قيست في موقع ملف القضية لهذا التقرير أو لتصديره: بُحث عن صور مسجَّلة بين الوجوه المسجَّلة. وتحدد قرارات المشغّلين والأسماء التي أدخلوها أي الصور لشخص واحد.',
  chainText:
    'لكل قيد قيمة SHA-256 لما أُضيف. تشمل قيمة تجزئة القيد هذه القيمة والقيد الذي قبله، وهي موقّعة بمفتاح سجل التدقيق الذي يدوّن كل قيمة أيضًا. القيد الذي أُزيل أو مُحي مع بيانات شخص يحتفظ بقيمة تجزئته.',
  newest: 'قيمة تجزئة أحدث قيد',
  digest: 'قيمة SHA-256 للمحتوى وحالته',
  changed: (names) => `فُحص لهذا التقرير: محتوى هذه القيود ليس ما أُضيف: ${names}.`,
  whole: 'فُحص لهذا التقرير: كل القيود كما كُتبت. تُفحص المرفقات عند حفظها.',
  broken: (position) =>
    `فُحص لهذا التقرير: القيد ${position} ليس كما كُتب أو أنه مفقود. عُدّلت قاعدة البيانات من خارج Vouch. لا تعتمد على هذا التقرير.`,
};
