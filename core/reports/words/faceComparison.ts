/** Words of the report of two compared faces that the report of two signatures does not have. */
import type { FaceMeaning } from '../../contracts/faceComparisons.ts';

export const en = {
  title: 'Face comparison report',
  first: 'First photo',
  second: 'Second photo',
  faces: 'Compared faces',
  unusable: 'No usable face',
  reference: 'Reference',
  rate: 'False match rate',
  means: {
    MATCH: 'Very similar. Pairs of different people rarely score this high. A person decides.',
    POSSIBLE_MATCH: 'Similar, but below the threshold of Match. A person decides.',
    UNDECIDED:
      'Below the threshold of Possible Match, but more similar than most pairs of different people. This alone shows neither one person nor two. A person decides.',
    NO_MATCH: 'Not similar. Photos of one person can also differ this much, for example after many years.',
    INCONCLUSIVE: 'Not compared. A photo shows no usable face.',
  } satisfies Record<FaceMeaning, string>,
  rateText: (pairs: string) => `about 1 in ${pairs} pairs of different people is at least this similar`,
  rateLess: (pairs: string) => `at most about 1 in ${pairs} pairs of different people is this similar`,
  rateCommon: 'most pairs of different people are at least this similar',
  unmeasured: 'not measured',
};

export const ar: typeof en = {
  title: 'تقرير مقارنة وجهين',
  first: 'الصورة الأولى',
  second: 'الصورة الثانية',
  faces: 'الوجهان المقارَنان',
  unusable: 'لا يوجد وجه صالح',
  reference: 'المرجع',
  rate: 'معدل التطابق الخاطئ',
  means: {
    MATCH: 'تشابه كبير. نادرًا ما يبلغ شخصان مختلفان هذه الدرجة. القرار لشخص.',
    POSSIBLE_MATCH: 'تشابه دون عتبة «تطابق». القرار لشخص.',
    UNDECIDED:
      'دون عتبة «تطابق محتمل»، لكن التشابه أكبر مما بين معظم أزواج الأشخاص المختلفين. لا يدل هذا وحده على شخص واحد ولا على شخصين. القرار لشخص.',
    NO_MATCH: 'لا تشابه. قد تختلف صور الشخص نفسه إلى هذا الحد أيضًا، مثلًا بعد سنوات كثيرة.',
    INCONCLUSIVE: 'لم تجرِ المقارنة. إحدى الصورتين لا تُظهر وجهًا صالحًا.',
  },
  rateText: (pairs) => `نحو زوج واحد من كل ${pairs} زوج من شخصين مختلفين يبلغ هذا التشابه على الأقل`,
  rateLess: (pairs) => `نسبة أزواج الأشخاص المختلفين التي تبلغ هذا التشابه: 1 من ${pairs} تقريبًا على الأكثر`,
  rateCommon: 'معظم أزواج الأشخاص المختلفين تبلغ هذا التشابه على الأقل',
  unmeasured: 'لم يُقَس',
};
