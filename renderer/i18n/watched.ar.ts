import type { Translation } from './translation.ts';
import type { watched as en } from './watched.en.ts';

export const watched: Translation<typeof en> = {
  title: 'المجلدات المراقَبة',
  folder: 'المجلد',
  state: 'الحالة',
  enrolled: 'المسجَّلة',
  failed: 'الفاشلة',
  lastFile: 'آخر ملف',
  state_watching: 'قيد المراقبة',
  state_waiting: 'بانتظار الخدمة',
  state_stopped: 'متوقفة',
  state_lost: 'بلا تقرير',
  file_enrolled: 'سُجّل',
  file_failed: 'فشل',
  file_left: 'لم يُرسل',
  cause_fixed: 'لا يستطيع الحساب الذي يشغّل vouch watch نقل الملف. غيّر أذونات مجلده.',
  cause_refused: 'لم تقبله الخدمة. السبب في الملف النصي المجاور له في المجلد failed.',
};
