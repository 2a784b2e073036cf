/** Arabic texts of the System screen. */
export const system = {
  state: 'الإصدار {{version}}، يعمل منذ {{since}}',
  queue: 'قائمة الانتظار',
  depth: 'في الانتظار',
  inProgress: 'قيد المعالجة',
  rate: 'المعدل',
  perMinute: '{{rate}} في الدقيقة',
  noRate: 'لم تُعالج أي صورة في آخر خمس دقائق',
  oldest: 'الأقدم ينتظر منذ',
  paused: 'متوقفة مؤقتًا: لا تُعالج أي صورة، وتُرفض عمليات الرفع.',
  workers: 'العمليات العاملة',
  faces: 'الوجوه',
  signatures: 'التوقيعات',
  staff: 'يعمل {{alive}}، وحتى {{most}} عند وجود عمل، أعيد تشغيلها: {{restarts}}',
  storage: 'التخزين',
  folder: 'المجلد',
  notConfigured: 'غير مهيأ',
  images: 'الصور',
  imagesSize: '{{images}}، {{size}}',
  free: 'المساحة الحرة',
  freeLimit: '{{free}}؛ تحت {{limit}} تُرفض عمليات الرفع',
  unreadable: 'لا يمكن قراءة المجلد؛ الفحص 2 يذكر السبب.',
  database: 'قاعدة البيانات',
  backup: 'النسخ الاحتياطي',
  backupLast: 'آخر نسخة',
  backupKey: 'أُنشئ المفتاح الورقي',
  backupHow: 'تُحفظ المنظومة كلها في ملف واحد مشفر والخدمة تعمل، من الطرفية:',
  backupNoKey: 'لا يوجد بعد مفتاح يفتح نسخة احتياطية، فلا يمكن أخذ أي نسخة. من الطرفية:',
  never: 'لم يحدث',
  lan: 'أجهزة أخرى',
  lanOff: 'لا يُسمح لأي جهاز آخر بالدخول: الخدمة تجيب هذا الجهاز وحده.',
  lanOn:
    'يُسمح لأجهزة أخرى بالدخول عبر TLS، وبهذه العناوين وحدها. وهي تسجّل الدخول كما يسجّله الناس والبرامج هنا.',
  lanNames: 'أسماء هذا الجهاز',
  lanNamesHelp:
    'أسماء DNS وعناوين IPv4 التي تنادي بها الأجهزة الأخرى هذا الجهاز، مثل vouch.site.lan 10.0.0.5',
  lanPort: 'المنفذ',
  lanTurnOn: 'السماح لأجهزة أخرى',
  lanTurnOff: 'عدم السماح لأي جهاز آخر',
  lanAddresses: 'العناوين',
  lanCertificate: 'الشهادة',
  lanOwn: 'صُنعت هنا، وموقّعة من نفسها',
  lanGiven: 'من سلطة الموقع نفسه',
  lanUntil: 'صالحة حتى',
  lanFingerprint: 'البصمة (SHA-256)',
  lanTrust:
    'يحذّر المتصفح منها مرة واحدة: قارن البصمة قبل أن تتابع. وتُعطى البرامج الشهادة. أما شهادة سلطتكم فتُعطى في الطرفية: vouch network enable NAME --certificate FILE --key FILE',
  lanSave: 'حفظ الشهادة',
  lanProblem: 'لا يجيب',
  lanEnds: 'تنتهي قريبًا',
  lanEnded: 'انتهت',
  lanRenew: 'صنع شهادة أخرى',
  lanRenewHelp:
    'تُصنع شهادة أخرى للأسماء نفسها. البرامج التي تثق بالشهادة الحالية تُرفض إلى أن تُعطى الجديدة، وتحذّر المتصفحات مرة أخرى.',
  lanRenewNow: 'اصنعها',
  lanRenewed: 'الشهادة الجديدة قيد الاستعمال. احفظها للبرامج التي كانت تثق بالسابقة، واقرأ بصمتها على الناس.',
  lanBefore: 'السابقة',
  lanNow: 'الحالية',
  models: 'النماذج',
  model: 'النموذج',
  licence: 'الترخيص',
  source: 'محوّل من',
  size: 'الحجم',
  missing: 'مفقود',
  health: 'فحوص السلامة',
  healthGood: 'كل شيء سليم.',
  healthBad: 'غير سليم: {{numbers}}.',
  checkedAt: 'فُحص في {{time}}.',
  checkAgain: 'افحص من جديد',
  checking: 'تُقرأ كل صفحات قاعدة البيانات والسجل بأكمله؛ إن كثر ما فيهما استغرق ذلك وقتًا.',
  state_good: 'سليم',
  state_attention: 'يحتاج نظرة',
  state_failed: 'فشل',
  state_skipped: 'لم يُفحص',
  check_processor: 'المعالج',
  check_disk: 'مساحة القرص',
  check_permissions: 'الصلاحيات',
  check_clock: 'الساعة',
  check_models: 'النماذج',
  check_database: 'قاعدة البيانات',
  check_key: 'المفتاح',
  check_port: 'المنفذ',
  check_queue: 'قائمة الانتظار',
  check_audit: 'سجل التدقيق',
  check_lan: 'أجهزة أخرى',
  check_retention: 'مدة الحفظ',
  check_storage: 'مجلدات التخزين',
  check_workers: 'عمليات الصور',
  check_faces: 'القوالب',
  check_images: 'الصور المحفوظة',
  appearance: 'اللغة والمظهر',
  appearanceHelp: 'لك وحدك: يرافق اسمك إلى كل متصفح في هذا الموقع.',
  theme: 'السمة',
  more: 'في مكان آخر',
  findings: {
    processorGood: { finding: '{{model}}، الأنوية: {{cores}}، مع {{features}}.', whatToDo: '' },
    processorSlow: {
      finding: '{{model}}، الأنوية: {{cores}}، دون {{missing}}. كل شيء يعمل، لكن وصف الوجوه أبطأ.',
      whatToDo: 'استخدم معالجًا أحدث، أو أعطِ الجهاز الافتراضي نوع معالج مضيفه.',
    },
    processorUnfit: {
      finding: 'ينقص {{model}} ما يلي: {{missing}}، ودونه لا يمكن فك الصور ولا البحث.',
      whatToDo: 'استخدم معالجًا أحدث، أو أعطِ الجهاز الافتراضي نوع معالج مضيفه.',
    },
    diskGood: { finding: '{{free}} حرة حيث هي الأقل ({{folder}}).', whatToDo: '' },
    diskLow: {
      finding: '{{free}} حرة في {{folder}}. تحت {{limit}} تُرفض عمليات الرفع.',
      whatToDo: 'أخلِ مساحة على هذا القرص قبل عملية الرفع الكبيرة التالية.',
    },
    diskFull: {
      finding: '{{free}} حرة في {{folder}}، أقل من {{limit}}: تُرفض عمليات الرفع.',
      whatToDo: 'أخلِ مساحة على هذا القرص. تُقبل عمليات الرفع بعدها تلقائيًا؛ لا يضيع شيء مما ينتظر.',
    },
    diskUnusable: {
      finding: '{{folder}}: {{problem}}',
      whatToDo: 'صِل القرص، أو أعطِ حساب الخدمة حق الكتابة فيه، ثم افحص من جديد.',
    },
    permissionsGood: {
      finding: 'المجلد الرئيسي ({{folder}}) مفتوح لمالكه وحده ويمكن الكتابة فيه.',
      whatToDo: '',
    },
    permissionsOpen: {
      finding: 'تستطيع حسابات أخرى على هذا الجهاز فتح {{files}}.',
      whatToDo: 'اسحب صلاحياتها: chmod go-rwx {{files}}',
    },
    permissionsReadOnly: {
      finding: 'قرص {{folder}} موصول للقراءة فقط. يفعل النظام ذلك من تلقاء نفسه بعد خطأ في القرص.',
      whatToDo:
        'اقرأ سجل النظام، وصِل القرص للكتابة، ثم افحص من جديد. لا تستعد نسخة احتياطية: لا يُعرف تلف في شيء.',
    },
    permissionsUnwritable: {
      finding: 'لا يجوز لهذا الحساب الكتابة في {{files}}.',
      whatToDo: 'شغّل Vouch بالحساب المالك للمجلد، أو أعطِ الملفات لهذا الحساب.',
    },
    permissionsUnknown: {
      finding: 'لهذا النظام قوائم صلاحيات خاصة به لا تُقرأ هنا.',
      whatToDo: 'تأكد في خصائص {{folder}} أن حساب الخدمة وحده مذكور.',
    },
    clockGood: { finding: '{{now}}، ليس قبل أي شيء في السجل.', whatToDo: '' },
    clockBehind: {
      finding: 'تشير الساعة إلى {{now}}، وفي السجل قيد من {{newest}}.',
      whatToDo: 'اضبط ساعة الجهاز. حتى ذلك الحين تكون أوقات السجل مضللة وتُرفض الطلبات الموقعة.',
    },
    modelsGood: { finding: 'الملفات: {{count}}، لكل منها البصمة التي قيست.', whatToDo: '' },
    modelsWrong: {
      finding: 'مفقود أو ليس الملف الذي قيس: {{files}}.',
      whatToDo: 'أنشئها من جديد من الحزم المثبتة: npm run models، ثم أعد تشغيل الخدمة.',
    },
    pipelineMissing: {
      finding: 'لا يمكن مقارنة أي وجه لأن مسار التعرف غير مثبت: {{companies}}.',
      whatToDo: 'أعد مجلد الحزمة إلى مكانه، ويُلاحظ ذلك خلال ثوان. أو اختر مسارًا آخر: vouch pipeline use',
    },
    pipelineChanging: {
      finding:
        'لا يمكن مقارنة أي وجه حتى توصف كلها من جديد بمسار آخر. الوجوه الموصوفة حتى الآن: {{companies}}.',
      whatToDo: 'انتظر حتى توصف كل الوجوه. التقدم: vouch pipeline status',
    },
    databaseGood: { finding: '{{size}}؛ فُكّت كل صفحة، والجداول سليمة.', whatToDo: '' },
    databaseDamaged: {
      finding: 'إنها متضررة. {{problem}}',
      whatToDo: 'أوقف الخدمة، وانسخ المجلد كما هو، واستعد آخر نسخة احتياطية في مجلد جديد.',
    },
    databaseHeld: {
      finding: 'برنامج آخر يفتح هذا المجلد: خدمته على الأرجح، وهي تبدأ أو تنتهي.',
      whatToDo: 'انتظر قليلًا ثم أعد الفحص: الخدمة التي بدأت تجيب بنفسها.',
    },
    databaseClosed: {
      finding: 'لا يمكن فتحها. {{problem}}',
      whatToDo: 'افعل ما تقوله الجملة. لم يتغير شيء.',
    },
    databaseUnborn: {
      finding: 'لا توجد بعد.',
      whatToDo: 'شغّل الخدمة؛ أول زيارة لعنوانها تهيئ الموقع.',
    },
    keyGood: { finding: 'ملف المفتاح موجود، وهو الذي أقفلت به قاعدة البيانات.', whatToDo: '' },
    keyMissing: {
      finding: '{{file}} مفقود: متى توقفت الخدمة لن يستطيع أحد فتح قاعدة البيانات.',
      whatToDo: 'أعد الملف من نسخته قبل إيقاف الخدمة.',
    },
    keyOther: {
      finding: 'لا يحوي {{file}} مفتاح قاعدة البيانات هذه.',
      whatToDo: 'أعد الملف الصحيح من نسخته قبل إيقاف الخدمة.',
    },
    keyUnproven: {
      finding: 'يحوي {{file}} مفتاحًا؛ ولم يمكن تجربة إن كان مفتاح قاعدة البيانات هذه.',
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
    keyUnborn: { finding: 'لا توجد قاعدة بيانات بعد؛ أول تشغيل ينشئ المفتاح.', whatToDo: '' },
    portGood: { finding: '{{address}} يجيب؛ ولا يمكن بلوغه إلا من هذا الجهاز.', whatToDo: '' },
    portDeaf: {
      finding: '{{address}} لا يجيب. {{problem}}',
      whatToDo: 'ابحث عن جدار حماية أو وسيط على هذا الجهاز؛ وإلا فأعد تشغيل الخدمة.',
    },
    portFree: { finding: 'الخدمة لا تعمل. منفذها {{port}} حر.', whatToDo: 'شغّلها: vouch serve' },
    portTaken: {
      finding: 'الخدمة لا تعمل، ومنفذها {{port}} يشغله برنامج آخر.',
      whatToDo: 'أنهِ ذلك البرنامج، أو شغّل Vouch بخيار ‎--port آخر.',
    },
    queueGood: { finding: 'صور تنتظر: {{waiting}}، قيد المعالجة: {{inProgress}}.', whatToDo: '' },
    queuePaused: {
      finding: 'متوقفة مؤقتًا: صور تنتظر: {{waiting}}، وتُرفض عمليات الرفع.',
      whatToDo: 'استأنفها هنا، أو بالأمر: vouch queue resume',
    },
    queueFull: {
      finding: 'صور تنتظر: {{waiting}}، وهو الحد الأقصى: تُرفض عمليات الرفع حتى يُجاب عن بعضها.',
      whatToDo: 'انتظر، أو أعطِ الخدمة عمليات أكثر.',
    },
    queueStuck: {
      finding: 'صور تنتظر: {{waiting}}، ولم تُعالج أي صورة منذ {{minutes}} دقيقة.',
      whatToDo: 'أعد تشغيل الخدمة؛ لا يضيع شيء مما ينتظر. إن بقي الأمر كذلك فالسجل يذكر السبب.',
    },
    queueResting: { finding: 'صور تنتظر تشغيل الخدمة: {{waiting}}.', whatToDo: '' },
    auditGood: {
      finding: 'القيود: {{entries}}، كل منها كما كُتب؛ مثبتة حتى القيد {{anchored}}.',
      whatToDo: '',
    },
    auditBroken: {
      finding: 'السجل غير كامل. أول قيد فاسد: {{sequence}}. {{problem}}',
      whatToDo:
        'اترك المجلد كما هو: إنه دليل. قارن بالمراسي المحفوظة في مكان آخر: vouch audit verify --anchors FILE',
    },
    auditWitnessAway: {
      finding: 'القيود: {{entries}}، كل منها كما كُتب. تعذّر استخدام ملف الشاهد: {{problem}}',
      whatToDo: 'صِل قرص الشاهد؛ ستصل إليه المرساة التالية. لاستخدام مجلد آخر: vouch audit witness FOLDER',
    },
    lanOff: { finding: 'لا يُسمح لأي جهاز آخر بالدخول.', whatToDo: '' },
    lanGood: {
      finding: 'يُسمح لأجهزة أخرى بالدخول عند {{addresses}}؛ الشهادة صالحة حتى {{until}}.',
      whatToDo: '',
    },
    lanEnds: {
      finding: 'تنتهي شهادة الأجهزة الأخرى في {{until}}، الأيام الباقية: {{days}}.',
      whatToDo:
        'اصنع أخرى قبل ذلك: vouch network renew-certificate. ويجب أن تُعطى الجديدة لكل من يثق بالحالية.',
    },
    lanEnded: {
      finding: 'انتهت شهادة الأجهزة الأخرى في {{until}}: لا يدخل بها أي منها.',
      whatToDo:
        'اصنع أخرى: vouch network renew-certificate. أعطها للبرامج التي كانت تثق بالسابقة، وأعطِ الناس بصمتها.',
    },
    lanEndsGiven: {
      finding: 'تنتهي شهادة الأجهزة الأخرى، وهي من سلطة الموقع، في {{until}}، الأيام الباقية: {{days}}.',
      whatToDo:
        'احصل على أخرى منها قبل ذلك، وأعطها بالأمر: vouch network enable {{names}} --certificate FILE --key FILE',
    },
    lanEndedGiven: {
      finding: 'انتهت شهادة الأجهزة الأخرى، وهي من سلطة الموقع، في {{until}}.',
      whatToDo:
        'احصل على أخرى منها، وأعطها بالأمر: vouch network enable {{names}} --certificate FILE --key FILE',
    },
    lanShut: {
      finding: 'يجب أن يُسمح لأجهزة أخرى بالدخول، ولا يُسمح لها. {{problem}}',
      whatToDo: 'افعل ما تقوله الجملة، ثم: vouch network enable {{names}}. أو امنعها: vouch network disable',
    },
    retentionGood: {
      finding: 'المحو اليومي بحسب قواعد الحفظ غير موقوف. الشركات التي لها قواعد: {{companies}}.',
      whatToDo: '',
    },
    retentionClock: {
      finding:
        'المحو اليومي لشركة {{company}} موقوف: تشير الساعة إلى {{now}}، وبحسب آخر فحص ومدة تشغيل الجهاز لا يتجاوز الوقت {{latest}}.',
      whatToDo:
        'افحص الساعة، ثم أكّد القواعد ثانية: شاشة النظام، أو vouch retention preview --company NAME ثم vouch retention set بالرمز الظاهر.',
    },
    retentionCount: {
      finding:
        'المحو اليومي لشركة {{company}} موقوف: السجلات المستحقة {{due}}، وما تسمح به الدورات السابقة وآخر تأكيد {{most}}.',
      whatToDo:
        'افحص القواعد، ثم أكّد القواعد ثانية: شاشة النظام، أو vouch retention preview --company NAME ثم vouch retention set بالرمز الظاهر.',
    },
    retentionUnconfirmed: {
      finding: 'المحو اليومي لشركة {{company}} موقوف: لم يؤكد أحد قواعدها على هذا النظام.',
      whatToDo:
        'افحص القواعد، ثم أكّد القواعد ثانية: شاشة النظام، أو vouch retention preview --company NAME ثم vouch retention set بالرمز الظاهر.',
    },
    storageGood: {
      finding: 'مجلدات التخزين في أماكنها: {{folders}}. الصور المفحوصة عشوائيًا ولكل منها ملفها: {{sampled}}.',
      whatToDo: '',
    },
    storageUnusable: {
      finding: 'تُرفض الدفعات. {{problem}}',
      whatToDo: 'صِل القرص أو اربط المجلد الصحيح كما هو موصوف، ثم افحص من جديد.',
    },
    imagesMissing: {
      finding: 'صور مفحوصة عشوائيًا لا ملف لها في {{folder}}: {{missing}} من {{sampled}}.',
      whatToDo:
        'أعد نسخ الملفات المفقودة إلى المجلد، أو استعد آخر نسخة احتياطية. لا تحذف السجلات: يمكن إضافة الملفات لاحقًا.',
    },
    workersConfined: {
      finding: 'تعزل نواة النظام العمليات التي تفك ترميز الصور: لا تصل إلى بيانات أو شبكة أو عملية أخرى.',
      whatToDo: '',
    },
    workersFiltered: {
      finding:
        'ترشّح نواة النظام استدعاءات العمليات التي تفك ترميز الصور، لكنها لا تستطيع تقييد الملفات التي تقرأها.',
      whatToDo: 'استخدم نواة فيها Landlock: لينكس 5.13 أو أحدث، وفي معاملها lsm= الكلمة landlock.',
    },
    workersOpen: {
      finding: 'لا يقيّد العمليات التي تفك ترميز الصور إلا نظام أذونات Node، ولا يقيّدها نظام التشغيل.',
      whatToDo:
        'على لينكس: ثبّت Perl (الحزمة perl-base) وأعد تشغيل الخدمة. وعلى الأنظمة الأخرى: أبعد الحسابات والبرامج الأخرى عن هذا الجهاز.',
    },
    facesGood: { finding: 'يمكن مقارنة كل القوالب، وعددها {{read}}.', whatToDo: '' },
    facesDamaged: {
      finding:
        'قوالب تالفة لا يمكن مقارنتها: {{damaged}}. لا يجد أي بحث هذه الوجوه. في {{company}}: {{faces}}',
      whatToDo:
        'استعد نسخة احتياطية سابقة للتلف. أو امحُ هذه الوجوه وسجّلها من صورها من جديد: vouch erase plan --company "{{company}}" {{faces}}',
    },
    imagesGood: { finding: 'كل صور العينة كما حُفظت، وعددها {{sampled}}.', whatToDo: '' },
    imagesDamaged: {
      finding:
        'صور تالفة أو مغيَّرة في عينة {{company}}: {{damaged}} من {{sampled}}. لا تُعرض. وجوهها: {{faces}}',
      whatToDo:
        'افحص قرص مجلد التخزين. أعد نسخ ملفات الصور من آخر نسخة احتياطية؛ يجد البحث الوجوه في هذه الأثناء.',
    },
    notOpen: {
      finding: 'لم يمكن فتح قاعدة البيانات، فلم يمكن النظر في هذا.',
      whatToDo: 'أصلح الفحص 6 أولًا.',
    },
    unchecked: {
      finding: 'فشل الفحص نفسه: {{problem}}',
      whatToDo: 'افحص من جديد. إن بقي الأمر كذلك فسجل الخدمة يذكر المزيد.',
    },
  },
};
