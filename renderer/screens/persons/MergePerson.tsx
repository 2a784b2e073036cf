import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconArrowsJoin2, IconArrowsLeftRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PersonDetail, PersonRow } from '../../../core/contracts/dashboard/persons.ts';
import { mergePersons, personQueryById } from '../../api/persons.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { PersonChoice } from './PersonChoice.tsx';
import { usePersonChange } from './usePersonChange.ts';

/** Merges two persons: both are shown with all their photos, and the one that stays is named. */
export function MergePerson(props: {
  person: PersonDetail;
  close: () => void;
  /** @param target the person that stays */
  merged: (target: number) => void;
}) {
  const { person, close, merged } = props;
  const { t } = useTranslation();
  const [other, setOther] = useState<PersonRow>();
  return (
    <Dialog title={t('persons.mergeTitle')} close={close} wide>
      {other === undefined ? (
        <PersonChoice without={person.id} choose={setOther} />
      ) : (
        <Both person={person} other={other.id} merged={merged} />
      )}
    </Dialog>
  );
}

function Both(props: { person: PersonDetail; other: number; merged: (target: number) => void }) {
  const { person, other, merged } = props;
  const { t } = useTranslation();
  const [swapped, setSwapped] = useState(false);
  const query = useQuery(personQueryById(other));
  const work = usePersonChange(
    ([target, source]: readonly [PersonDetail, PersonDetail]) =>
      mergePersons(target.id, source.id, { version: target.version, sourceVersion: source.version }),
    (_answer, [target]) => {
      merged(target.id);
      return t('persons.merged', { name: target.name });
    },
  );
  return (
    <Loaded query={query}>
      {(found) => {
        const [target, source] = swapped ? [found, person] : [person, found];
        return (
          <div className="column">
            <div className="merge-sides">
              <Side person={target} about={t('persons.mergeKept')} />
              <Side person={source} about={t('persons.mergeGone')} />
            </div>
            <p className="soft">{t('persons.mergeUndo')}</p>
            <ErrorLine error={work.error} />
            <div className="row wrap">
              <Button
                variant="default"
                leftSection={<IconArrowsLeftRight size={16} aria-hidden />}
                onClick={() => setSwapped(!swapped)}
              >
                {t('persons.mergeSwap')}
              </Button>
              <Button
                className="push"
                loading={work.isPending}
                leftSection={<IconArrowsJoin2 size={16} aria-hidden />}
                onClick={() => work.mutate([target, source])}
              >
                {t('persons.mergeDo', { name: target.name })}
              </Button>
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

function Side({ person, about }: { person: PersonDetail; about: string }) {
  const { t } = useTranslation();
  return (
    <section className="card column" aria-label={person.name}>
      <div className="row">
        <FaceThumbnail url={person.cover.thumbnailUrl} name={person.name} size={72} />
        <div className="cut">
          <h3 dir="auto" className="cut">
            {person.name}
          </h3>
          <span dir="auto" className="soft cut">
            {person.externalId ?? t('persons.person', { id: person.id })}
          </span>
        </div>
      </div>
      <p className="soft">{about}</p>
      {person.note === null ? null : <p dir="auto">{person.note}</p>}
      <div className="merge-faces">
        {person.faces.map(({ id, name, faceImage }) => (
          <FaceThumbnail key={id} url={faceImage.thumbnailUrl} name={name} size={56} />
        ))}
      </div>
    </section>
  );
}
