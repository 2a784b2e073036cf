import { useTranslation } from 'react-i18next';
import type { Portrait } from '../../core/contracts/dashboard/portraits.ts';
import type { ComparedFact, ComparedImage } from '../compare/compared.ts';
import { useFormats } from '../i18n/format.ts';
import { Time } from './Time.tsx';

/** A portrait as the compare view takes it. */
export function comparedPortrait(portrait: Portrait, key: string, alt: string): ComparedImage {
  const { imageUrl, width, height, eyes } = portrait;
  return { key, url: imageUrl, alt, width, height, eyes };
}

/** What both sides of a comparison of faces are: file, time, quality, pipeline, hash. */
export function usePortraitFacts(): (pair: readonly [Portrait, Portrait]) => ComparedFact[] {
  const { t } = useTranslation();
  const { count } = useFormats();
  return ([first, second]) => {
    const fact = (label: string, show: (portrait: Portrait) => ComparedFact['values'][0]): ComparedFact => ({
      label,
      values: [show(first), show(second)],
    });
    const none = t('common.unknown');
    return [
      fact(t('facts.file'), ({ fileName }) => fileName),
      fact(t('facts.enrolled'), ({ enrolledAt }) => <Time at={enrolledAt} />),
      fact(t('facts.size'), ({ width, height }) => `${count(width)} × ${count(height)}`),
      fact(t('facts.quality'), ({ quality }) =>
        quality === null ? none : t('facts.outOf100', { score: count(quality) }),
      ),
      fact(t('facts.pipeline'), ({ pipelineId }) => <span className="mono ltr">{pipelineId ?? none}</span>),
      fact(t('facts.sha256'), ({ sha256 }) => <span className="mono ltr">{sha256 ?? none}</span>),
    ];
  };
}
