import type { FIXED } from './said.ts';
import type { Words } from './words.ts';

/** What the core says in fixed words. */
export const fixed: Words<typeof FIXED> = {
  nameTaken: 'هذا الاسم مستخدم بالفعل.',
  lastAdmin: 'تحتاج الشركة إلى مسؤول فعّال: عيّن مسؤولًا آخر أولًا.',
  companyExists: 'هذه الشركة موجودة بالفعل. يُنشأ مشغّلها الأول من سطر الأوامر.',
  passphraseIsName: 'يجب أن تكون عبارة المرور أكثر من اسم.',
  passphraseGuessed: 'عبارة المرور سهلة التخمين: فيها تكرار أو تتبع ترتيب لوحة المفاتيح.',
  blacklistNotActive: 'القائمة السوداء المختارة ليست من القوائم الفعّالة لهذه الشركة.',
  alreadyExpired: 'هذا الموعد مضى: اختر وقتًا لاحقًا.',
  storageNotConfigured: 'لم يُضبط مجلد التخزين لهذه الشركة.',
  registrationDisabled: 'تسجيل القياسات الحيوية غير مفعّل لهذه الشركة.',
  blacklistsDisabled: 'القوائم السوداء غير مفعّلة لهذه الشركة.',
  blacklistInactive: 'القائمة السوداء غير فعّالة ولا تقبل وجوهًا جديدة.',
  queueUnavailable: 'قائمة انتظار التسجيل غير متاحة. أعد المحاولة بعد قليل.',
  validationError: 'في المُدخل خطأ.',
  unauthenticated: 'لا أحد مسجّل الدخول.',
  unauthorized: 'هذا الإجراء غير مسموح.',
  reauthenticate: 'أدخل عبارة المرور مرة أخرى.',
  notFound: 'غير موجود.',
  badRequest: 'تعذّر فهم الطلب.',
  unsupportedMediaType: 'نوع الملف غير مدعوم.',
  payloadTooLarge: 'الطلب أكبر من المسموح.',
  requestTimeout: 'استغرق وصول الطلب وقتًا أطول من المسموح.',
  tooManyAttempts: 'محاولات كثيرة. انتظر دقيقة ثم أعد المحاولة.',
  stillWaiting: 'لم يُجب عن الصورة بعد. يمكن التراجع عنها حالما تُسجَّل.',
  decidedMeanwhile: 'قرّر شخص آخر في هذا التحقق في هذه الأثناء. يُعرض قراره الآن.',
  auditContradicted:
    'سجل التدقيق يناقض مرساة سابقة، لذلك لم تُضف أي مرساة. تحقق من السجل؛ تذكر النتيجة القيد المعني.',
  imageDamaged: 'الصورة المحفوظة تالفة أو تغيّرت، لذلك لا تُعرض. يمكن للمسؤول استعادتها من نسخة احتياطية.',
  planChanged: 'ما كان سيُمحى تغيّر عمّا عُرض. انظر إليه مرة أخرى.',
  noPipelineChange: 'لا تغيير جارٍ إلى مسار معالجة آخر: انتهى، أو ألغاه أحد.',
  unexpected: 'حدث خطأ غير متوقع. أعطِ المسؤول رقم الطلب (X-Request-Id) الوارد مع الرد: التفاصيل في السجل.',
};
