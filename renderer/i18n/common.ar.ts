import type * as en from './common.en.ts';
import { CERTAINTY } from '../../core/contracts/certainty.ts';
import { samePlural, type Translation } from './translation.ts';

export const state: Translation<typeof en.state> = {
  loading: 'جارٍ التحميل…',
  failed: 'تعذر التحميل',
  retry: 'إعادة المحاولة',
  quote: 'إذا تكررت المشكلة، فأبلغ الدعم بمعرّف الطلب:',
  unexpected:
    'وصلت استجابة غير متوقعة من خدمة Vouch. أعد تحميل الصفحة؛ إذا تكررت المشكلة فقد يختلف إصدار لوحة المعلومات عن إصدار الخدمة.',
  wentWrong: 'حدث خطأ في هذه الصفحة. أعد تحميلها؛ ما حُفظ لم يُفقد.',
  missingTitle: 'غير موجود',
  missing: 'هذا العنصر غير موجود أو يخص شركة أخرى.',
  otherError:
    'رفضت خدمة Vouch الطلب ({{code}}). أعد تحميل الصفحة؛ إذا تكررت المشكلة فقد يختلف إصدار لوحة المعلومات عن إصدار الخدمة.',
  deniedTitle: 'غير مسموح',
  denied: 'لا يتيح دورك هذا الإجراء. اطلب الصلاحية من المسؤول.',
  offline: 'انقطع الاتصال بخدمة Vouch منذ {{time}}. قد تكون هذه الصفحة قديمة. جارٍ إعادة الاتصال…',
  offlineTitle: 'تعذر الاتصال بخدمة Vouch',
  offlineHelp: 'ربما تكون الخدمة قيد بدء التشغيل أو متوقفة. تُعاد المحاولة تلقائيًا.',
};

export const common: Translation<typeof en.common> = {
  never: 'لم يسبق',
  list: 'القائمة',
  mainGallery: 'المجموعة الرئيسية',
  source: 'المصدر',
  order: 'الترتيب',
  history: 'المحفوظات',
  pastePhoto: 'أو ألصق صورة',
  choosePhoto: 'اختيار صورة',
  dropPhoto: 'أفلت صورة هنا',
  filters: 'عوامل التصفية',
  status: 'الحالة',
  downloadCsv: 'تنزيل CSV',
  allLists: 'كل القوائم',
  backToList: 'العودة إلى القائمة',
  done: 'تم',
  deactivate: 'إلغاء التنشيط',
  edit: 'تعديل',
  cancel: 'إلغاء',
  save: 'حفظ',
  close: 'إغلاق',
  delete: 'حذف',
  copy: 'نسخ',
  continue: 'متابعة',
  clear: 'مسح',
  copied: 'تم النسخ',
  undo: 'تراجع',
  undoNothing:
    'لا يوجد ما يمكن التراجع عنه. يمكن التراجع عن الإجراء خلال 10 ثوانٍ. بعد ذلك افتح ما قررت بشأنه وغيّر القرار هناك.',
  all: 'الكل',
  none: 'لا يوجد',
  more: 'عرض المزيد',
  optional: 'اختياري',
  ...samePlural('selected', 'المحدد: {{count}}'),
  typeToConfirm: 'اكتب {{name}} للتأكيد',
  undoSeconds: '{{seconds}} ث',
  unknown: 'غير معروف',
  by: 'بواسطة {{name}}',
  service: 'خدمة Vouch',
  moreLoading: 'جارٍ تحميل المزيد…',
  dismiss: 'إخفاء',
  required: 'املأ هذا الحقل.',
  print: 'طباعة',
  saveFile: 'حفظ في ملف',
  stored: 'حفظته في مكان آمن',
  passphraseExport: 'يتطلب تصدير البيانات الشخصية عبارة مرورك. تُطلب مجددًا بعد مرور 30 دقيقة دون تصدير.',
  passphraseAgain: 'أعد إدخال عبارة المرور للتأكيد؛ تُطلب بعد مرور عشر دقائق.',
};

export const status: Translation<typeof en.status> = {
  verified: 'تم التحقق',
  reviewNeeded: 'بحاجة إلى مراجعة',
  rejected: 'مرفوض',
  incomplete: 'غير مكتمل',
  inProgress: 'قيد التنفيذ',
  pending: 'في الانتظار',
  enrolled: 'مسجَّل',
  failed: 'فشل',
  active: 'نشط',
  inactive: 'غير نشط',
  processing: 'قيد المعالجة',
  completed: 'مكتمل',
  partlyCompleted: 'مكتمل جزئيًا',
};

export const role: Translation<typeof en.role> = {
  admin: 'مسؤول',
  operator: 'مشغّل',
  reviewer: 'مراجع حالات',
  investigator: 'محقّق',
  auditor: 'مدقّق',
};

export const days: Translation<typeof en.days> = {
  any: 'أي يوم',
  since: 'منذ {{day}}',
  until: 'حتى {{day}}',
  between: '{{first}} – {{last}}',
  today: 'اليوم',
  lastWeek: '7 أيام',
  lastMonth: '30 يومًا',
};

export const score: Translation<typeof en.score> = CERTAINTY.ar.bands;

export const face: Translation<typeof en.face> = {
  thumbnail: 'وجه {{name}}',
  photo: 'الصورة الكاملة: {{name}}',
  noImage: 'لا توجد صورة: مُحيت أو لا يتيح دورك عرضها',
  quality: 'الجودة {{score}} من 100',
  morePhotos: 'صور أخرى لهذا الشخص: {{photos}}',
};

export const facts: Translation<typeof en.facts> = {
  blacklist: 'القائمة السوداء',
  note: 'ملاحظة',
  photo: 'الصورة',
  photos: 'الصور',
  result: 'النتيجة',
  folder: 'المجلد',
  fingerprint: 'بصمة المفتاح',
  created: 'تاريخ الإنشاء',
  time: 'الوقت',
  name: 'الاسم',
  file: 'الملف',
  enrolled: 'تاريخ التسجيل',
  size: 'الأبعاد',
  quality: 'الجودة',
  outOf100: '{{score}} من 100',
  pipeline: 'خط المعالجة',
  sha256: 'SHA-256',
  person: 'الشخص',
};

export const listing: Translation<typeof en.listing> = {
  severity: 'الخطورة',
  severity_information: 'معلومة',
  severity_caution: 'تنبيه',
  severity_stop: 'منع',
  reason: 'السبب',
  help_reason: 'يظهر مع كل مطابقة. عدد الأحرف حتى {{most}}.',
  no_reason: 'لم يُذكر سبب',
  expires: 'ينتهي في',
  expiresHelp: 'تتوقف مطابقة الوجه في هذا الوقت. اتركه فارغًا لإدراج بلا انتهاء.',
  noExpiry: 'بلا انتهاء',
  expired: 'منتهٍ',
  expiredOn: 'انتهت المدة، ولم يعد الوجه يُطابَق.',
  edit: 'تعديل الخطورة والسبب والانتهاء',
  ...samePlural('editTitle', 'الخطورة والسبب والانتهاء. عدد الوجوه: {{faces}}'),
  change_severity: 'تغيير الخطورة',
  change_reason: 'تغيير السبب',
  change_expiresAt: 'تغيير الانتهاء',
  save: 'حفظ التغييرات',
  saved: 'تم حفظ الخطورة والسبب والانتهاء',
  forAll: 'ينطبق على كل صور هذه الدفعة.',
};
