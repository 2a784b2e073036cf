import { CERTAINTY } from '../../core/contracts/certainty.ts';
import type {
  state as stateEn,
  common as commonEn,
  status as statusEn,
  role as roleEn,
  days as daysEn,
  face as faceEn,
  facts as factsEn,
} from './common.en.ts';
import { samePlural, type Translation } from './translation.ts';

export const state: Translation<typeof stateEn> = {
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

export const common: Translation<typeof commonEn> = {
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

export const status: Translation<typeof statusEn> = {
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

export const role: Translation<typeof roleEn> = {
  admin: 'مسؤول',
  operator: 'مشغّل',
  reviewer: 'مراجع حالات',
  investigator: 'محقّق',
  auditor: 'مدقّق',
};

export const days: Translation<typeof daysEn> = {
  any: 'أي يوم',
  since: 'منذ {{day}}',
  until: 'حتى {{day}}',
  between: '{{first}} – {{last}}',
  today: 'اليوم',
  lastWeek: '7 أيام',
  lastMonth: '30 يومًا',
};

export const score = CERTAINTY.ar.bands;

export const face: Translation<typeof faceEn> = {
  thumbnail: 'وجه {{name}}',
  photo: 'الصورة الكاملة: {{name}}',
  noImage: 'لا توجد صورة: مُحيت أو لا يتيح دورك عرضها',
  quality: 'الجودة {{score}} من 100',
};

export const facts: Translation<typeof factsEn> = {
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
