import type { listing as listingEn } from './listing.en.ts';
import { samePlural, type Translation } from './translation.ts';

export const listing: Translation<typeof listingEn> = {
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
  edit: 'تعديل الخطورة والانتهاء',
  ...samePlural('editTitle', 'الخطورة والسبب والانتهاء. عدد الوجوه: {{faces}}'),
  change_severity: 'تغيير الخطورة',
  change_reason: 'تغيير السبب',
  change_expiresAt: 'تغيير الانتهاء',
  save: 'حفظ التغييرات',
  saved: 'تم حفظ الخطورة والسبب والانتهاء',
  forAll: 'ينطبق على كل صور هذه الدفعة.',
};
