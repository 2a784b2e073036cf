import { useState } from 'react';
import { Checkbox, TextInput } from '@mantine/core';
import { IconArrowRight, IconArrowsSplit2, IconStar, IconUserMinus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ListedFace } from '../../../core/contracts/dashboard/duplicates.ts';
import {
  PERSON_LIMITS,
  type PersonDetail,
  type PersonRow,
} from '../../../core/contracts/dashboard/persons.ts';
import { Action } from '../../components/Action.tsx';
import { changePerson, moveFace, splitPerson } from '../../api/persons.ts';
import { useMay } from '../../api/session.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { Form } from '../../components/Form.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { PersonChoice, refreshPersons, usePersonChange } from './MergePerson.tsx';

/** The photos of a person: the cover is chosen here, and photos are split off, moved and removed. */
export function PersonFaces({ person }: { person: PersonDetail }) {
  const { t } = useTranslation();
  const may = useMay()('persons:write');
  const [selected, setSelected] = useState<readonly number[]>([]);
  const own = selected.filter((id) => person.faces.some((face) => face.id === id));
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
  const { t } = useTranslation();
  const may = useMay()('persons:write');
  const client = useQueryClient();
  const cover = useMutation({
    mutationFn: () => changePerson(person.id, { version: person.version, cover: face.id }),
    onSettled: () => refreshPersons(client),
  });
  const isCover = face.faceImage.thumbnailUrl === person.cover.thumbnailUrl;
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
        <span className="cut">
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
  const { t } = useTranslation();
  const [way, setWay] = useState<'split' | 'move' | null>(null);
  const { id, version, name } = person;
  const [only] = faces;
  const split = usePersonChange(
    (named: string) => splitPerson(id, { version, faces: [...faces], name: named }),
    (_answer, named) => {
      done();
      return t('persons.splitDone', { name: named });
    },
  );
  const move = usePersonChange(
    (to: PersonRow | null) =>
      moveFace(id, only ?? 0, { version, to: to === null ? null : { id: to.id, version: to.version } }),
    (_answer, to) => {
      done();
      return to === null ? t('persons.removed', { name }) : t('persons.moved');
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
        {faces.length === 1 ? (
          <>
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
          </>
        ) : null}
      </div>
      {way === 'split' ? (
        <SplitForm faces={faces} busy={split.isPending} split={(named) => split.mutate(named)} />
      ) : null}
      {way === 'move' ? <PersonChoice without={id} choose={(to) => move.mutate(to)} /> : null}
      <ErrorLine error={split.error ?? move.error} />
    </div>
  );
}

function SplitForm(props: { faces: readonly number[]; busy: boolean; split: (name: string) => void }) {
  const { faces, busy, split } = props;
  const { t } = useTranslation();
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
