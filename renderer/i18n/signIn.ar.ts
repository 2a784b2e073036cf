import type {
  signIn as signInEn,
  lock as lockEn,
  setup as setupEn,
  passphrase as passphraseEn,
  recovery as recoveryEn,
} from './signIn.en.ts';
import { type Translation } from './translation.ts';

export const signIn: Translation<typeof signInEn> = {
  title: 'تسجيل الدخول',
  operator: 'اسم المستخدم',
  passphrase: 'عبارة المرور',
  submit: 'تسجيل الدخول',
  forgot: 'هل نسيت عبارة المرور؟',
  wrong: 'اسم المستخدم أو عبارة المرور غير صحيحة.',
  tooMany: 'محاولات كثيرة. أعد المحاولة بعد دقيقة.',
  local: 'لا يرسل Vouch أي بيانات إلى الإنترنت.',
};

export const lock: Translation<typeof lockEn> = {
  title: 'مقفل',
  body: 'الوجوه مخفية ما دامت الشاشة مقفلة.',
  unlock: 'إلغاء القفل',
};

export const setup: Translation<typeof setupEn> = {
  title: 'إعداد Vouch',
  steps: 'الخطوة {{step}} من 3',
  company: 'الشركة',
  companyHint: 'كل البيانات تخص شركة واحدة، ولا تراها الشركات الأخرى على هذا النظام.',
  folder: 'مجلد الصور المشفّرة',
  folderHint: 'مسار مطلق على هذا الجهاز، فيه مساحة كافية لكل الصور المسجَّلة.',
  check: 'فحص المجلد',
  free: 'قابل للكتابة، المساحة الحرة: {{free}}.',
  features: 'الميزات',
  registration: 'تسجيل القياسات الحيوية',
  registrationHint: 'تسجيل وجوه كثيرة معًا، ومقارنة عمليات التحقق الجديدة بها.',
  blacklists: 'القوائم السوداء الداخلية',
  blacklistsHint: 'قوائم وجوه خاصة تُفحص عمليات التحقق مقابلها.',
  operator: 'اسم المستخدم',
  operatorHint: 'المستخدم الأول هو المسؤول.',
  passphrase: 'عبارة المرور',
  repeat: 'تأكيد عبارة المرور',
  differs: 'عبارتا المرور غير متطابقتين.',
  next: 'التالي',
  back: 'رجوع',
  finish: 'إنهاء الإعداد',
  stepCompany: 'الشركة والتخزين',
  stepFeatures: 'الميزات',
  stepOperator: 'حساب المسؤول',
  recoveryTitle: 'رمز استرداد الدخول',
  recovery:
    'يتيح هذا الرمز الدخول عند فقدان عبارة المرور. يُعرض الآن فقط: اطبعه أو احفظه، وأبقه بعيدًا عن هذا الجهاز. لا يفتح النسخ الاحتياطية.',
  enter: 'الانتقال إلى لوحة المعلومات',
};

export const passphrase: Translation<typeof passphraseEn> = {
  toggle: 'إظهار النص المكتوب أو إخفاؤه',
  new: 'عبارة المرور الجديدة',
  current: 'عبارة المرور الحالية',
  change: 'تغيير عبارة المرور',
  submit: 'تغيير عبارة المرور',
  changed: 'تم تغيير عبارة المرور.',
  others: 'تنتهي جلساتك في المتصفحات الأخرى.',
  wrong: 'عبارة المرور الحالية غير صحيحة.',
  hint: 'يُفضَّل أربع كلمات لا صلة بينها.',
  rejected: 'لا تستوفي عبارة المرور القواعد أدناه.',
  met: 'مستوفاة:',
  unmet: 'غير مستوفاة:',
  PASSPHRASE_TOO_SHORT: 'عدد الأحرف {{least}} على الأقل',
  PASSPHRASE_IS_NAME: 'أكثر من مجرد اسم',
  PASSPHRASE_GUESSED: 'بلا تكرار ولا نمط من لوحة المفاتيح',
  weak: 'القوة: ضعيفة جدًا',
  good: 'القوة: جيدة',
  strong: 'القوة: قوية',
};

export const recovery: Translation<typeof recoveryEn> = {
  title: 'إعادة تعيين عبارة المرور',
  help: 'أدخل رمز استرداد الدخول الذي طُبع أو حُفظ عند الإعداد. يعمل كل رمز مرة واحدة، والرمز الأحدث يحل محل ما قبله.',
  operatorHint: 'يصبح هذا الحساب مسؤولًا نشطًا. اسم المستخدم غير المعروف ينشئ حسابًا جديدًا.',
  wrong: 'رمز الاسترداد غير صحيح أو استُخدم أو استُبدل. تحقّق من الرمز ومن التاريخ على الورقة.',
  submit: 'تعيين عبارة مرور جديدة',
  back: 'العودة إلى تسجيل الدخول',
  without: 'إذا لم يكن لديك رمز، فيمكن لمسؤول آخر إعادة تعيين عبارة مرورك من شاشة «المشغّلون».',
  nextTitle: 'رمز استرداد جديد',
  next: 'تم تغيير عبارة المرور. يحل هذا الرمز محل الرمز الذي استخدمته. يُعرض الآن فقط: اطبعه أو احفظه، وأبقه بعيدًا عن هذا الجهاز.',
  sheet: 'تاريخ الإنشاء: {{time}}. يُستخدم في صفحة تسجيل الدخول تحت «هل نسيت عبارة المرور؟».',
};
