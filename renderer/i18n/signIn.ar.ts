import type { signIn as signInEn, lock as lockEn, setup as setupEn } from './signIn.en.ts';
import { type Translation } from './translation.ts';

export const signIn: Translation<typeof signInEn> = {
  title: 'تسجيل الدخول',
  operator: 'اسم المستخدم',
  passphrase: 'عبارة المرور',
  submit: 'تسجيل الدخول',
  wrong: 'اسم المستخدم أو عبارة المرور غير صحيحة.',
  tooMany: 'محاولات كثيرة. أعد المحاولة بعد دقيقة.',
  local: 'تبقى كل البيانات على هذا الجهاز.',
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
  passphraseHint: 'عدد الأحرف {{least}} على الأقل. يُفضَّل أربع كلمات لا صلة بينها.',
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
    'يتيح هذا الرمز الدخول عند فقدان عبارة المرور. يُعرض الآن فقط: اطبعه واحفظه بعيدًا عن هذا الجهاز. لا يفتح النسخ الاحتياطية.',
  enter: 'الانتقال إلى لوحة المعلومات',
};
