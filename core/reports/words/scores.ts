/** Words that state a similarity of two faces, its band and its error rates. */

export const en = {
  band: { strong: 'strong', possible: 'possible', none: 'no match' },
  scoreHead: 'Score and band',
  similarity: (score: string, band: string) => `Similarity ${score} out of 100: ${band}`,
  means: 'Meaning of the score',
  oneIn: (people: string, faces: string) =>
    `about 1 in ${people} other people would score this high (faces in the gallery: ${faces})`,
  lessThan: (people: string, faces: string) =>
    `above every score that was measured: fewer than 1 in ${people} other people would score this high, and it may be far fewer (faces in the gallery: ${faces})`,
  likely: (faces: string) => `another person is likely to score this high (faces in the gallery: ${faces})`,
  unmeasured: 'the false match rate of this score has not been measured',
  possibleFrom: 'Possible match from',
  strongFrom: 'Strong match from',
  threshold: (score: string, comparisons: string) =>
    `score ${score}; about 1 in ${comparisons} comparisons of different people scores this high`,
  noPicture: 'No readable image is stored.',
};

export const ar: typeof en = {
  band: { strong: 'قوي', possible: 'محتمل', none: 'لا تطابق' },
  scoreHead: 'الدرجة والفئة',
  similarity: (score, band) => `التشابه ${score} من 100: ${band}`,
  means: 'معنى الدرجة',
  oneIn: (people, faces) =>
    `الأشخاص الآخرون الذين يبلغون هذه الدرجة: نحو 1 من ${people} (عدد وجوه المجموعة: ${faces})`,
  lessThan: (people, faces) =>
    `أعلى من كل درجة قيست. الأشخاص الآخرون الذين يبلغون هذه الدرجة: أقل من 1 من ${people}، وربما أقل من ذلك بكثير (عدد وجوه المجموعة: ${faces})`,
  likely: (faces) => `يُرجَّح أن يبلغ شخص آخر هذه الدرجة (عدد وجوه المجموعة: ${faces})`,
  unmeasured: 'لم يُقَس معدل التطابق الخاطئ لهذه الدرجة',
  possibleFrom: 'تطابق محتمل من',
  strongFrom: 'تطابق قوي من',
  threshold: (score, comparisons) =>
    `الدرجة ${score}؛ المقارنات بين أشخاص مختلفين التي تبلغها: نحو 1 من ${comparisons}`,
  noPicture: 'لا صورة محفوظة قابلة للقراءة.',
};
