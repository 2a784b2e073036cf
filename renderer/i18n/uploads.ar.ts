import { samePlural } from './translation.ts';

export const uploads = {
  title: 'الدفعات',
  enrol: 'تسجيل المزيد',
  ...samePlural('state', 'الدفعات: {{total}}'),
  show: 'التصفية حسب الحالة',
  running: 'قيد المعالجة',
  failed: 'فشلت فيها صور',
  none: 'لا توجد دفعات بعد',
  noneHelp: 'تظهر هنا الصور المرفوعة من هذه الشاشة أو عبر API.',
  noneFiltered: 'لا توجد دفعات مطابقة لعوامل التصفية',
  one: 'دفعة {{time}}',
  all: 'عرض كل الدفعات',
  images: 'صور هذه الدفعة',
} as const;
