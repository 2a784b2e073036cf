import type { Translation } from './translation.ts';
import type { faceCompare as english } from './faceCompare.en.ts';

export const faceCompare: Translation<typeof english> = {
  stateIdle: 'مقارنة الوجهين في صورتين. لا تُسجَّل الصور ولا تُحفظ.',
  stateDone: 'وقت المقارنة: {{time}}، حُفظت برقم {{id}}. لا تُحفظ الصورتان.',
  notUsable: 'غير صالح',
  notUsableHelp: 'رأس مغطى أو غير واضح، ولا يمكن اختياره.',
  first: 'الصورة الأولى',
  second: 'الصورة الثانية',
  referenceHelp: 'رقم خاص بك لهذه المقارنة. إذا تُرك فارغًا يُستخدم الوقت.',
  compare: 'مقارنة الوجهين',
  comparing: 'جارٍ كشف الوجوه ومقارنتها…',
  another: 'مقارنة جديدة',
  choose: 'عُثر على عدة وجوه. حدد الوجه المطلوب.',
  face: 'الوجه {{number}}، الجودة {{quality}} من 100',
  band: 'الفئة',
  anyBand: 'كل الفئات',
  compareTab: 'وجهان',
  noneHelp: 'تظهر هنا مقارنات هذه الشاشة ومقارنات API دون صور.',
  reportHelp: 'لا تُحفظ الصورتان. للحصول على تقرير PDF، قارن الملفين نفسيهما مرة أخرى.',
};
