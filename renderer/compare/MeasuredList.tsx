import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../i18n/format.ts';
import type { ComparedImage } from './compared.ts';
import { isFinished, lengthOf, type MeasuredLines } from './measuredLines.ts';

/** The lengths of the measured lines, as numbers and on paper. */
export function MeasuredList(props: {
  measured: MeasuredLines;
  images: readonly ComparedImage[];
  captions: readonly string[];
}) {
  const { measured, images, captions } = props;
  const { t } = useTranslation();
  const { decimal } = useFormats();
  const finished = measured.lines.filter(isFinished);
  return (
    <>
      {measured.measuring ? <p className="soft compare-screen-only">{t('compare.measureHelp')}</p> : null}
      {finished.length === 0 ? null : (
        <ul className="measured" aria-label={t('compare.measured')}>
          {finished.map((line) => {
            const side = images.findIndex(({ key }) => key === line.image);
            const image = images[side];
            if (image === undefined) return null;
            const { unit, length } = lengthOf(line, image.eyes);
            return (
              <li key={line.id}>
                <span className="measured-number">{line.id}</span>
                <span dir="auto" className="cut">
                  {captions[side]}
                </span>
                <strong>{t(`compare.length_${unit}`, { length: decimal(length) })}</strong>
                <ActionIcon
                  className="compare-screen-only"
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={t('compare.measureRemove', { number: line.id })}
                  onClick={() => measured.remove(line.id)}
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
