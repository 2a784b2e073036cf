import type * as en from './system.en.ts';
import { samePlural, type Translation } from './translation.ts';

/** Arabic texts of the System screen. */
export const system: Translation<typeof en.system> = {
  state: 'الإصدار {{version}}، يعمل منذ {{since}}',
  depth: 'في الانتظار',
  rate: 'المعدل',
  perMinute: '{{rate}} في الدقيقة',
  noRate: 'لم يُعالَج شيء في آخر 5 دقائق',
  oldest: 'الأقدم في قائمة الانتظار منذ',
  paused: 'متوقفة مؤقتًا. توقفت المعالجة، وتُرفض الدفعات.',
  workers: 'العمليات العاملة',
  faces: 'الوجوه',
  signatures: 'التواقيع',
  workerCounts: 'قيد التشغيل: {{alive}}، الحد الأقصى تحت الحمل: {{max}}، مرات إعادة التشغيل: {{restarts}}',
  services: 'خدمات قاعدة البيانات هذه',
  service: 'الخدمة',
  serviceOwn: 'هذه الخدمة',
  serviceRole: 'العمل',
  role_all: 'الطلبات والتسجيل',
  role_api: 'الطلبات',
  role_vision: 'التسجيل',
  service_running: 'تعمل',
  service_stopping: 'تتوقف',
  service_silent: 'بلا تقرير',
  serviceLeads: 'تؤدي الأعمال الخلفية',
  serviceAnswered: 'الصور المعالَجة',
  serviceVersion: 'الإصدار',
  serviceSince: 'تعمل منذ',
  serviceSeen: 'آخر تقرير',
  notConfigured: 'غير مضبوط',
  images: 'الصور',
  imagesSize: '{{images}} ({{size}})',
  freeLimit: '{{free}} (تُرفض الدفعات دون {{limit}})',
  unreadable: 'تعذرت قراءة المجلد؛ انظر الفحص 2.',
  database: 'قاعدة البيانات',
  networkOff: 'الوصول عبر الشبكة متوقف. لا يتصل إلا هذا الجهاز.',
  networkOn: 'يمكن لأجهزة أخرى الاتصال عبر TLS بهذه العناوين فقط. وهي تسجّل الدخول كما في هذا الجهاز.',
  networkNames: 'أسماء المضيف',
  networkNamesHelp: 'أسماء DNS أو عناوين IPv4 التي تستخدمها الأجهزة الأخرى، مثل vouch.site.lan 10.0.0.5',
  networkPort: 'المنفذ',
  networkTurnOn: 'تشغيل الوصول عبر الشبكة',
  networkTurnOff: 'إيقاف الوصول عبر الشبكة',
  networkAddresses: 'العناوين',
  networkCertificate: 'الشهادة',
  networkOwn: 'موقّعة ذاتيًا',
  networkGiven: 'صادرة عن المرجع المصدِّق لديك',
  networkUntil: 'صالحة حتى',
  networkFingerprint: 'بصمة الشهادة (SHA-256)',
  networkTrust:
    'تحذّر المتصفحات مرة واحدة: قارن بصمة الشهادة قبل المتابعة. زوّد البرامج بهذه الشهادة. لاستخدام شهادة من مرجع مصدِّق: vouch network enable NAME --certificate FILE --key FILE',
  networkSave: 'تنزيل الشهادة',
  networkProblem: 'لا يستجيب',
  networkEnds: 'تنتهي صلاحيتها قريبًا',
  networkEnded: 'انتهت صلاحيتها',
  networkRenew: 'تجديد الشهادة',
  networkRenewHelp:
    'تُنشأ شهادة جديدة للأسماء نفسها. زوّد بها البرامج التي تثق بالشهادة الحالية، وإلا رُفض اتصالها. وستحذّر المتصفحات مرة أخرى.',
  networkRenewed: 'الشهادة الجديدة نشطة. زوّد برامجك بها وأبلغ المستخدمين ببصمة الشهادة.',
  networkBefore: 'السابقة',
  networkNow: 'الحالية',
  models: 'النماذج',
  model: 'النموذج',
  licence: 'الترخيص',
  missing: 'مفقود',
  health: 'فحوص السلامة',
  healthGood: 'كل الفحوص ناجحة.',
  ...samePlural('healthWarnings', 'لم يفشل أي فحص. أرقام الفحوص التي عليها تنبيه: {{numbers}}.'),
  healthBad: 'مشكلات في الفحوص: {{numbers}}.',
  ...samePlural('passed', 'الفحوص الناجحة: {{checks}}'),
  checkedAt: 'وقت الفحص: {{time}}.',
  checkAgain: 'إعادة الفحص',
  checking: 'جارٍ فحص قاعدة البيانات وسجل التدقيق بالكامل. قد يستغرق ذلك وقتًا.',
  state_good: 'سليم',
  state_attention: 'تنبيه',
  state_failed: 'فشل',
  state_skipped: 'لم يُفحص',
  check_processor: 'المعالج',
  check_disk: 'مساحة القرص',
  check_permissions: 'الصلاحيات',
  check_clock: 'الساعة',
  check_models: 'النماذج',
  check_database: 'قاعدة البيانات',
  check_key: 'مفتاح التخزين',
  check_port: 'المنفذ',
  check_queue: 'قائمة الانتظار',
  check_audit: 'سجل التدقيق',
  check_network: 'الوصول عبر الشبكة',
  check_retention: 'الاحتفاظ بالبيانات',
  check_storage: 'مجلدات التخزين',
  check_workers: 'عمليات الصور العاملة',
  check_faces: 'القوالب',
  check_images: 'الصور المحفوظة',
  check_server: 'خادم قاعدة البيانات',
  findings: {
    processorGood: { finding: '{{model}}، الأنوية: {{cores}}، مع {{features}}.', whatToDo: '' },
    processorSlow: {
      finding: '{{model}}، الأنوية: {{cores}}، دون {{missing}}. كل شيء يعمل، لكن إنشاء القوالب أبطأ.',
      whatToDo: 'استخدم معالجًا أحدث، أو أعطِ الجهاز الافتراضي نوع معالج مضيفه.',
    },
    processorUnfit: {
      finding: 'ينقص {{model}} ما يلي: {{missing}}، ودونه لا يمكن فك الصور ولا البحث.',
      whatToDo: 'استخدم معالجًا أحدث، أو أعطِ الجهاز الافتراضي نوع معالج مضيفه.',
    },
    diskGood: { finding: 'المساحة الحرة {{free}} (الأقل: {{folder}}).', whatToDo: '' },
    diskLow: {
      finding: 'المساحة الحرة {{free}} في {{folder}}. دون {{limit}} تُرفض الصور الجديدة.',
      whatToDo: 'أخلِ مساحة على هذا القرص قبل الدفعة الكبيرة التالية.',
    },
    diskFull: {
      finding: 'المساحة الحرة {{free}} في {{folder}}، أقل من {{limit}}: تُرفض الصور الجديدة.',
      whatToDo:
        'أخلِ مساحة على هذا القرص، أو ارفع حصة مخزن الصور. يُستأنف القبول تلقائيًا، والصور في قائمة الانتظار محفوظة.',
    },
    diskUnusable: {
      finding: '{{folder}}: {{problem}}',
      whatToDo:
        'وفّر مساحة على القرص، أو صِله، أو تحقق من مخزن الصور، أو امنح حساب الخدمة إذن الكتابة فيه، ثم أعد الفحص.',
    },
    permissionsGood: {
      finding: 'مجلد البيانات ({{folder}}) خاص وقابل للكتابة.',
      whatToDo: '',
    },
    permissionsOpen: {
      finding: 'تستطيع حسابات أخرى على هذا الجهاز فتح {{files}}.',
      whatToDo: 'اقصر الوصول على حساب الخدمة: chmod go-rwx {{files}}',
    },
    permissionsReadOnly: {
      finding: 'قرص {{folder}} موصول للقراءة فقط. يفعل النظام ذلك تلقائيًا بعد خطأ في القرص.',
      whatToDo:
        'اقرأ سجل النظام، وأعد وصل القرص للكتابة، ثم أعد الفحص. لا تستعد نسخة احتياطية: لا يُعرف تلف في أي بيانات.',
    },
    permissionsUnwritable: {
      finding: 'لا يملك هذا الحساب إذن الكتابة في {{files}}.',
      whatToDo: 'شغّل Vouch بالحساب المالك لمجلد البيانات، أو انقل ملكية الملفات إلى هذا الحساب.',
    },
    permissionsUnknown: {
      finding: 'لا يمكن فحص قوائم التحكم في الوصول هنا.',
      whatToDo: 'تأكد في خصائص {{folder}} أن حساب الخدمة وحده مذكور.',
    },
    clockGood: { finding: '{{now}}، متوافق مع سجل التدقيق.', whatToDo: '' },
    clockBehind: {
      finding: 'تشير الساعة إلى {{now}}، وفي سجل التدقيق إدخال بتاريخ {{newest}}.',
      whatToDo: 'اضبط ساعة الجهاز. حتى ذلك الحين تكون أوقات السجل خاطئة وتُرفض الطلبات الموقّعة.',
    },
    modelsGood: { finding: 'ملفات النماذج: {{count}}، المجاميع الاختبارية سليمة.', whatToDo: '' },
    modelsWrong: {
      finding: 'ملفات نماذج مفقودة أو مختلفة: {{files}}.',
      whatToDo: 'أعد إنشاءها من الحزم المثبتة: npm run models، ثم أعد تشغيل الخدمة.',
    },
    pipelineMissing: {
      finding: 'لا يمكن مقارنة أي وجه لأن خط المعالجة غير موجود: {{companies}}.',
      whatToDo:
        'أعد مجلد حزمة النموذج إلى مكانه؛ تكتشفه الخدمة خلال ثوانٍ. أو بدّل خط المعالجة: vouch pipeline use',
    },
    pipelineChanging: {
      finding:
        'لا يمكن مقارنة أي وجه حتى يعاد إنشاء كل القوالب بخط معالجة آخر. ما أُنجز حتى الآن: {{companies}}.',
      whatToDo: 'انتظر حتى يعاد إنشاء كل القوالب. لمتابعة التقدم: vouch pipeline status',
    },
    databaseGood: { finding: '{{size}}، فُك تشفير كل الصفحات، والجداول سليمة.', whatToDo: '' },
    databaseDamaged: {
      finding: 'قاعدة البيانات تالفة. التفاصيل في سجل الخدمة.',
      whatToDo: 'أوقف الخدمة وانسخ مجلد البيانات كما هو، ثم استعد آخر نسخة احتياطية في مجلد جديد.',
    },
    databaseSilent: {
      finding: 'قاعدة البيانات لا تستجيب.',
      whatToDo: 'تحقق من خادم قاعدة البيانات ومن الشبكة بينه وبين هذا الجهاز، ثم أعد الفحص.',
    },
    databaseHeld: {
      finding: 'مجلد البيانات قيد الاستخدام، على الأرجح من الخدمة أثناء بدئها أو إيقافها.',
      whatToDo: 'انتظر قليلًا ثم أعد الفحص.',
    },
    databaseClosed: {
      finding: 'تعذر فتح قاعدة البيانات: {{problem}}',
      whatToDo: 'اتبع الرسالة أعلاه. لم يتغير شيء.',
    },
    databaseUnborn: {
      finding: 'لا توجد قاعدة بيانات بعد.',
      whatToDo: 'شغّل الخدمة وافتح عنوانها لإعداد النظام.',
    },
    keyGood: { finding: 'ملف المفتاح موجود وصحيح.', whatToDo: '' },
    keyMissing: {
      finding: '{{file}} مفقود: لن يمكن فتح قاعدة البيانات بعد توقف الخدمة.',
      whatToDo: 'أعد الملف من نسخته قبل إيقاف الخدمة.',
    },
    keyOther: {
      finding: 'لا يحوي {{file}} مفتاح قاعدة البيانات هذه.',
      whatToDo: 'أعد الملف الصحيح من نسخته قبل إيقاف الخدمة.',
    },
    keyUnproven: {
      finding: 'يحوي {{file}} مفتاحًا، وتعذر التأكد من أنه مفتاح قاعدة البيانات هذه.',
      whatToDo: 'أصلح الفحص 6 أولًا.',
    },
    keyReadable: {
      finding: 'ملف المفتاح يطابق قاعدة البيانات. وهو على قرص غير مشفَّر: من ينسخ القرص ينسخ الوجوه.',
      whatToDo:
        'شفِّر القرص (LUKS)، أو دع النظام يحفظ المفتاح: docs/guides/operate.md، "The store key". ملف المفتاح هو {{file}}.',
    },
    keyGiven: {
      finding: 'سُلِّم المفتاح عند بدء تشغيل الخدمة، وهو يطابق قاعدة البيانات.',
      whatToDo: '',
    },
    keyUnborn: { finding: 'لا توجد قاعدة بيانات بعد. يُنشأ المفتاح عند أول تشغيل.', whatToDo: '' },
    portGood: { finding: '{{address}} يستجيب (من هذا الجهاز فقط).', whatToDo: '' },
    portDeaf: {
      finding: '{{address}} لا يستجيب. {{problem}}',
      whatToDo: 'ابحث عن جدار حماية أو وسيط على هذا الجهاز، أو أعد تشغيل الخدمة.',
    },
    portFree: { finding: 'الخدمة لا تعمل؛ المنفذ {{port}} متاح.', whatToDo: 'شغّلها: vouch serve' },
    portTaken: {
      finding: 'الخدمة لا تعمل، ويستخدم برنامج آخر المنفذ {{port}}.',
      whatToDo: 'أوقف ذلك البرنامج، أو شغّل Vouch بخيار ‎--port آخر.',
    },
    queueGood: { finding: 'في قائمة الانتظار: {{waiting}}، قيد المعالجة: {{inProgress}}.', whatToDo: '' },
    queuePaused: {
      finding: 'متوقفة مؤقتًا. في الانتظار: {{waiting}}، وتُرفض الصور الجديدة.',
      whatToDo: 'استأنفها هنا، أو بالأمر: vouch queue resume',
    },
    queueFull: {
      finding: 'قائمة الانتظار ممتلئة ({{waiting}}). تُرفض الصور الجديدة حتى تتوفر مساحة.',
      whatToDo: 'انتظر، أو زد عدد العمليات العاملة.',
    },
    queueStuck: {
      finding: 'في قائمة الانتظار: {{waiting}}. دقائق منذ آخر معالجة: {{minutes}}.',
      whatToDo: 'أعد تشغيل الخدمة؛ الصور المنتظرة محفوظة. إذا تكررت المشكلة فراجع السجل.',
    },
    queueResting: { finding: 'بانتظار تشغيل الخدمة: {{waiting}}.', whatToDo: '' },
    auditGood: {
      finding: 'الإدخالات السليمة: {{entries}}. النقطة المرجعية عند الإدخال {{anchored}}.',
      whatToDo: '',
    },
    auditBroken: {
      finding: 'سجل التدقيق تالف. أول إدخال غير صالح: {{sequence}}. {{problem}}',
      whatToDo:
        'لا تغيّر مجلد البيانات: إنه دليل. قارنه بالنقاط المرجعية المحفوظة في مكان آخر: vouch audit verify --anchors FILE',
    },
    externalAnchorsAway: {
      finding: 'الإدخالات السليمة: {{entries}}. ملف النقاط المرجعية الخارجي غير متاح. {{problem}}',
      whatToDo:
        'صِل قرص هذا الملف؛ تصل إليه النقطة المرجعية التالية. لاستخدام مجلد آخر: vouch audit anchor-file FOLDER',
    },
    networkOff: { finding: 'الوصول عبر الشبكة متوقف.', whatToDo: '' },
    networkGood: {
      finding: 'يمكن لأجهزة أخرى الاتصال عبر {{addresses}}؛ الشهادة صالحة حتى {{until}}.',
      whatToDo: '',
    },
    networkEnds: {
      finding: 'تنتهي صلاحية شهادة الشبكة في {{until}} (الأيام المتبقية: {{days}}).',
      whatToDo: 'جدّدها قبل ذلك: vouch network renew-certificate. زوّد بها كل من يثق بالحالية.',
    },
    networkEnded: {
      finding: 'انتهت صلاحية شهادة الشبكة في {{until}}: يفشل الاتصال.',
      whatToDo: 'جدّدها: vouch network renew-certificate. زوّد البرامج بها وأبلغ المستخدمين ببصمتها.',
    },
    networkEndsGiven: {
      finding: 'تنتهي صلاحية شهادة الشبكة الصادرة عن المرجع المصدِّق في {{until}} (الأيام المتبقية: {{days}}).',
      whatToDo:
        'احصل على شهادة جديدة قبل ذلك، ثم: vouch network enable {{names}} --certificate FILE --key FILE',
    },
    networkEndedGiven: {
      finding: 'انتهت صلاحية شهادة الشبكة الصادرة عن المرجع المصدِّق في {{until}}.',
      whatToDo: 'احصل على شهادة جديدة، ثم: vouch network enable {{names}} --certificate FILE --key FILE',
    },
    networkShut: {
      finding: 'يجب أن يكون الوصول عبر الشبكة قيد التشغيل، لكنه متوقف. {{problem}}',
      whatToDo:
        'اتبع الرسالة أعلاه ثم: vouch network enable {{names}}. أو أوقف الوصول: vouch network disable',
    },
    retentionGood: {
      finding: 'المحو اليومي بقواعد الاحتفاظ غير معلّق. الشركات التي لها قواعد: {{companies}}.',
      whatToDo: '',
    },
    retentionClock: {
      finding:
        'عُلِّق المحو اليومي لشركة {{company}}: تشير الساعة إلى {{now}}، وبحسب آخر فحص ومدة تشغيل الجهاز لا يتجاوز الوقت {{latest}}.',
      whatToDo:
        'افحص الساعة، ثم أكّد القواعد مرة أخرى: شاشة الاحتفاظ بالبيانات، أو vouch retention preview --company NAME ثم vouch retention set بالرمز الظاهر.',
    },
    retentionCount: {
      finding:
        'عُلِّق المحو اليومي لشركة {{company}}: العناصر المستحقة {{due}}، وما تسمح به الدورات السابقة وآخر تأكيد {{most}}.',
      whatToDo:
        'افحص القواعد، ثم أكّدها مرة أخرى: شاشة الاحتفاظ بالبيانات، أو vouch retention preview --company NAME ثم vouch retention set بالرمز الظاهر.',
    },
    retentionUnconfirmed: {
      finding: 'عُلِّق المحو اليومي لشركة {{company}}: لم يؤكد أي مشغّل قواعدها على هذا النظام.',
      whatToDo:
        'افحص القواعد، ثم أكّدها مرة أخرى: شاشة الاحتفاظ بالبيانات، أو vouch retention preview --company NAME ثم vouch retention set بالرمز الظاهر.',
    },
    retentionUnerased: {
      finding:
        'لم يتمكن آخر محو بقواعد الاحتفاظ لشركة {{company}} من محو بعض العناصر، وعددها {{count}}. ومُحيت العناصر الأخرى. {{records}}',
      whatToDo:
        'اقرأ سبب كل عنصر في سجل الخدمة وعالجه. يعيد المحو اليومي التالي المحاولة، والأمر vouch retention run --company NAME يعيدها الآن.',
    },
    storageGood: {
      finding: 'مجلدات التخزين متاحة: {{folders}}. صور العينة التي لكل منها ملفها: {{sampled}}.',
      whatToDo: '',
    },
    storageUnusable: {
      finding: 'تُرفض الدفعات. {{problem}}',
      whatToDo: 'صِل القرص، أو تحقق من مخزن الصور، أو اربط المجلد الصحيح كما هو موصوف، ثم أعد الفحص.',
    },
    imagesMissing: {
      finding: 'صور في العينة بلا ملف في {{folder}}: {{missing}} من {{sampled}}.',
      whatToDo:
        'أعد نسخ الملفات المفقودة إلى المجلد، أو استعد آخر نسخة احتياطية. لا تحذف السجلات: يمكن إضافة الملفات لاحقًا.',
    },
    workersConfined: {
      finding:
        'تعزل نواة نظام التشغيل العمليات التي تفك ترميز الصور، فلا تصل إلى البيانات أو الشبكة أو العمليات الأخرى.',
      whatToDo: '',
    },
    workersFiltered: {
      finding:
        'ترشّح نواة نظام التشغيل استدعاءات العمليات التي تفك ترميز الصور، لكنها لا تقيّد الملفات التي تقرأها.',
      whatToDo: 'استخدم نواة فيها Landlock: لينكس 5.13 أو أحدث، وفي معاملها lsm= الكلمة landlock.',
    },
    workersOpen: {
      finding: 'لا يقيّد العمليات التي تفك ترميز الصور إلا نظام أذونات Node، ولا يقيّدها نظام التشغيل.',
      whatToDo:
        'على لينكس: ثبّت Perl (الحزمة perl-base) وأعد تشغيل الخدمة. وعلى الأنظمة الأخرى: أبعد الحسابات والبرامج الأخرى عن هذا الجهاز.',
    },
    facesGood: { finding: 'القوالب المقروءة، وكلها قابلة للمقارنة: {{read}}.', whatToDo: '' },
    facesDamaged: {
      finding:
        'قوالب تالفة لا يمكن مقارنتها: {{damaged}}. لا يجد أي بحث هذه الوجوه. في {{company}}: {{faces}}',
      whatToDo:
        'استعد نسخة احتياطية سابقة للتلف. أو امحُ هذه الوجوه وسجّلها مرة أخرى من صورها: vouch erase plan --company "{{company}}" {{faces}}',
    },
    imagesGood: { finding: 'صور العينة السليمة: {{sampled}}.', whatToDo: '' },
    imagesDamaged: {
      finding:
        'صور تالفة أو مغيَّرة في عينة {{company}}: {{damaged}} من {{sampled}}. لا تُعرض. وجوهها: {{faces}}',
      whatToDo: 'افحص قرص مجلد التخزين. انسخ ملفات الصور من آخر نسخة احتياطية. لا يزال البحث يجد هذه الوجوه.',
    },
    serverNone: { finding: 'قاعدة البيانات ملف على هذا الجهاز.', whatToDo: '' },
    serverGood: {
      finding:
        'PostgreSQL {{version}}. الاتصالات: {{connections}} من {{most}}. الخوادم الاحتياطية التي تتلقى كل تغيير: {{standbys}}.',
      whatToDo: '',
    },
    serverUnsafe: {
      finding: 'قد يفقد PostgreSQL سجلات سبق تأكيدها عند انقطاع التيار. إعدادات متوقفة: {{settings}}.',
      whatToDo: 'اضبط كلًّا منها على on في postgresql.conf، ثم أعد تحميل إعدادات الخادم.',
    },
    serverCollation: {
      finding: 'أعمدة نصية ليس ترتيبها C، فقد تنقص القوائم صفوف: {{columns}}.',
      whatToDo: 'أعد الترتيب C إلى كل عمود: ALTER TABLE … ALTER COLUMN … TYPE text COLLATE "C".',
    },
    serverClock: {
      finding: 'الفرق بين ساعة هذا الجهاز وساعة خادم PostgreSQL بالثواني: {{seconds}}.',
      whatToDo: 'زامن الساعتين. إلى ذلك الحين تكون الأوقات في القوائم وفي سجل التدقيق خاطئة.',
    },
    serverStandbyLost: {
      finding: 'ينتظر PostgreSQL خادمًا احتياطيًا ({{names}})، ولا يوجد خادم متصل. تُرفض التغييرات بالرمز 503.',
      whatToDo: 'شغّل الخادم الاحتياطي، أو اجعل الخادم ينتظر خادمًا آخر: synchronous_standby_names.',
    },
    serverImages: {
      finding:
        'عدد الخدمات التي تتشارك قاعدة البيانات: {{services}}. تحفظ هذه الخدمة الصور الجديدة في مجلد بياناتها. تردّ الخدمات الأخرى بالرمز 503 لهذه الصور.',
      whatToDo:
        'احفظ الصور في مجلد تصل إليه كل الأجهزة، أو على S3: docs/guides/operate.md، القسم "Images in a shared folder or on S3".',
    },
    serverStandbyLags: {
      finding: 'تأخُّر الخادم الاحتياطي {{name}} بالثواني: {{seconds}}.',
      whatToDo: 'افحص قرص الخادم الاحتياطي وشبكته. قد تنقصه تغييرات إذا حلّ محل الخادم.',
    },
    serverConnections: {
      finding: 'الاتصالات المفتوحة في PostgreSQL: {{connections}} من {{most}}.',
      whatToDo: 'ارفع max_connections، أو خفّض اتصالات كل خدمة: ‎connections=‎ في عنوان قاعدة البيانات.',
    },
    serverTransaction: {
      finding:
        'معاملة مفتوحة منذ وقت طويل، بالدقائق: {{minutes}}. لا يستطيع PostgreSQL إزالة الصفوف الممحوة قبل انتهائها.',
      whatToDo: 'ابحث عنها في pg_stat_activity وأنهها.',
    },
    serverNameIndex: {
      finding: 'فهرس البحث بالاسم مفقود، لذلك يقرأ هذا البحث كل الصفوف.',
      whatToDo:
        'نفّذ بصفة مالك الجداول: CREATE INDEX trust_validation_name ON trust_validation USING gin (search_trigrams(search_key))',
    },
    serverChecksums: {
      finding: 'لا يكتشف PostgreSQL الصفحات التالفة، لأن مجاميع التحقق فيه متوقفة.',
      whatToDo: 'أوقف الخادم، وشغّل pg_checksums --enable، ثم ابدأه من جديد.',
    },
    serverRows: {
      finding: 'تغيّرت على خادم قاعدة البيانات صفوف تحدد الصلاحيات أو المطابقات. لا يستخدمها Vouch: {{rows}}.',
      whatToDo:
        'اعرف من يستطيع الكتابة في قاعدة البيانات وغيّر كلمة مرور دورها. ثم استعد قاعدة البيانات من نسخة احتياطية أقدم من التغيير.',
    },
    serverOwner: {
      finding:
        'الدور {{role}} الذي تستخدمه الخدمة يملك الجداول، فقد يزيل متسلل يعرف كلمة مروره حماية سجل التدقيق.',
      whatToDo: 'أعطِ الخدمة دورًا خاصًا بها: docs/guides/cluster.md، القسم "A role for the service".',
    },
    serverHidden: {
      finding: 'لا يرى الدور {{role}} المعاملات المفتوحة ولا الخوادم الاحتياطية، فلم تُفحص.',
      whatToDo: 'نفّذ بصفة مدير PostgreSQL: ‎GRANT pg_monitor TO {{role}}‎',
    },
    notOpen: {
      finding: 'لم يُفحص: قاعدة البيانات غير مفتوحة.',
      whatToDo: 'أصلح الفحص 6 أولًا.',
    },
    unchecked: {
      finding: 'فشل الفحص نفسه. {{problem}}',
      whatToDo: 'أعد الفحص. إذا تكررت المشكلة فراجع سجل الخدمة.',
    },
  },
};
