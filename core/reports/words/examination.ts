/** Words of the report of an examination that no other report has. */
import { EXAMINATION_WORDS } from '../../contracts/examinationWords.ts';

const shared: Record<keyof typeof EXAMINATION_WORDS.en, string> = EXAMINATION_WORDS.en;

export const en = {
  ...shared,
  title: 'Examination report',
  lead: 'Two people compared two pictures, feature by feature. Their conclusion is an opinion on a scale of support. It decides nothing about a person.',
  begun: 'Examination begun',
  scale: 'Scale of conclusions',
  firstExaminer: 'Examiner 1',
  secondExaminer: 'Examiner 2',
  concluded: (name: string, when: string) => `${name}, concluded ${when}`,
  settled: (name: string, when: string) => `Settled by ${name}, ${when}`,
  agreed: 'Both examiners reached this conclusion alone.',
  differed: 'The examiners reached different conclusions alone, and one of them stated the common one.',
  differedThird:
    'The examiners reached different conclusions alone. Both had left before they settled the difference, so a third operator, who had examined nothing here, concluded from the results of both.',
  replaced: 'Replaced examiner',
  replacedText: (name: string, steps: string, by: string, when: string) =>
    `${name}, unfinished after ${steps} steps. Replaced by ${by}, ${when}. The successor began with the first step.`,
  pictures: 'Pictures',
  marked: (picture: string, name: string, examiner: string) =>
    `${picture}: ${name}. Marks of ${examiner}. A number is that of the feature under "Findings".`,
  face: 'Enrolled face',
  storedSignature: 'Stored signature',
  picture: 'Picture',
  systemScore: 'Score of the system',
  afterwards:
    'Each examiner concludes before the score and the names are shown. Different conclusions are settled with both in view.',
  procedure: 'Procedure',
  procedureText:
    'The order of the pictures is drawn by lot. Each examiner first states the limits of each picture alone, then compares the features one by one, then concludes with reasons on a scale of seven steps. The steps have no numbers: they rank how strongly the features support one explanation over the other. A saved step cannot be changed. The second examiner sees neither the marks, the findings and the conclusion of the first examiner nor the score, and is a different person.',
  features_faces: 'Faces: 18 features in the order of the feature list of FISWG (version 2.0, 2018).',
  features_signatures:
    'Signatures: 16 features from the whole to the parts. Their selection and order are those of this program.',
  limitsOfMethod: 'Limits',
  limitsText:
    'The conclusion is no probability. This installation has not measured how often its examiners are wrong; published tests of trained examiners found false conclusions with good pictures too. Both pictures are shown as they were stored; the hash identifies the stored file.',
  limits_faces: 'People who are related or look alike can share many features.',
  limits_signatures:
    'Two signatures do not show how much the signatures of one writer vary; that needs further known signatures. A picture shows no indentations, and a copy or a fax shows pressure, pen lifts and the order of strokes badly or not at all. A skilled imitation can share many features. Illness, age, haste and disguise can make signatures of one writer differ.',
};

export const ar: typeof en = {
  ...EXAMINATION_WORDS.ar,
  title: 'تقرير مضاهاة',
  lead: 'قارن شخصان صورتين سمة سمة. استنتاجهما رأي على مقياس للدعم، ولا يقرر شيئًا بشأن شخص.',
  begun: 'بداية المضاهاة',
  scale: 'مقياس الاستنتاجات',
  firstExaminer: 'الفاحص 1',
  secondExaminer: 'الفاحص 2',
  concluded: (name, when) => `${name}، تاريخ الاستنتاج ${when}`,
  settled: (name, when) => `سوّى الاختلاف ${name}، ${when}`,
  agreed: 'انتهى كل فاحص وحده إلى هذا الاستنتاج.',
  differed: 'انتهى كل فاحص وحده إلى استنتاج مختلف، وذكر أحدهما الاستنتاج المشترك.',
  differedThird:
    'انتهى كل فاحص وحده إلى استنتاج مختلف، وغادر كلاهما قبل تسوية الاختلاف. فاستنتج مشغّل ثالث لم يفحص شيئًا هنا من نتائج كليهما.',
  replaced: 'فاحص مستبدَل',
  replacedText: (name, steps, by, when) =>
    `${name}، لم يكتمل العمل. عدد الخطوات: ${steps}. استبدله ${by}، ${when}. بدأ الفاحص التالي من جديد.`,
  pictures: 'الصورتان',
  marked: (picture, name, examiner) =>
    `${picture}: ${name}. علامات ${examiner}. الرقم هو رقم السمة في «النتائج».`,
  face: 'الوجه المسجَّل',
  storedSignature: 'توقيع مخزَّن',
  picture: 'الصورة',
  systemScore: 'درجة النظام',
  afterwards:
    'ينتهي كل فاحص إلى استنتاجه قبل أن تظهر له الدرجة والاسمان. ويُتفق على الاستنتاج المشترك عند الاختلاف وهما ظاهران.',
  procedure: 'الإجراء',
  procedureText:
    'يُحدَّد ترتيب الصورتين بالقرعة. يذكر كل فاحص أولًا قيود كل صورة وحدها، ثم يقارن السمات واحدة واحدة، ثم يستنتج مع ذكر الأسباب على مقياس من سبع درجات. الدرجات بلا أرقام، وترتّب قوة دعم السمات لأحد التفسيرين على الآخر. لا يمكن تغيير خطوة محفوظة. لا يرى الفاحص الثاني علامات الفاحص الأول ولا نتائجه ولا استنتاجه ولا الدرجة، وهو شخص آخر.',
  features_faces: 'الوجوه: 18 سمة بترتيب قائمة السمات لدى FISWG (الإصدار 2.0، 2018).',
  features_signatures: 'التواقيع: 16 سمة من الكل إلى الأجزاء. اختيارها وترتيبها من وضع هذا البرنامج.',
  limitsOfMethod: 'القيود',
  limitsText:
    'الاستنتاج ليس احتمالًا. لم يُقَس في هذا النظام عدد المرات التي يخطئ فيها الفاحصون، وقد وجدت اختبارات منشورة لفاحصين مدرَّبين استنتاجات خاطئة حتى مع صور جيدة. تظهر الصورتان كما خُزّنتا، وتحدد قيمة التجزئة الملف المخزَّن.',
  limits_faces: 'قد يشترك الأقارب والمتشابهون في سمات كثيرة.',
  limits_signatures:
    'لا يُظهر توقيعان مدى اختلاف تواقيع الكاتب الواحد، ويلزم لذلك مزيد من التواقيع المعروفة. لا تُظهر الصورة آثار الضغط الغائرة، ولا تُظهر النسخة أو الفاكس الضغط ورفعات القلم وترتيب الجرّات إلا بصورة سيئة أو لا تظهرها. قد يشترك تقليد متقن في سمات كثيرة. وقد يجعل المرض والسن والعجلة والتمويه تواقيع الكاتب الواحد مختلفة.',
};
