import { useState } from 'react';
import { Checkbox, TextInput, ActionIcon, Loader } from '@mantine/core';
import {
  IconArrowRight,
  IconArrowsSplit2,
  IconStar,
  IconUserMinus,
  IconPlus,
  IconSignature,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ListedFace } from '../../../core/contracts/dashboard/duplicates.ts';
import {
  PERSON_LIMITS,
  type PersonDetail,
  type PersonRow,
} from '../../../core/contracts/dashboard/persons.ts';
import { SPECIMEN_LIMITS, type SignatureSpecimenBody } from '../../../core/contracts/persons.ts';
import { Action, ErrorLine } from '../../components/Page.tsx';
import {
  changePerson,
  moveFaces,
  splitPerson,
  addSpecimen,
  eraseSpecimen,
  specimensQuery,
  specimenUrl,
} from '../../api/persons.ts';
import { useMay } from '../../api/session.ts';
import { AddToCaseFolder } from '../../components/AddToCaseFolder.tsx';
import { ExamineButton } from '../../components/ExamineButton.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { Form, FormDialog } from '../../components/Form.tsx';
import { Time } from '../../components/StatusBadge.tsx';
import { PersonChoice, refreshPersons, usePersonChange } from './MergePerson.tsx';
import { formatFieldErrors } from '../../api/client.ts';
import { DropTarget, useFileChooser } from '../../components/ImageDrop.tsx';
import { imageKind, dataUriOf } from '../../components/readableImage.ts';
import { useWords } from '../../i18n/words.tsx';
import { undoStore } from '../../state/undo.ts';

/** The photos of a person: the cover is chosen here, and photos are split off, moved and removed. */
export function PersonFaces({ person }: { person: PersonDetail }) {
  const { t } = useWords();
  const may = useMay()('persons:write');
  const [selected, setSelected] = useState<readonly number[]>([]);
  const own = selected.filter((id) => person.faces.some((face) => face.id === id));
  const [first, second, ...others] = person.faces.filter(({ id }) => own.includes(id));
  const one = person.faces.length === 1 ? person.faces[0] : first;
  return (
    <section className="column" aria-labelledby="person-photos">
      <h3 id="person-photos">{t('facts.photos')}</h3>
      {may && person.faces.length > 1 ? <p className="soft">{t('persons.selectHelp')}</p> : null}
      <ul className="person-faces">
        {person.faces.map((face) => (
          <li key={face.id}>
            <Photo
              person={person}
              face={face}
              select={
                may && person.faces.length > 1
                  ? {
                      on: own.includes(face.id),
                      set: (on) => setSelected(on ? [...own, face.id] : own.filter((id) => id !== face.id)),
                    }
                  : undefined
              }
            />
          </li>
        ))}
      </ul>
      {first !== undefined && second !== undefined && others.length === 0 ? (
        <div>
          <ExamineButton key={own.join()} pair={[first.faceImage, second.faceImage]} />
        </div>
      ) : null}
      {one !== undefined && second === undefined ? (
        <div>
          <AddToCaseFolder key={one.id} item={{ face: one.id }} />
        </div>
      ) : null}
      {may && own.length > 0 ? (
        <Selected key={own.join()} person={person} faces={own} done={() => setSelected([])} />
      ) : null}
    </section>
  );
}

function Photo(props: {
  person: PersonDetail;
  face: ListedFace;
  select: { on: boolean; set: (on: boolean) => void } | undefined;
}) {
  const { person, face, select } = props;
  const { t } = useWords();
  const may = useMay()('persons:write');
  const client = useQueryClient();
  const cover = useMutation({
    mutationFn: () => changePerson(person.id, { version: person.version, cover: face.id }),
    onSuccess: () => undoStore.getState().notify(t('common.saved', { name: t('persons.isCover') })),
    onSettled: () => refreshPersons(client),
  });
  const { thumbnailUrl } = face.faceImage;
  // A role without photos gets no address, for the cover neither.
  const isCover = thumbnailUrl !== null && thumbnailUrl === person.cover.thumbnailUrl;
  return (
    <>
      <label className="row">
        {select === undefined ? null : (
          <Checkbox
            size="xs"
            aria-label={t('persons.select', { name: face.name })}
            checked={select.on}
            onChange={({ currentTarget: { checked } }) => select.set(checked)}
          />
        )}
        <FaceThumbnail url={face.faceImage.thumbnailUrl} name={face.name} size={72} />
      </label>
      <span className="person-photo-words">
        <span dir="auto" className="cut">
          {face.trustValidationId === null ? (
            face.name
          ) : (
            <Link to={`/validations/${face.trustValidationId}`}>{face.name}</Link>
          )}
        </span>
        <span dir="auto" className="soft cut">
          {face.blacklist?.name ?? t(`duplicates.source_${face.source}`)}
        </span>
        <span className="soft cut">
          <Time at={face.enrolledAt} />
        </span>
        {isCover ? (
          <span className="soft">{t('persons.isCover')}</span>
        ) : may ? (
          <Action
            variant="subtle"
            size="compact-xs"
            Icon={IconStar}
            label={t('persons.useAsCover')}
            disabled={cover.isPending}
            onClick={() => cover.mutate()}
          />
        ) : null}
        <ErrorLine error={cover.error} />
      </span>
    </>
  );
}

/** The actions for the selected photos: a person of their own, another person, or no person. */
function Selected(props: { person: PersonDetail; faces: readonly number[]; done: () => void }) {
  const { person, faces, done } = props;
  const { t } = useWords();
  const [way, setWay] = useState<'split' | 'move' | null>(null);
  const { id, version, name } = person;
  const split = usePersonChange(
    (named: string) => splitPerson(id, { version, faces: [...faces], name: named }),
    (_answer, named) => {
      done();
      return t('persons.splitDone', { name: named });
    },
  );
  const move = usePersonChange(
    (to: PersonRow | null) =>
      moveFaces(id, {
        version,
        faces: [...faces],
        to: to === null ? null : { id: to.id, version: to.version },
      }),
    (_answer, to) => {
      done();
      const { length } = faces;
      return to === null
        ? t('persons.removed', { count: length, name })
        : t('persons.moved', { count: length, name: to.name });
    },
  );
  return (
    <div className="column">
      <div className="row wrap">
        {faces.length < person.faces.length ? (
          <Action
            size="xs"
            Icon={IconArrowsSplit2}
            label={t('persons.split')}
            onClick={() => setWay('split')}
          />
        ) : null}
        <Action
          size="xs"
          Icon={IconArrowRight}
          mirrored
          label={t('persons.move')}
          onClick={() => setWay('move')}
        />
        <Action
          size="xs"
          Icon={IconUserMinus}
          label={t('persons.remove')}
          loading={move.isPending}
          onClick={() => move.mutate(null)}
        />
      </div>
      {way === 'split' ? (
        <SplitForm faces={faces} busy={split.isPending} split={(named) => split.mutate(named)} />
      ) : null}
      {way === 'move' ? <PersonChoice of={id} choose={(to) => move.mutate(to)} /> : null}
      <ErrorLine error={split.error ?? move.error} />
    </div>
  );
}

function SplitForm(props: { faces: readonly number[]; busy: boolean; split: (name: string) => void }) {
  const { faces, busy, split } = props;
  const { t } = useWords();
  const [name, setName] = useState('');
  return (
    <Form className="row wrap" send={() => split(name.trim())}>
      <TextInput
        autoFocus
        size="xs"
        aria-label={t('persons.splitName')}
        placeholder={t('persons.splitName')}
        maxLength={PERSON_LIMITS.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Action
        primary
        type="submit"
        size="xs"
        label={t('persons.splitDo', { count: faces.length })}
        disabled={name.trim() === ''}
        loading={busy}
      />
    </Form>
  );
}

type Person = Pick<PersonDetail, 'id' | 'name'>;

/** The stored signatures of a person. Nothing is shown while the company stores none. */
export function PersonSpecimens({ person }: { person: Person }) {
  const { t } = useWords();
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
      {items.length > 0 ? (
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
  const { t, list } = useWords();
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
  const { t, count, date, exact } = useWords();
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
  const { t } = useWords();
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
    <FormDialog
      title={t('persons.specimenEraseTitle')}
      close={close}
      safe
      send={() => erase.mutate()}
      work={erase}
      color="red"
      label={t('persons.specimenEraseDo')}
    >
      <strong>
        <bdi>{person.name}</bdi>
      </strong>
      <img className="specimen-large" src={specimenUrl(person.id, specimen)} alt={t('persons.specimens')} />
      <p>{t('persons.specimenEraseWhat')}</p>
    </FormDialog>
  );
}
