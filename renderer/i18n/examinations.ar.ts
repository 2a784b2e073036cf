import { EXAMINATION_WORDS } from '../../core/contracts/examinationWords.ts';
import type * as en from './examinations.en.ts';
import type { Translation } from './translation.ts';

export const examinations: Translation<typeof en.examinations> = {
  ...EXAMINATION_WORDS.ar,
  state: 'صورتان، سمة سمة. وتأتي درجة النظام في النهاية.',
  none: 'لا توجد عمليات مضاهاة بعد',
  noneHelp:
    'ابدأ المضاهاة بالزر «مضاهاة الزوج» بجانب وجهين: مطابقة في عملية تحقق، أو نتيجة بحث، أو صورتين مقارنتين، أو تسجيلات مكررة محتملة.',
  begin: 'مضاهاة الزوج',
  storePhoto: 'تخزين الصورة وبدء المضاهاة',
  storePhotos: 'تخزين الصورتين وبدء المضاهاة',
  storesPhoto: 'هذه الصورة غير مسجَّلة. تُخزَّن من أجل المضاهاة.',
  storesPhotos: 'الصورتان غير مسجَّلتين. تُخزَّنان من أجل المضاهاة.',
  storedHelp:
    'لا يجد أي بحث صورة خُزّنت لمضاهاة. تُمحى مع الوجه الآخر، أو مع بيانات الشخص، أو بقاعدة الاحتفاظ الخاصة بالمقارنات.',
  number: 'المضاهاة {{id}}',
  back: 'كل عمليات المضاهاة',
  column_number: 'المضاهاة',
  column_began: 'البداية',
  column_state: 'الحالة',
  column_turn: 'المطلوب منك',
  state_examination: 'بانتظار الفاحص الأول',
  state_verification: 'بانتظار الفاحص الثاني',
  state_settlement: 'الاستنتاجان مختلفان',
  state_done: 'مكتمل',
  turn_examine: 'إجراء المضاهاة',
  turn_verify: 'التحقق كفاحص ثانٍ',
  turn_settle: 'تسوية الاختلاف',
  unseen: 'احفظ الخطوة الأولى فقط إذا لم ترَ درجة هذا الزوج. وإلا فليفتح مشغّل آخر هذه المضاهاة.',
  waits_examination: 'يجري مشغّل آخر مضاهاة هذا الزوج. تظهر النتائج عندما ينتهي فاحصان إلى استنتاج.',
  waits_verification:
    'يجب أن يجري فاحص ثانٍ مضاهاة هذا الزوج وحده. لا يرى ذلك الفاحص نتائجك ولا الدرجة. تظهر النتائج عندما ينتهي كلاهما إلى استنتاج.',
  waits_settlement: 'انتهى الفاحصان إلى استنتاجين مختلفين. يسوّي أحدهما الاختلاف.',
  frozen: 'لا يمكن تغيير خطوة محفوظة.',
  step_analysis: 'التحليل: {{picture}}',
  step_comparison: 'المقارنة {{number}} من {{total}}: {{component}}',
  step_evaluation: 'التقييم',
  analysisHelp: 'انظر إلى هذه الصورة وحدها. إلى أي حد يقيّد كل مما يلي ما يمكن مقارنته؟',
  evaluationHelp: 'أي تفسير تدعمه السمات، وبأي قوة؟ لا يقرر ذلك شيئًا بشأن شخص.',
  settlementHelp: 'اذكر الاستنتاج الذي يتفق عليه الفاحصان وسببه.',
  save: 'حفظ الخطوة',
  settle: 'حفظ الاستنتاج المشترك',
  ageHelp: 'متى التُقطت، بقدر ما هو معروف.',
  supportsHelp: 'السمات التي يمكن مقارنتها في هذه الصورة، والسمات التي لا يمكن مقارنتها.',
  finding: 'النتيجة',
  marksHelp:
    'ضع علامة على السمة في الصورتين: انقر عليها، أو انتقل إلى صورة بالمفتاح Tab وحرّك بمفاتيح الأسهم ثم اضغط Enter.',
  markField: 'وضع علامة في: {{picture}}',
  clearMarks: 'إزالة العلامات',
  note: 'ملاحظة',
  choose: 'اختر',
};
