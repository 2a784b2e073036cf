import type { uploads as uploadsEn } from './uploads.en.ts';
import { samePlural, type Translation } from './translation.ts';

export const uploads: Translation<typeof uploadsEn> = {
  title: 'عمليات التسجيل',
  enrol: 'تسجيل المزيد',
  ...samePlural('state', 'عمليات التسجيل: {{total}}'),
  show: 'التصفية حسب الحالة',
  running: 'قيد المعالجة',
  failed: 'فشلت فيها صور',
  none: 'لا توجد عمليات تسجيل بعد',
  noneHelp: 'تظهر هنا المجلدات والصور المسجَّلة من هذه الشاشة أو سطر الأوامر أو عبر API.',
  noneFiltered: 'لا توجد عمليات مطابقة لعوامل التصفية',
  one: 'دفعة {{time}}',
  all: 'عرض كل العمليات',
  allFailures: 'عرض كل الصور الفاشلة',
  images: 'صور هذه الدفعة',
  run: 'عرض العملية',
  folder: 'المجلد',
  startedBy: 'بدأها',
  started: 'وقت البدء',
  duration: 'المدة',
  waiting: 'في الانتظار',
  source_dashboard: 'صور منفردة',
  source_program: 'رفع من برنامج',
  source_import: 'استيراد قائمة سوداء',
  source_demo: 'صور تجريبية',
} as const;
