import type { alerts as alertsEn } from './alerts.en.ts';
import { samePlural, type Translation } from './translation.ts';

export const alerts: Translation<typeof alertsEn> = {
  settings: 'تنبيهات مطابقات القوائم السوداء',
  open: 'تنبيهات مطابقات القوائم السوداء…',
  hit: 'مطابقة في قائمة سوداء',
  ...samePlural('hits', 'مطابقات في القوائم السوداء: {{hits}}'),
  onList: 'القائمة السوداء: {{list}}',
  show: 'فتح عملية التحقق {{id}}',
  showAll: 'عرض كل المطابقات',
  way: 'طريقة التنبيه',
  way_off: 'شريط داخل لوحة المعلومات فقط',
  way_sound: 'صوت',
  way_notification: 'إشعار',
  way_both: 'صوت وإشعار',
  from: 'ابتداءً من خطورة',
  whileFocused: 'التنبيه أثناء استخدام هذه النافذة',
  listName: 'ذكر اسم القائمة السوداء في الإشعارات',
  privacy: 'لا تعرض الإشعارات وجهًا ولا اسم شخص.',
  test: 'تجربة التنبيه',
  denied: 'يحظر هذا المتصفح إشعارات Vouch. اسمح بها في إعدادات الموقع داخل المتصفح.',
  unsupported: 'لا يدعم هذا المتصفح الإشعارات. اختر الصوت.',
};
