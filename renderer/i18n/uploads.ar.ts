import { counted } from './words.ts';

export const uploads = {
  title: 'الدفعات',
  enrol: 'سجّل المزيد',
  ...counted('state', 'الدفعات: {{total}}'),
  show: 'أي الدفعات',
  running: 'قيد العمل',
  failed: 'فيها فشل',
  none: 'لا دفعات بعد',
  noneHelp: 'الصور التي أُرسلت للتسجيل، من هذه الشاشة أو من برنامج، تُدرج هنا.',
  noneFiltered: 'لا دفعة كهذه',
  one: 'دفعة {{time}}',
  all: 'كل الدفعات',
  images: 'صور هذه الدفعة',
} as const;
