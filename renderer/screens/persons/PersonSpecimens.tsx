import { useState } from 'react';
import { ActionIcon, Loader } from '@mantine/core';
import { IconPlus, IconSignature, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PersonDetail } from '../../../core/contracts/dashboard/persons.ts';
import { SPECIMEN_LIMITS, type SignatureSpecimenBody } from '../../../core/contracts/persons.ts';
import { Action } from '../../components/Action.tsx';
import { formatFieldErrors } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { addSpecimen, eraseSpecimen, specimensQuery, specimenUrl } from '../../api/persons.ts';
import { Dialog, DialogActions } from '../../components/Dialog.tsx';
import { DropTarget, useFileChooser } from '../../components/ImageDrop.tsx';
import { imageKind, dataUriOf } from '../../components/readableImage.ts';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { undoStore } from '../../state/undo.ts';

type Person = Pick<PersonDetail, 'id' | 'name'>;

/** The stored signatures of a person. Nothing is shown while the company stores none. */
export function PersonSpecimens({ person }: { person: Person }) {
  const { t } = useTranslation();
  const may = useMay();
  const { data, error } = useQuery(specimensQuery(person.id));
  if (error !== null) return <ErrorLine error={error} />;
  if (data?.stored !== true) return null;
  const { items } = data;
  return (
    <section className="column" aria-labelledby="person-specimens">
      <h3 id="person-specimens">{t('persons.specimens')}</h3>
      <p className="soft">{t('persons.specimensHelp', { most: SPECIMEN_LIMITS.most })}</p>
      {may('persons:write') ? (
        <Addition person={person} items={items} />
      ) : (
        <Strip person={person} items={items} />
      )}
      {items.length > 0 && may('signatures:compare') ? (
        <div className="row">
          <Action
            size="xs"
            Icon={IconSignature}
            label={t('persons.specimensCompare')}
            to={`/signatures/known?${new URLSearchParams({ person: String(person.id), name: person.name }).toString()}`}
          />
        </div>
      ) : null}
    </section>
  );
}

/** The strip as a place to drop images, with the button that chooses them. */
function Addition({ person, items }: { person: Person; items: readonly SignatureSpecimenBody[] }) {
  const { t } = useTranslation();
  const { list } = useFormats();
  const client = useQueryClient();
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  const [current, setCurrent] = useState('');
  const add = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const none: string[] = [];
      for (const file of files) {
        const kind = await imageKind(file);
        if (kind === null) none.push(file.name);
        else {
          setCurrent(file.name);
          await addSpecimen(person.id, await dataUriOf({ file, kind }));
        }
      }
      setUnreadable(none);
    },
    onSettled: () => client.invalidateQueries({ queryKey: specimensQuery(person.id).queryKey }),
  });
  const take = (files: readonly File[]) => {
    if (!add.isPending) add.mutate(files);
  };
  const { chooser, open } = useFileChooser({
    label: t('persons.specimensAdd'),
    accept: 'image/jpeg,image/png',
    multiple: true,
    take,
  });
  const reason = formatFieldErrors(add.error)?.message;
  return (
    <DropTarget
      className="specimen-drop"
      label={t('persons.specimens')}
      take={({ files }) => take([...files])}
    >
      {items.length === 0 ? (
        <p className="soft">{t('persons.specimensNone')}</p>
      ) : (
        <Strip person={person} items={items} erasable />
      )}
      <div className="row wrap">
        <Action
          size="xs"
          Icon={IconPlus}
          label={t('persons.specimensAdd')}
          disabled={add.isPending || items.length >= SPECIMEN_LIMITS.most}
          onClick={open}
        />
        {add.isPending ? (
          <span className="row" role="status">
            <Loader size="xs" /> {t('persons.specimensAdding')}
          </span>
        ) : null}
      </div>
      {chooser}
      {reason === undefined ? null : (
        <p className="error-line" role="alert">
          {t('persons.specimensNotAdded', { file: current, reason })}
        </p>
      )}
      {unreadable.length === 0 ? null : (
        <p className="error-line" role="alert">
          {t('persons.specimensNotImages', { files: list(unreadable) })}
        </p>
      )}
    </DropTarget>
  );
}

function Strip(props: { person: Person; items: readonly SignatureSpecimenBody[]; erasable?: boolean }) {
  const { person, items, erasable = false } = props;
  const { t } = useTranslation();
  const { count, date, exact } = useFormats();
  const [erasing, setErasing] = useState<number | null>(null);
  return (
    <>
      <ul className="person-specimens">
        {items.map(({ id, addedAt }, index) => {
          const number = count(index + 1);
          return (
            <li key={id}>
              <img src={specimenUrl(person.id, id)} alt={t('persons.specimen', { number })} />
              <span className="row">
                <span className="soft cut">
                  <time dateTime={addedAt} title={exact(addedAt)}>
                    {date(addedAt)}
                  </time>
                </span>
                {erasable ? (
                  <ActionIcon
                    className="push"
                    size="sm"
                    variant="subtle"
                    color="gray"
                    aria-label={t('persons.specimenErase', { number })}
                    title={t('persons.specimenErase', { number })}
                    onClick={() => setErasing(id)}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                ) : null}
              </span>
            </li>
          );
        })}
      </ul>
      {erasing === null ? null : (
        <Erasing person={person} specimen={erasing} close={() => setErasing(null)} />
      )}
    </>
  );
}

/** Asks before a specimen is erased, and shows which. */
function Erasing(props: { person: Person; specimen: number; close: () => void }) {
  const { person, specimen, close } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const erase = useMutation({
    mutationFn: () => eraseSpecimen(person.id, specimen),
    onSuccess: async () => {
      undoStore.getState().notify(t('persons.specimenErased', { name: person.name }));
      await client.invalidateQueries({ queryKey: specimensQuery(person.id).queryKey });
      close();
    },
  });
  return (
    <Dialog title={t('persons.specimenEraseTitle')} close={close}>
      <div className="column">
        <strong>
          <bdi>{person.name}</bdi>
        </strong>
        <img className="specimen-large" src={specimenUrl(person.id, specimen)} alt={t('persons.specimens')} />
        <p>{t('persons.specimenEraseWhat')}</p>
        <ErrorLine error={erase.error} />
        <DialogActions close={close} safe>
          <Action primary color="red" label={t('persons.specimenEraseDo')} work={erase} />
        </DialogActions>
      </div>
    </Dialog>
  );
}
