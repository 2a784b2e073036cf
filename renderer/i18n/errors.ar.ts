import type * as en from './errors.en.ts';
import type { Translation } from './translation.ts';
import type { ShownErrorCode } from '../../core/contracts/errors/problem.ts';
import type { FailureCode } from '../../core/contracts/errors/failures.ts';

/** Every error that the dashboard can show; the reasons of photos have their own texts. */
export const errors: Record<Exclude<ShownErrorCode, FailureCode>, string> = {
  RECORD_UNKNOWN:
    'ليس الملف سجل وجه يقرؤه النظام. استخدم سجلًا وفق ISO/IEC 19794-5 أو 39794-5 أو DG2 أو CBEFF XML.',
  RECORD_CUT_SHORT:
    'ينتهي سجل الوجه مبكرًا: يحتاج {{part}} إلى {{needed}} بايت، والباقي {{left}}. انسخ الملف من مصدره مرة أخرى.',
  RECORD_LENGTH_WRONG:
    'سجل الوجه تالف: يذكر {{part}} طولًا قدره {{stated}} بايت، ومحتواه {{actual}}. انسخ الملف من مصدره مرة أخرى.',
  RECORD_LENGTH_INDEFINITE:
    'في سجل الوجه عنصر بلا طول محدد ({{part}})، والمعيار يشترط طولًا محددًا. اكتب السجل مرة أخرى بصيغة DER.',
  RECORD_VALUE_WRONG:
    'سجل الوجه تالف: قيمة {{part}} هي {{value}}، والمعيار يسمح بـ {{allowed}}. انسخ الملف من مصدره مرة أخرى.',
  RECORD_FIELD_MISSING: 'سجل الوجه ناقص: لا يوجد {{part}}. انسخ الملف من مصدره مرة أخرى.',
  RECORD_FIELD_MISPLACED:
    'سجل الوجه تالف: العنصر {{tag}} مكرر في {{part}} أو في غير موضعه. انسخ الملف من مصدره مرة أخرى.',
  RECORD_VERSION_UNSUPPORTED:
    'إصدار سجل الوجه {{version}} غير مدعوم. استخدم ISO/IEC 19794-5 لعام 2005 أو 2011، أو ISO/IEC 39794-5.',
  RECORD_WITHOUT_FACE: 'لا وجه في السجل. فيه: {{found}}. استخدم سجل وجه.',
  RECORD_TOO_LARGE: 'في السجل أكثر من {{most}} من {{part}}. قسّم الملف.',
  RECORD_IMAGE_UNKNOWN: 'الصورة في {{part}} ليست JPEG ولا JPEG 2000 ولا PNG. انسخ الملف من مصدره مرة أخرى.',
  RECORD_XML_BROKEN:
    'صيغة XML في السجل غير صحيحة (السطر {{line}}، العمود {{column}}). انسخ الملف من مصدره مرة أخرى.',
  RECORD_XML_DOCTYPE:
    'يعلن XML في السجل نوع مستند قد يشير إلى ملفات أخرى، ولا يقرؤه النظام. احذف سطر DOCTYPE.',
  RECORD_BASE64_BROKEN: 'نص base64 في {{part}} تالف. انسخ الملف من مصدره مرة أخرى.',
  PICTURE_HEIC:
    'الملف بصيغة HEIC، صيغة صور iPhone، ولا تُقرأ هنا. احفظه بصيغة JPEG، أو اختر على الهاتف: الإعدادات، الكاميرا، التنسيقات، الأكثر توافقًا.',
  PICTURE_DOCUMENT: 'الملف ليس صورة بل {{kind}}. احفظ الصفحة أو الإطار الذي فيه الوجه بصيغة JPEG أو PNG.',
  PICTURE_UNSUPPORTED:
    'الملف بصيغة {{kind}}، ولا تُقرأ هنا. افتحه في البرنامج الذي أنشأه واحفظه بصيغة JPEG أو PNG أو TIFF.',
  PICTURE_UNKNOWN:
    'الملف ليس بأي صيغة صور معروفة هنا. استخدم JPEG أو PNG أو WebP أو AVIF أو TIFF أو BMP أو GIF أو JPEG 2000 أو سجل وجه.',
  MALFORMED_REQUEST: 'تعذّر فهم الطلب.',
  BODY_NOT_JSON: 'تعذّر فهم الطلب: يجب أن يكون نصه كائن JSON بترميز UTF-8.',
  BODY_NOT_A_FORM: 'تعذّر فهم الطلب: يجب أن يكون نصه نموذجًا كاملًا متعدد الأجزاء.',
  UNAUTHENTICATED: 'يلزم تسجيل الدخول. سجّل الدخول ثم أعد المحاولة.',
  PERSONS_NOT_ALLOWED:
    'يجوز لهذا الحساب تسجيل الصور، ولا يجوز له تسمية الأشخاص الظاهرين فيها. أرسل الصور بدون أشخاص، أو استخدم حسابًا يجوز له تعديل الأشخاص.',
  OSIA_DISABLED:
    'واجهة OSIA متوقفة لهذه الجهة. يستطيع مسؤول الجهاز تشغيلها: vouch company update NAME --osia',
  ENCOUNTER_FIXED:
    'ليس للشخص سجل حضور بهذا المعرّف يجوز لبرنامج تغييره. يستطيع مشغّل تغيير ما ورد بطريقة أخرى في لوحة التحكم.',
  ENCOUNTER_EXISTS: 'لدى الشخص سجل حضور بهذا المعرّف. لم يتغير شيء. اختر معرّفًا آخر، أو احذف ذلك أولًا.',
  ENCOUNTER_TOO_LONG:
    'يجب ألا تزيد حقول سجل الحضور على {{most}} حرفًا بصيغة JSON، بدون الصورة. أرسل حقولًا أقل.',
  PASSPHRASE_WRONG: 'عبارة المرور غير صحيحة. لم يتغير شيء. أدخلها مرة أخرى.',
  UNAUTHORIZED: 'هذا الإجراء غير مسموح لدورك.',
  REAUTHENTICATE: 'أدخل عبارة المرور مرة أخرى.',
  NOT_FOUND: 'غير موجود.',
  METHOD_NOT_ALLOWED: 'طريقة الطلب غير مسموحة.',
  REQUEST_TIMEOUT: 'استغرق وصول الطلب وقتًا أطول من المسموح.',
  DECIDED_MEANWHILE: 'اتخذ مراجع آخر القرار في عملية التحقق هذه. تحقق من قراره.',
  FLOW_CHANGED: 'غيّر مشغّل آخر مسار الثقة هذا في هذه الأثناء. تحقق من إعداداته، ثم أعد المحاولة.',
  PLAN_CHANGED: 'تغيّرت خطة المحو منذ مراجعتك لها. راجعها مرة أخرى.',
  IDEMPOTENCY_KEY_RUNNING: 'لا تزال دفعة بالمفتاح نفسه قيد الاستلام.',
  SECOND_OPERATOR_FIXED:
    'لا يستطيع المشغلون إيقاف التأكيد من مشغل ثانٍ. يستطيع ذلك مسؤول الجهاز: vouch company update NAME --no-second-operator',
  AUDIT_CONTRADICTED:
    'سجل التدقيق يناقض نقطة مرجعية سابقة، لذلك لم تُنشأ نقطة مرجعية. تحقق من السجل لمعرفة الإدخال المختلف.',
  IMAGE_DAMAGED: 'الصورة المحفوظة تالفة أو تغيّرت، لذلك لا تُعرض. يمكن للمسؤول استعادتها من نسخة احتياطية.',
  PAYLOAD_TOO_LARGE: 'الطلب أكبر من الحد المسموح.',
  BODY_TOO_LARGE: 'الطلب أكبر من الحد المسموح ({{kilobytes}} كيلوبايت).',
  FORM_TOO_MANY_FIELDS: 'في الطلب حقول أكثر من الحد ({{most}}).',
  JSON_TOO_MANY_VALUES: 'في الطلب قيم JSON أكثر من الحد ({{most}}).',
  AUDIT_TOO_MANY_OBJECTS:
    'يدل النص على أكثر من {{most}} سجل، فيكون سجل التدقيق ناقصًا. أدخل جزءًا أكبر من الاسم أو مرجعًا.',
  SEARCH_EXPIRED: 'لم تعد نتيجة هذا البحث متاحة. ابحث بالصورة نفسها مرة أخرى.',
  UNSUPPORTED_MEDIA_TYPE: 'نوع الملف غير مدعوم.',
  UNSUPPORTED_ENCODING: 'نوع الملف غير مدعوم. أرسل المحتوى دون Content-Encoding.',
  MISDIRECTED: 'أُرسل الطلب إلى عنوان لا تستخدمه الخدمة.',
  HEADERS_TOO_LARGE: 'ترويسات الطلب أكبر من المسموح، والحد الأقصى 16 كيلوبايت.',
  VALIDATION: 'البيانات المدخلة غير صالحة.',
  STORAGE_NOT_CONFIGURED: 'لم يُضبط مجلد التخزين لهذه الشركة.',
  REGISTRATION_DISABLED: 'تسجيل القياسات الحيوية غير مُمكَّن لهذه الشركة.',
  BLACKLISTS_DISABLED: 'القوائم السوداء غير مُمكَّنة لهذه الشركة.',
  BLACKLIST_INACTIVE: 'القائمة السوداء غير نشطة ولا تقبل وجوهًا جديدة.',
  IDEMPOTENCY_KEY_INVALID: 'يجب أن يكون Idempotency-Key من 1 إلى 255 حرفًا ظاهرًا من ASCII.',
  IDEMPOTENCY_KEY_REUSED: 'استُخدم Idempotency-Key هذا من قبل لدفعة أخرى.',
  VERIFICATION_CLOSED: 'انتهت عملية التحقق هذه ولا تقبل صورًا أخرى.',
  ALREADY_FIXED: 'سُجّلت نسخة مصحَّحة من هذه الصورة بالفعل، أو هي قيد المعالجة.',
  STILL_WAITING: 'لا تزال هذه الصورة قيد المعالجة. يمكنك التراجع بعد تسجيلها.',
  NO_PIPELINE_CHANGE: 'لا يوجد تبديل جارٍ لخط المعالجة: اكتمل أو أُلغي.',
  TOO_MANY_ATTEMPTS: 'محاولات كثيرة. أعد المحاولة بعد دقيقة.',
  QUEUE_PAUSED: 'قائمة انتظار التسجيل متوقفة مؤقتًا. أعد المحاولة بعد استئنافها.',
  QUEUE_FULL: 'قائمة انتظار التسجيل ممتلئة. أعد المحاولة بعد قليل.',
  DISK_FULL: 'القرص ممتلئ. يجب أن يوفّر المسؤول مساحة قبل إعادة المحاولة.',
  STORAGE_UNAVAILABLE: 'التخزين غير متاح الآن. أعد المحاولة بعد قليل.',
  OUTCOME_UNKNOWN:
    'لم تتمكن الخدمة من إكمال الطلب في الوقت المحدد، ولا يُعرف هل نُفِّذ أي تغيير. تحقق من ذلك قبل إعادة الطلب.',
  UNEXPECTED:
    'حدث خطأ غير متوقع. أبلغ المسؤول بمعرّف الطلب (X-Request-Id) الوارد في الاستجابة؛ التفاصيل في السجل.',
  IMAGES_REQUIRED: 'حقل الصور مطلوب.',
  TOO_MANY_IMAGES: 'يجب ألا يزيد عدد الصور على {{most}}.',
  IMAGE_WRONG_TYPE: 'يجب أن يكون {{field}} ملفًا من نوع jpg أو jpeg أو png.',
  IMAGE_TOO_MANY_BYTES: 'لا يجوز أن يزيد حجم {{field}} على {{kilobytes}} كيلوبايت.',
  FILE_NAME_TOO_LONG: 'اسم الملف {{field}} أطول من الحد ({{most}}). غيّر اسمه ثم أرسله مرة أخرى.',
  TEXT_HAS_NUL: 'يحتوي {{field}} على محرف غير مسموح. احذفه ثم أرسل الطلب مرة أخرى.',
  IMAGE_EMPTY: 'الملف {{field}} فارغ.',
  IMAGE_GONE: 'لم يعد {{field}} موجودًا، أو لا يمكن قراءته.',
  IMAGE_NOT_A_DATA_URI: 'يجب أن يكون {{field}} بصيغة data:<media_type>;base64,<data>.',
  IMAGE_NOT_BASE64: 'يجب أن يحتوي {{field}} على بيانات base64 صحيحة.',
  PERSONS_NOT_A_LIST:
    'يجب أن يكون الحقل persons مصفوفة JSON فيها مدخل لكل صورة: ‏null، أو كائن فيه name أو externalId أو كلاهما، ولا يزيد كل منهما على {{most}} حرفًا.',
  PERSONS_OTHER_NUMBER:
    'في الحقل persons عدد {{given}} من المدخلات مقابل {{photos}} من الصور. أرسل مدخلًا واحدًا لكل صورة، وnull للصورة التي ليس لها شخص.',
  IMAGE_NOT_A_FILE: 'يجب أن يكون {{field}} ملفًا.',
  FILE_NAME_UNREADABLE:
    'اسم الملف {{field}} ليس بترميز UTF-8 أو فُقدت حروفه قبل إرساله. أرسل الاسم بترميز UTF-8 أو في filename*.',
  FORM_PART_UNREADABLE:
    'الجزء {{part}} من النموذج ليس له Content-Disposition: form-data مقروء مع اسم. أرسل النموذج مرة أخرى.',
  FORM_PART_ENCODED: 'أُرسل {{field}} بترميز Content-Transfer-Encoding: {{encoding}}. أرسل بياناته كما هي.',
  CURSOR_UNKNOWN: 'القيمة {{field}} لم ترد من أي صفحة لهذه القائمة. ابدأ من الصفحة الأولى.',
  FIELD_WITHOUT_NAME: 'في النموذج جزء بلا اسم.',
  FIELD_UNKNOWN: 'الحقل {{field}} غير مقبول.',
  SIGNATURE_NOT_A_DATA_URI: 'يجب أن يكون {{field}} بصيغة data:<media_type>;base64,<data>.',
  SIGNATURE_WRONG_MEDIA_TYPE: 'يجب أن يكون {{field}} من نوع image/png أو image/jpeg.',
  SIGNATURE_NOT_BASE64: 'يجب أن يحتوي {{field}} على بيانات base64 صحيحة.',
  SIGNATURE_EMPTY: 'الملف {{field}} فارغ.',
  SIGNATURE_TOO_MANY_BYTES: 'لا يجوز أن يزيد حجم {{field}} على {{kilobytes}} كيلوبايت.',
  SIGNATURE_NOT_AN_IMAGE: 'يجب أن يكون {{field}} صورة من نوع jpg أو jpeg أو png.',
  SIGNATURE_UNDECODABLE: 'الصورة {{field}} تالفة ولا يمكن قراءتها.',
  SIGNATURE_UNSUPPORTED_KIND:
    'الصورة {{field}} نوع غير مدعوم من JPEG أو PNG. احفظها من جديد بتنسيق JPEG من 8 بت لكل قناة أو PNG بلا حركة.',
  SIGNATURE_TOO_SMALL: 'يجب ألا يقل أقصر ضلع في {{field}} عن {{pixels}} بكسل.',
  SIGNATURE_TOO_MANY_PIXELS: 'لا يجوز أن تزيد الصورة {{field}} على {{megapixels}} ميغابكسل.',
  SIGNATURE_TOO_LARGE:
    'لا يجوز أن يزيد ضلع {{field}} على {{pixels}} بكسل أو أن تحتاج الصورة إلى ذاكرة كبيرة لفك ترميزها. احفظها ببكسلات أقل.',
  SIGNATURE_SET_COUNT: 'يجب أن يكون عدد تواقيع المضاهاة بين {{least}} و{{most}}.',
  SIGNATURE_SET_TOO_MANY_BYTES:
    'يجب ألا تتجاوز الصور معًا {{kilobytes}} كيلوبايت. أرسل صورًا أصغر أو تواقيع مضاهاة أقل.',
  SIGNATURE_ANOTHER_FILE: 'الملف {{field}} ليس الملف المقارَن: قيمة تجزئة SHA-256 مختلفة.',
  FLOW_NEVER_PUBLISHED: 'ليس لمسار الثقة هذا إصدار منشور، فلا يمكن تجاهل مسودته. عدّل المسودة بدلًا من ذلك.',
  NAME_TAKEN: 'هذا الاسم مستخدم بالفعل.',
  LAST_ADMIN: 'يلزم مسؤول نشط واحد على الأقل. أضف مسؤولًا آخر أولًا.',
  COMPANY_HAS_NO_OPERATOR: 'هذه الشركة موجودة. أنشئ مشغّلها الأول في سطر الأوامر: vouch operator create',
  PASSPHRASE_TOO_SHORT: 'يجب ألا يقل عدد أحرف عبارة المرور عن {{least}}.',
  PASSPHRASE_IS_NAME: 'لا تجعل عبارة المرور اسمًا.',
  PASSPHRASE_GUESSED: 'عبارة المرور سهلة التخمين: فيها تكرار أو نمط من لوحة المفاتيح.',
  BLACKLIST_NOT_ACTIVE: 'القائمة السوداء المحددة غير نشطة.',
  ALREADY_EXPIRED: 'تاريخ الانتهاء في الماضي. اختر تاريخًا في المستقبل.',
  PARAMETER_UNKNOWN: 'لا توجد معلمة باسم {{parameter}}. صحّح اسمها أو احذفها.',
  SETTING_UNKNOWN: 'لا يوجد إعداد باسم {{setting}}.',
  STORAGE_FOLDER_RELATIVE: 'اكتب مسار المجلد كاملًا.',
  STORAGE_FOLDER_UNUSABLE: 'لا يمكن استخدام المجلد. {{cause}} اختر مجلدًا آخر.',
  STORAGE_FOLDER_OF_SYSTEM: 'يتداخل المجلد مع {{folder}}، وهو لنظام التشغيل. اختر مجلدًا آخر.',
  STORAGE_FOLDER_OF_HOME:
    'يتداخل المجلد مع مجلد بيانات Vouch ‏({{folder}}). اختر مجلدًا خارجه، أو المكان المخصص لهذه الشركة: {{own}}',
  STORAGE_FOLDER_OF_IMAGES:
    'يتداخل المجلد مع مجلد كل الصور ({{folder}}). اختر مجلدًا خارجه، أو المكان المخصص لهذه الشركة: {{own}}',
  STORAGE_FOLDER_OF_COMPANY: 'يتداخل المجلد مع {{folder}}، وهو مجلد تخزين شركة أخرى. اختر مجلدًا آخر.',
  STORAGE_FOLDER_OTHER_PLACE: 'تُحفظ صور هذه الشركة في مخزن الصور في {{own}}. اكتب هذا المكان، أو مجلدًا.',
  STORAGE_FOLDER_NO_STORE:
    'يحفظ هذا النظام الصور في مجلدات. لحفظها في مخزن صور، شغّل الخدمة بالخيار --images مع عنوانه.',
  STORAGE_FOLDER_MARKED: 'المجلد لشركة أخرى أو لنظام Vouch آخر ({{marker}}). اختر مجلدًا آخر.',
  STORAGE_FOLDER_FOREIGN_IMAGES: 'في المجلد صور لا تعرفها هذه الشركة. اختر مجلدًا آخر.',
  STORAGE_FOLDER_ABSENT:
    'مجلد التخزين {{folder}} ليس في مكانه: ملف علامته {{marker}} غير موجود. وصّل قرصه، أو تحقق من الحاوية والبادئة في --images. إذا نُقل المجلد أو فُقدت العلامة فاربطه: vouch company update "{{company}}" --storage FOLDER',
  STORAGE_FOLDER_EXCHANGED:
    'المجلد {{folder}} لشركة أخرى أو لنظام Vouch آخر. وصّل قرصه، أو تحقق من الحاوية والبادئة في --images. أو اربط المجلد الصحيح: vouch company update "{{company}}" --storage FOLDER',
  STORAGE_FOLDER_AWAY: 'لا يمكن استخدام مجلد التخزين الآن. {{cause}}',
  STORAGE_MARKER_UNREADABLE: 'لا يمكن قراءة ملف العلامة {{file}}. {{cause}}',
  STORAGE_MARKER_DAMAGED:
    'ملف العلامة {{marker}} في {{folder}} تالف. احذفه ثم اربط المجلد من جديد: vouch company update NAME --storage FOLDER',
  IMAGES_ELSEWHERE:
    '{{location}} ليس في مخزن الصور لهذا النظام. شغّل الخدمة بالخيار --images مع عنوان ذلك المخزن.',
  IMAGES_STORE_FAILED: 'لم ينفّذ مخزن الصور {{location}} طلبًا. رمز الخطأ: {{code}}.',
  IMAGES_BUCKET_KEEPS:
    'تحتفظ حاوية {{location}} بالنسخ القديمة أو تقفل الكائنات، أو فعلت ذلك من قبل، فتبقى فيها الصورة الممحوة. لم يتغير شيء. أنشئ حاوية دون إصدارات ودون قفل للكائنات.',
  AUDIT_MISSING: 'الإدخال مفقود.',
  AUDIT_BEFORE_FIRST: 'يوجد إدخال قبل الأول.',
  AUDIT_CHANGED: 'تغيّر الإدخال أو قيمة تجزئته.',
  AUDIT_NOT_AS_ANCHORED: 'يختلف هذا الإدخال أو إدخال سابق عن النقطة المرجعية.',
  AUDIT_ANCHOR_UNREADABLE: 'لا يمكن قراءة النقطة المرجعية التي تشمله: السطر {{line}} من {{file}} تالف.',
  AUDIT_ANCHORS_FALL:
    'في {{file}} نقطة مرجعية للإدخال {{sequence}} بعد نقطة للإدخال {{before}}. أُعيد السجل إلى حالة سابقة، أو تغيّر ترتيب الملف.',
  AUDIT_TRUNCATED:
    'هذا الإدخال وكل ما بعده مفقود، مع أن للسجل نقطة مرجعية عند الإدخال {{anchored}}. اقتُطع السجل أو أُعيد إلى حالة سابقة.',
  AUDIT_HEAD_MISSING: 'رأس السجل مفقود.',
  AUDIT_END_MISSING: 'الإدخال مفقود: كان عدد إدخالات السجل {{entries}}.',
  AUDIT_UNSIGNED: 'أُضيف الإدخال دون توقيع.',
  AUDIT_NOT_THE_HEAD: 'ليس الإدخال الذي يذكره رأس السجل.',
  AUDIT_KEY_MISSING: 'المفتاح الذي يوقّع رأس السجل مفقود.',
  AUDIT_HEAD_UNSIGNED: 'رأس السجل غير موقّع بمفتاحه.',
  AUDIT_ANCHOR_FOREIGN:
    'النقطة المرجعية موقّعة بمفتاح غير مفتاح هذا السجل. استُبدل المفتاح أو النقطة المرجعية.',
  AUDIT_UNGUARDED: 'المشغّلات التي تمنع التغيير مفقودة.',
  WATCH_SILENT: 'لا تستجيب الخدمة. يعيد vouch watch المحاولة.',
  WATCH_BATCH_RUNNING: 'لا تزال الدفعة نفسها قيد الاستلام. يعيد vouch watch المحاولة بعد {{seconds}} ث.',
  WATCH_TOO_MANY: 'الطلبات كثيرة. يعيد vouch watch المحاولة بعد {{seconds}} ث.',
  WATCH_QUEUE: 'قائمة انتظار التسجيل ممتلئة أو متوقفة مؤقتًا. يعيد vouch watch المحاولة بعد {{seconds}} ث.',
  WATCH_ENDED: 'انتهى vouch watch بخطأ. اقرأ رسالته في سطر الأوامر، أو في سجل خدمة النظام الخاصة به.',
  FIELD_NOT_OF_KIND: 'القيمة ناقصة أو من نوع غير صحيح.',
  FIELD_TOO_SMALL: 'القيمة أقل من الحد الأدنى ({{least}}).',
  FIELD_TOO_LARGE: 'القيمة أكبر من الحد الأقصى ({{most}}).',
  FIELD_INVALID: 'القيمة غير صالحة.',
  BLACKLIST_UNKNOWN: 'لا توجد قائمة سوداء برقم {{blacklist}} في هذه الشركة.',
  INSTALLATION_NOT_TRUSTED: 'لا تثق الشركة بالنظام الآخر. أضف شهادته أولًا.',
  BLACKLIST_EMPTY: 'لا توجد وجوه للتصدير في القائمة السوداء «{{name}}».',
  BLACKLIST_TOO_LARGE: 'عدد وجوه القائمة السوداء {{faces}}، والحد الأقصى للحزمة {{most}}. قسّم القائمة.',
  PACKAGE_TEMPLATES_DIFFER: 'في الحزمة قوالب بأطوال مختلفة. لم يُستورد شيء. اطلب حزمة جديدة من النظام المرسل.',
  PACKAGE_SENDER_UNKNOWN:
    'الحزمة من نظام لا تثق به هذه الشركة، ويسمّي نفسه «{{name}}». لم يتغيّر شيء. اطلب شهادته وقارن بصمة المفتاح ثم أضفه.',
  PACKAGE_OLDER:
    'صُدّرت هذه الحزمة في {{exported}}، وسبق استيراد نسخة أحدث من القائمة نفسها ({{newer}}) برقم {{import}}. لم يتغيّر شيء. لاستيراد الأقدم تراجع عن ذلك الاستيراد أولًا.',
  PACKAGE_IMPORTED:
    'سبق استيراد هذه الحزمة إلى القائمة السوداء {{blacklist}} برقم {{import}}. لم يتغيّر شيء. لاستيرادها إلى قائمة أخرى تراجع عن ذلك الاستيراد ({{undo}}) أولًا.',
  PACKAGE_LIST_NAME_INVALID: 'لا يمكن استخدام اسم هذه القائمة هنا. استوردها إلى قائمة من قوائم هذا النظام.',
  PACKAGE_LIST_INACTIVE: 'القائمة السوداء «{{name}}» غير نشطة ولا تقبل وجوهًا جديدة. نشّطها أولًا.',
  PACKAGE_TOO_MANY_FACES: 'في الحزمة وجوه أكثر من الحد ({{most}}). لم يتغيّر شيء. اطلب القائمة على أجزاء.',
  PACKAGE_OTHER_PIPELINE:
    'قوالب الوجوه ({{faces}}) من خط معالجة غير الخط النشط ({{pipeline}})، وليس في الحزمة صور لإعادة إنشائها. لم يتغيّر شيء. اطلب القائمة مع صورها، أو استخدم خط المعالجة نفسه في النظامين.',
  PACKAGE_SIGNATURE_WRONG:
    'توقيع الحزمة ليس توقيع النظام المذكور فيها. لم يتغيّر شيء. اطلب حزمة جديدة من ذلك النظام.',
  PACKAGE_FACE_INVALID:
    'لا يمكن استخدام {{part}} في الوجه {{face}} من الحزمة: {{fault}}. لم يُستورد شيء. اطلب حزمة جديدة من النظام المرسل.',
  PACKAGE_NOT_ONE: 'هذا الملف ليس قائمة سوداء مصدَّرة من Vouch. لم يتغيّر شيء.',
  PACKAGE_FORMAT_NEWER:
    'تنسيق هذه الحزمة {{format}}، وهذا الإصدار من Vouch يقرأ التنسيق {{known}}. لم يتغيّر شيء. استخدم إصدارًا أحدث.',
  PACKAGE_FOR_OTHER_INSTALLATION:
    'الحزمة مشفّرة لنظام آخر. لم يتغيّر شيء. أرسل شهادة نظامك إلى المرسل واطلب حزمة جديدة.',
  INSTALLATION_CERTIFICATE_OWN: 'هذه شهادة هذا النظام. استخدم شهادة النظام الآخر.',
  INSTALLATION_NAME_TAKEN: 'يوجد نظام آخر باسم «{{name}}». اختر اسمًا آخر.',
  PACKAGE_TOO_LARGE: 'الحزمة أكبر من {{gib}} جيبيبايت. اطلب القائمة على أجزاء أو دون صور.',
  PACKAGE_IMPORTING_ALREADY: 'استيراد هذه الحزمة جارٍ بالفعل.',
  PACKAGE_IMPORTING: 'استيراد هذه الحزمة جارٍ.',
  IMPORT_UNDONE: 'سبق التراجع عن الاستيراد {{import}}.',
  INSTALLATION_CERTIFICATE_NOT_ONE: 'هذا الملف ليس شهادة نظام. تُنشأ الشهادة في النظام الآخر.',
  INSTALLATION_CERTIFICATE_CHANGED: 'تغيّرت الشهادة منذ أنشأها نظامها. اطلبها مرة أخرى.',
  INSTALLATION_CERTIFICATE_FINGERPRINT_WRONG:
    'بصمة مفتاح الشهادة {{fingerprint}} تختلف عن البصمة التي أدخلتها. لا تثق بهذه الشهادة: لم تصدر عن النظام الذي قرأ البصمة.',
  PACKAGE_FORM_UNKNOWN:
    'لا يدعم هذا الإصدار من Vouch تنسيق هذه الحزمة. لم يتغيّر شيء. حدّث Vouch أو اطلب حزمة جديدة.',
  PACKAGE_MANIFEST_TOO_LARGE:
    'بيان محتويات الحزمة أكبر من {{kib}} كيبيبايت، ولا ينشئ أي إصدار من Vouch حزمة كهذه. لم يتغيّر شيء. لا تستخدم هذه الحزمة، واطلب حزمة جديدة.',
  PACKAGE_DAMAGED: 'الحزمة تالفة: تغيّرت أو قُطعت أو لم تُنسخ كاملة. لم يتغيّر شيء هنا. انسخها مرة أخرى.',
  PACKAGE_LIST_NAME_TAKEN:
    'توجد هنا قائمة سوداء باسم «{{name}}». لم يتغيّر شيء. استورد إليها، أو غيّر اسمها أولًا.',
  PACKAGE_LIST_NAMED:
    'توجد هنا قائمة سوداء باسم «{{name}}» (رقم {{blacklist}}). لم يتغيّر شيء. استورد إليها، أو غيّر اسمها أولًا.',
  PACKAGE_OVERTAKEN: 'تغيّرت وجوه الشركة أثناء قراءة الحزمة. لم يتغيّر شيء؛ استوردها مرة أخرى.',
  FOLDER_SIGNED_OUT: 'لم تسجّل الدخول في هذه النافذة. سجّل الدخول ثم اختر المجلد مرة أخرى.',
  FOLDER_NOT_ALLOWED: 'لا يشمل دورك تسجيل الصور. يمكن للمسؤول تغيير دورك.',
  FOLDER_COMPANY_GONE: 'لم تعد شركة هذه الجلسة موجودة.',
  FOLDER_OF_VOUCH: 'هذا المجلد يخص Vouch نفسه. اختر المجلد الذي فيه الصور.',
  FOLDER_TOO_LARGE: 'في هذا المجلد ملفات أكثر من الحد ({{most}}). سجّل مجلداته الفرعية واحدًا واحدًا.',
  FOLDER_RELATIVE: 'لم يُذكر مجلد من هذا الجهاز. اختره مرة أخرى.',
  FOLDER_ABSENT: 'لم يعد هذا المجلد موجودًا. اختره مرة أخرى.',
  FOLDER_IS_FILE: 'هذا ملف وليس مجلدًا. اختر المجلد الذي فيه الصور.',
  FOLDER_UNREADABLE:
    'لا تستطيع الخدمة قراءة هذا المجلد. امنح حسابها إذن القراءة، أو انسخ الصور إلى مكان آخر.',
  FOLDER_SERVICE_SILENT: 'خدمة Vouch لا تستجيب. أعد المحاولة لاحقًا.',
  NETWORK_CERTIFICATE_UNREADABLE:
    'تعذّرت قراءة الشهادة: استخدم ملف PEM يبدأ بالسطر -----BEGIN CERTIFICATE----- وتكون شهادة هذا الجهاز أولًا.',
  NETWORK_KEY_UNREADABLE: 'تعذّرت قراءة المفتاح الخاص: استخدم ملف PEM دون عبارة مرور.',
  NETWORK_KEY_FOREIGN: 'المفتاح الخاص ليس مفتاح هذه الشهادة. استخدم الشهادة ومفتاحها معًا.',
  NETWORK_CERTIFICATE_NAMES:
    'الشهادة لا تشمل {{missing}}؛ بل تشمل {{names}}. استخدم أسماءها أو شهادة لهذه الأسماء.',
  NETWORK_CERTIFICATE_EXPIRED:
    'الشهادة صالحة من {{from}} إلى {{to}}، وليست صالحة الآن. تحقق من ساعة هذا الجهاز أو استخدم شهادة أخرى.',
  NETWORK_OFF: 'الوصول عبر الشبكة متوقف. شغّله أولًا.',
  NETWORK_CERTIFICATE_OF_SITE: 'أصدر مرجعك المصدِّق هذه الشهادة. احصل على شهادة جديدة منه للأسماء {{names}}.',
  NETWORK_PORT_TAKEN: 'يستخدم برنامج آخر المنفذ {{port}}. اختر منفذًا آخر أو أوقف ذلك البرنامج.',
  NETWORK_ADDRESS_FOREIGN:
    'العنوان {{address}} ليس من عناوين هذا الجهاز. اختر أحد عناوينه، أو 0.0.0.0 لكلها.',
  NETWORK_PORT_FORBIDDEN:
    'لا تملك الخدمة إذن الاستماع إلى المنفذ {{port}}: المنافذ دون 1024 محجوزة للنظام. اختر منفذًا أعلى مثل 4611.',
  NETWORK_NOT_LISTENING: 'لا تستطيع الخدمة الاستماع إلى العنوان {{address}} والمنفذ {{port}}. {{cause}}',
  NETWORK_NOT_RESTORED:
    '{{cause}} وتعذرت أيضًا استعادة الإعدادات السابقة: {{again}} الوصول عبر الشبكة متوقف الآن. شغّله بعد إصلاح ذلك.',
  PACK_CHANGED: 'تغيّرت الحزمة «{{name}}» ({{found}} بدلًا من {{expected}}).',
  PACK_NAME_INVALID: 'يجب أن يتكوّن اسم المجلد من أحرف لاتينية صغيرة وأرقام وشرطات، 40 على الأكثر.',
  PACK_NAME_BUILT_IN: 'هذا اسم خط معالجة مضمّن. غيّر اسم المجلد.',
  PACK_FILE_NOT_REGULAR:
    'الملف {{file}} رابط أو مجلد أو جهاز، أو لا يمكن فتحه. ضع الملف نفسه في مجلد الحزمة.',
  PACK_FILE_TOO_LARGE:
    'حجم الملف {{file}} أكبر من {{mebibytes}} ميبي بايت. استخدم شبكة أصغر، أو تحقق من أنه الملف الصحيح.',
  PACK_FILE_MISSING: 'الملف {{file}} غير موجود.',
  PACK_NET_CHANGED: 'الملف {{file}} ليس المذكور في البيان: قيمة تجزئته {{found}} بدلًا من {{expected}}.',
  PACK_MANIFEST_NOT_JSON: 'الملف {{file}} ليس ملف JSON صالحًا.',
  PACK_MANIFEST_INVALID: 'في الملف {{file}} إدخالات ناقصة أو قيمها غير صالحة: {{entries}}.',
  PACK_RATES_NOT_FALLING: 'يجب أن تنخفض معدلات المعايرة من نقطة إلى التي تليها.',
  PACK_RATES_TOO_NARROW: 'يجب أن تمتد معدلات المعايرة من {{widest}} أو أكثر إلى {{rarest}} أو أقل.',
  PACK_THRESHOLDS_NOT_STRICTER:
    'في المعايرة يجب أن يتطلب المعدل الأقل للمطابقات الخاطئة تشابهًا أعلى (cosine) أو مسافة أصغر (euclidean).',
  PACK_BYTES_SCALED: 'يجب ألّا يكون في البيان متوسط ولا مقياس لشبكة تأخذ البايتات كما هي.',
  PACK_NET_UNREADABLE: 'تعذّر تحميل الملف {{file}} بصفته شبكة ONNX. السبب في سجل الخدمة.',
  PACK_NET_INPUT_INVALID: 'لا يقبل {{file}} المُدخل المذكور في البيان. السبب في سجل الخدمة.',
  PACK_NET_WITHOUT_OUTPUT: 'ليس في {{file}} مُخرج «{{output}}» من أعداد 32 بت.',
  PACK_NET_LENGTH_WRONG: 'يعطي {{file}} لكل وجه {{found}} عددًا بدلًا من {{expected}}.',
  PACK_UNKNOWN: 'لا يوجد خط معالجة باسم «{{name}}».',
  PIPELINE_UNKNOWN: 'لا يوجد خط معالجة باسم «{{name}}». المتاح: {{known}}.',
  PIPELINE_SUPERSEDED: 'حلّ خط المعالجة «{{successor}}» محل هذا الخط. اختره.',
  PIPELINE_UNUSABLE: 'تعذّر تحميل خط المعالجة. تحقق من أنه مثبّت، واقرأ سجل الخدمة.',
  CALIBRATION_FULL: 'تقبل المعايرة {{most}} صورة على الأكثر.',
  CALIBRATION_MISLABELLED: 'صورة واحدة مصنّفة لشخصين. لم يتغير شيء. صحّح التصنيف أولًا.',
  CALIBRATION_TOO_FEW: 'عدد الصور أقل مما تحتاج إليه المعايرة. لم يتغير شيء.',
  SIGNATURE_CALIBRATION_FULL:
    'تقبل معايرة التواقيع {{most}} ملف و{{megabytes}} ميبيبايت على الأكثر. اختر تواقيع أقل لكل كاتب.',
  SIGNATURE_CALIBRATION_CLOSED: 'تجري مقارنة تواقيع هذه المعايرة. ابدأ معايرة جديدة لإضافة ملفات.',
  SIGNATURE_CALIBRATION_MISLABELLED: 'لملف واحد تسميتان. لم يتغير شيء. احذف النسخة الخاطئة وابدأ من جديد.',
  SIGNATURE_CALIBRATION_UNFINISHED: 'ما زالت تواقيع هذه المعايرة تُقارَن. انتظر حتى تنتهي مقارنة كل الأزواج.',
  SIGNATURE_CALIBRATION_TOO_FEW: 'التواقيع أقل من أن تكفي لمعايرة. لم يتغير شيء.',
  CALIBRATION_RUN_UNKNOWN: 'هذه المعايرة غير موجودة أو انتهت مدتها. ابدأ من جديد.',
  THRESHOLDS_NOT_STRICT:
    'ليس لخط المعالجة {{pipeline}} عتبات صارمة. أجرِ المعايرة على صورك: vouch calibration measure',
  SYSTEM_NOT_FOUND: 'لا يوجد ملف أو مجلد بهذا الاسم.',
  SYSTEM_NOT_FOLDER: 'جزء من المسار ملف وليس مجلدًا.',
  SYSTEM_EXISTS: 'يوجد بالفعل ملف بهذا الاسم.',
  SYSTEM_IS_FOLDER: 'المسار مجلد وليس ملفًا.',
  SYSTEM_FORBIDDEN: 'لا يملك حساب الخدمة الإذن.',
  SYSTEM_READ_ONLY: 'هذا القرص للقراءة فقط.',
  SYSTEM_DISK_FULL: 'هذا القرص ممتلئ.',
  SYSTEM_QUOTA_USED: 'استنفد حساب الخدمة حصته من القرص.',
  SYSTEM_DEVICE_FAILED: 'أبلغ هذا القرص أو اتصاله بالشبكة عن خطأ.',
  SYSTEM_DEVICE_GONE: 'هذا القرص غير موصول.',
  SYSTEM_FILES_EXHAUSTED: 'الملفات المفتوحة على هذا الجهاز أكثر من الحد.',
  SYSTEM_CONNECTION_REFUSED: 'لا يقبل أي برنامج الاتصال.',
  SYSTEM_CONNECTION_LOST: 'انقطع الاتصال.',
  SYSTEM_NO_ANSWER: 'لم تصل استجابة في الوقت المحدد.',
  SYSTEM_UNREACHABLE: 'لا تصل الشبكة إلى هذا العنوان.',
  ANSWER_UNEXPECTED: 'حالة HTTP للاستجابة هي {{status}}.',
  SYSTEM_OTHER: 'أبلغ نظام التشغيل عن الخطأ {{code}}.',
  CAUSE_IN_LOG: 'السبب في سجل الخدمة.',
  COMPANY_GONE: 'لم تعد هذه الشركة موجودة.',
  BACKUP_NO_KEY: 'لا يوجد مفتاح للنسخ الاحتياطي. أنشئ المفتاح أولًا.',
  BACKUP_KEY_CHANGED:
    'أُنشئ مفتاح آخر للنسخ الاحتياطي في هذه الأثناء. تحقق من بصمة المفتاح الحالي ثم أعد المحاولة.',
  BACKUP_RUNNING: 'نسخة احتياطية أخرى قيد الإنشاء. انتظر حتى تنتهي أو ألغها.',
  BACKUP_SEVERAL_COMPANIES:
    'يضم هذا النظام عدة شركات، والنسخة الاحتياطية تحتوي عليها كلها. ينشئ المسؤول المحلي النسخ الاحتياطية من سطر الأوامر: vouch backup FILE',
  BACKUP_OF_SERVER:
    'سجلات هذا النظام في قاعدة بيانات PostgreSQL لا يستطيع Vouch نسخها. انسخ قاعدة البيانات احتياطيًا باستخدام pg_dump أو pgBackRest، وكذلك المجلد {{folder}} الذي يحتوي على مفتاح التخزين، ومكان الصور: هذا المجلد أو المكان المحدد في --images.',
  BACKUP_PLACE_GONE: '{{place}} غير متاح. وصّل القرص أو اختر مكانًا آخر.',
  BACKUP_PLACE_UNWRITABLE: 'لا يستطيع حساب Vouch الكتابة في {{place}}. غيّر الأذونات أو اختر مكانًا آخر.',
  BACKUP_PLACE_FULL:
    'المساحة الحرة في {{place}} هي {{free}} ميبيبايت، والنسخة الاحتياطية تحتاج إلى نحو {{needed}} ميبيبايت. أخلِ مساحة أو اختر مكانًا آخر.',
  BACKUP_NOT_VERIFIED:
    'تعذّرت قراءة النسخة الاحتياطية بعد كتابتها، فأُزيلت. افحص القرص ثم ابدأ النسخ الاحتياطي من جديد.',
  BACKUP_INTERRUPTED:
    'توقفت الخدمة أثناء النسخ الاحتياطي، وأُزيل الملف غير المكتمل. ابدأ النسخ الاحتياطي من جديد.',
  BACKUP_FAILED: 'فشل النسخ الاحتياطي. التفاصيل في سجل الخدمة.',
  DUPLICATE_SEARCH_UNFINISHED: 'لم ينتهِ بحث سابق عن التسجيلات المكررة بعد. انتظر حتى ينتهي أو ألغه.',
  DUPLICATE_SEARCH_STATE: 'تغيّرت حالة هذا البحث في هذه الأثناء. تحقق من حالته الحالية ثم أعد المحاولة.',
  DUPLICATE_SEARCH_NONE: 'لا يوجد بحث جارٍ عن التسجيلات المكررة في هذه الشركة.',
  TOO_FEW_FACES: 'عدد الوجوه التي يمكن مقارنتها أقل من وجهين. سجّل صورًا أولًا.',
  GROUP_CHANGED: 'تغيّرت المجموعة في هذه الأثناء. تحقق من الوجوه الحالية ثم قرّر.',
  DECISION_CONTRADICTED: 'يتعارض هذا القرار مع قرار سابق. تراجع عن القرار السابق أولًا.',
  SECOND_OPERATOR_NEEDED:
    'يجب أن يؤكد هذا القرار مشغّل آخر. لا يمكن لبرنامج أن يؤكده، ولا لمشغّل أنشأ الرمز المميز أو مفتاح التوقيع الذي استُخدم لاتخاذ القرار. المشغّلون الذين أعطى أحدهم الآخر عبارة مرور خلال 30 يومًا يُعدّون شخصًا واحدًا.',
  EXAMINATION_STEP:
    'هذه الخطوة ليست الخطوة التالية في المضاهاة. تسبقها خطوة أخرى، أو حُفظت من قبل، أو ليس للمشغّل المحدد عمل غير مكتمل يمكنك إنهاؤه.',
  FACE_HAS_PERSON: 'الصورة تخص شخصًا آخر بالفعل. انقل الصورة من ذلك الشخص أو ادمج الشخصين.',
  SPECIMENS_OFF: 'لا تخزّن هذه الشركة نماذج تواقيع. يمكن للمسؤول تشغيل ذلك في الإعدادات، صفحة الشركة.',
  SPECIMENS_FULL: 'لدى الشخص {{most}} من نماذج التواقيع، وهذا هو الحد الأقصى. امحُ نموذجًا لتضيف غيره.',
  SPECIMEN_PRESENT: 'هذا الملف محفوظ بالفعل نموذج توقيع لهذا الشخص.',
  SPECIMEN_UNUSABLE: 'لا تُظهر الصورة توقيعًا يمكن مقارنته. أرسل توقيعًا كاملًا واحدًا على خلفية سادة.',
  SPECIMENS_ERASURE_UNCONFIRMED:
    'يمحو هذا نماذج التواقيع المحفوظة في الشركة، وعددها: {{specimens}}. أكّد هذا العدد.',
  REQUEST_KEY_REUSED: 'سبق استخدام مفتاح التكرار لطلب مختلف.',
  DECISION_UNDONE: 'تم التراجع عن هذا القرار من قبل.',
  CASE_FOLDER_REFUSED: 'لا يسمح ملف القضية بذلك: إنه مغلق، أو أُزيل القيد أو مُحي، أو لم تكتمل المضاهاة.',
  CASE_FILE_TYPE: 'المرفق ليس ملف PDF أو JPEG أو PNG أو نصًا عاديًا. حوّله ثم أضفه من جديد.',
  CASE_FILE_CHANGED:
    'المرفق المحفوظ ليس المرفق الذي أُضيف: قيمة تجزئته SHA-256 تختلف عن المدوّنة في سلسلة الحيازة. استعد نسخة احتياطية أو أزل القيد.',
  PERSON_CHANGED: 'تغيّرت بيانات الشخص في هذه الأثناء. تحقق من البيانات الحالية ثم أعد المحاولة.',
  PERSON_MERGE_SELF: 'لا يمكن دمج شخص مع نفسه. اختر شخصًا آخر.',
  PERSON_SPLIT_ALL: 'يجب أن يُبقي التقسيم صورة واحدة على الأقل لدى الشخص. اختر صورًا أقل.',
  EXTERNAL_ID_TAKEN: 'هذا المعرّف الخارجي مستخدم لشخص آخر في هذه الشركة. استخدم معرّفًا آخر أو ادمج الشخصين.',
  SAMPLE_ACCEPTED: 'قُبلت مجموعات هذه العينة من قبل. تراجع عن القبول أو ابدأ عينة جديدة.',
  SAMPLE_NOT_ACCEPTED: 'لم تُقبل مجموعات هذه العينة، فلا يوجد ما يمكن التراجع عنه.',
  SAMPLE_EXPIRED: 'انتهت صلاحية هذه العينة. ابدأ عينة جديدة.',
  SAMPLE_NOT_CLEAN:
    'العينة غير مكتملة أو فيها خطأ. لا تُقبل المجموعات دفعة واحدة إلا بعد عينة مكتملة بلا خطأ.',
};

/** Why a photo was not enrolled. */
export const failures: Translation<typeof en.failures> = {
  NO_FACE: {
    sentence: 'لم يُكتشف وجه في الصورة.',
    remedy: 'استخدم صورة جيدة الإضاءة لوجه واحد غير محجوب ينظر إلى الكاميرا.',
  },
  FACE_TOO_SMALL: {
    sentence: 'الوجه صغير جدًا.',
    remedy: 'استخدم الصورة الأصلية بدقتها الكاملة، لا المصغّرة.',
  },
  MULTIPLE_FACES: { sentence: 'اكتُشفت عدة وجوه في الصورة.', remedy: 'قُصّ الصورة إلى شخص واحد.' },
  FACE_OBSCURED: {
    sentence: 'الوجه محجوب.',
    remedy: 'استخدم صورة بلا قناع أو نظارة شمسية أو أي شيء يغطي الوجه.',
  },
  FACE_CROPPED: {
    sentence: 'الوجه مقطوع عند حافة الصورة.',
    remedy: 'استخدم صورة تُظهر الوجه كاملًا من الجبين إلى الذقن.',
  },
  EXTREME_POSE: {
    sentence: 'زاوية الوجه كبيرة جدًا.',
    remedy: 'استخدم صورة ينظر فيها الشخص إلى الكاميرا ورأسه مستقيم.',
  },
  NEAR_BORDER: { sentence: 'الوجه قريب جدًا من حافة الصورة.', remedy: 'استخدم صورة فيها مساحة حول الوجه.' },
  LOW_SHARPNESS: {
    sentence: 'الصورة غير حادة بما يكفي.',
    remedy: 'استخدم صورة واضحة لم تُكبَّر من صورة أصغر.',
  },
  TOO_DARK: { sentence: 'الصورة داكنة جدًا.', remedy: 'استخدم صورة بإضاءة أكثر على الوجه.' },
  TOO_BRIGHT: { sentence: 'الصورة ساطعة جدًا.', remedy: 'استخدم صورة بلا وهج أو مناطق فاقدة للتفاصيل.' },
  CORRUPT_IMAGE: {
    sentence: 'الصورة تالفة ولا يمكن قراءتها.',
    remedy: 'انسخ الأصل مرة أخرى أو احفظه من جديد بتنسيق JPEG أو PNG.',
  },
  UNSUPPORTED_IMAGE: {
    sentence: 'هذا النوع من JPEG أو PNG غير مدعوم.',
    remedy: 'احفظ الصورة من جديد بتنسيق JPEG من 8 بت لكل قناة أو PNG بلا حركة.',
  },
  IMAGE_TOO_LARGE: {
    sentence: 'تتجاوز الصورة أحد الحدود: 50 ميغابكسل، أو 20000 بكسل للضلع، أو 300 ميغابايت أثناء فك ترميزها.',
    remedy: 'قلّل دقة الصورة واحفظها بتنسيق JPEG؛ يكفي 2 ميغابكسل.',
  },
  ENGINE_ERROR: {
    sentence: 'تعذرت معالجة الصورة.',
    remedy: 'احفظ الصورة من جديد بتنسيق JPEG وأعد المحاولة؛ إذا فشلت فاتصل بالدعم واذكر معرّف الدفعة.',
  },
  TIMEOUT: {
    sentence: 'استغرقت معالجة الصورة وقتًا طويلًا.',
    remedy: 'قلّل دقة الصورة وأعد المحاولة.',
  },
  CANCELLED: { sentence: 'أُلغيت قبل أن تُعالج.', remedy: 'ارفعها مرة أخرى إذا كانت لا تزال مطلوبة.' },
};
