import type { review as reviewEn, decision as decisionEn } from './review.en.ts';
import { samePlural, type Translation } from './translation.ts';

export const review: Translation<typeof reviewEn> = {
  state: 'بحاجة إلى مراجعة: {{waiting}}، الأقدم أولًا',
  list: 'عرض كقائمة',
  none: 'لا يوجد ما يحتاج إلى مراجعة',
  noneHelp: 'تظهر هنا تلقائيًا عمليات التحقق ذات المطابقات، وفق مسار الثقة.',
  toValidations: 'عرض كل عمليات التحقق',
  decision: 'المطابقات والقرار',
  note: 'ملاحظة',
  noteHelp: 'إذا تُركت فارغة تُدوَّن ملاحظة قياسية.',
  noteVerify: 'مقارنة جنبًا إلى جنب: شخص مختلف.',
  noteReject: 'مقارنة جنبًا إلى جنب: الشخص نفسه كما في المطابقة.',
  noMatches: 'لا توجد مطابقات محفوظة لعملية التحقق هذه.',
  chooseMatch: 'اختر مطابقة',
  meaning: 'يقيس Vouch التشابه فقط، والقرار لك.',
  ...samePlural('waiting', 'مفاتيح بانتظار حالاتها: {{count}}. اضغط Esc لتجاهلها.'),
  discard: 'تجاهل المفاتيح المنتظرة',
};

export const decision: Translation<typeof decisionEn> = {
  differentPerson: 'شخص مختلف',
  samePerson: 'الشخص نفسه',
  outcome_verify: '← تم التحقق',
  outcome_reject: '← مرفوض',
  clearTitle: 'هل تريد استبعاد تطابق قوي مع قائمة سوداء؟',
  clearHit: '«{{name}}» شديد الشبه بـ «{{face}}» في القائمة السوداء «{{list}}». الدرجة {{score}} (قوي).',
  clearMeaning: '«شخص مختلف» يجعل الحالة: تم التحقق. يمكنك التراجع عن القرار.',
  verify: 'تأكيد التحقق',
  reject: 'رفض',
  review: 'إعادة إلى المراجعة',
  note: 'ملاحظة (اختيارية)',
  notePlaceholder: 'إذا تُركت فارغة تُدوَّن ملاحظة قياسية',
  done_verify: '{{name}}: تم التحقق',
  done_reject: '{{name}}: مرفوض',
  done_review: '{{name}}: أُعيد إلى المراجعة',
  undoNote: 'تراجع المراجع نفسه عن القرار.',
  noteReview: 'تلزم مراجعة أخرى.',
};
