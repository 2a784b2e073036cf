import { useRef, type KeyboardEvent } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { KNOWN_SIGNATURE_LIMITS } from '../../../core/contracts/knownSignatures.ts';
import { DropTarget } from '../../components/DropTarget.tsx';
import { usePaste } from '../../components/ImageDrop.tsx';
import { useFileChooser } from '../../components/useFileChooser.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Fault, SideImage } from './SideImage.tsx';
import { StoredSpecimens } from './StoredSpecimens.tsx';
import type { SpecimensState } from './useSpecimens.ts';

/** Messages of the service by field: `questioned`, `known`, `known.3`. */
type Messages = Readonly<Record<string, readonly string[]>>;

/** The place for the questioned signature, and the strip of the known ones. */
export function Specimens({ specimens, errors }: { specimens: SpecimensState; errors: Messages }) {
  usePaste((file) => void specimens.paste(file));
  return (
    <div className="specimens">
      <Questioned specimens={specimens} errors={errors} />
      <Known specimens={specimens} errors={errors} />
    </div>
  );
}

function Questioned({ specimens, errors }: { specimens: SpecimensState; errors: Messages }) {
  const { t } = useTranslation();
  const { questioned, refused, putQuestioned, removeQuestioned } = specimens;
  return (
    <SideImage
      side={questioned}
      label={t('knownSignatures.questioned')}
      help={t('knownSignatures.dropHelp')}
      paste={t('knownSignatures.pasteQuestioned')}
      put={(file) => void putQuestioned(file)}
      remove={removeQuestioned}
      fault={errors.questioned?.join(' ') ?? (refused.questioned ? t('signatures.notImage') : null)}
    />
  );
}

function Known({ specimens, errors }: { specimens: SpecimensState; errors: Messages }) {
  const { t } = useTranslation();
  const { count, list } = useFormats();
  const { known, refused, addKnown } = specimens;
  const { chooser, open } = useFileChooser({
    label: t('knownSignatures.chooseKnown'),
    accept: 'image/jpeg,image/png',
    multiple: true,
    take: (files) => void addKnown(files),
  });
  const full = known.length >= KNOWN_SIGNATURE_LIMITS.most;
  return (
    <DropTarget
      className="known-drop"
      label={t('knownSignatures.known')}
      take={({ files }) => void addKnown([...files])}
    >
      <div className="known-head row wrap">
        <strong>{t('knownSignatures.known')}</strong>
        <span className="soft" role="status">
          {known.length === 0
            ? t('knownSignatures.knownHelp')
            : t('knownSignatures.count', { count: known.length, number: count(known.length) })}
        </span>
        <StoredSpecimens add={addKnown} disabled={full} />
        <Button className="push" size="xs" onClick={open} disabled={full}>
          {t('knownSignatures.chooseKnown')}
        </Button>
      </div>
      {known.length === 0 ? (
        <p className="known-none">{t('knownSignatures.dropKnown')}</p>
      ) : (
        <Strip specimens={specimens} errors={errors} />
      )}
      {chooser}
      <Fault text={errors.known?.join(' ') ?? null} />
      <Fault
        text={
          refused.known.length === 0 ? null : t('knownSignatures.notImages', { files: list(refused.known) })
        }
      />
      <Fault
        text={
          refused.beyond.length === 0 ? null : t('knownSignatures.notAdded', { files: list(refused.beyond) })
        }
      />
    </DropTarget>
  );
}

/** The known signatures. Delete and Backspace remove the one that has the focus; the focus goes to its neighbour. */
function Strip({ specimens, errors }: { specimens: SpecimensState; errors: Messages }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const strip = useRef<HTMLUListElement>(null);
  const { known, removeKnown } = specimens;
  const remove = (url: string, index: number) => {
    const buttons = [...(strip.current?.querySelectorAll('button') ?? [])];
    (buttons[index + 1] ?? buttons[index - 1])?.focus();
    removeKnown(url);
  };
  const onKey = (url: string, index: number) => (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    remove(url, index);
  };
  return (
    <ul ref={strip} className="strip">
      {known.map(({ url, file }, index) => {
        const number = count(index + 1);
        return (
          <li key={url} className="specimen">
            <img src={url} alt={t('knownSignatures.specimen', { number })} />
            <span className="specimen-caption row">
              <strong>{number}</strong>
              <span dir="auto" className="soft cut" title={file.name}>
                {file.name}
              </span>
              <ActionIcon
                className="push"
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={t('knownSignatures.removeSpecimen', { number })}
                title={t('knownSignatures.remove')}
                onClick={() => remove(url, index)}
                onKeyDown={onKey(url, index)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </span>
            <Fault text={errors[`known.${index}`]?.join(' ') ?? null} />
          </li>
        );
      })}
    </ul>
  );
}
