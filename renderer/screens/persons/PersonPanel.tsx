import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconArrowsJoin2, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { PersonDetail } from '../../../core/contracts/dashboard/persons.ts';
import { personQueryById } from '../../api/persons.ts';
import { useMay } from '../../api/session.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Panel } from '../../components/Panel.tsx';
import { ErasePerson } from '../erasure/ErasePerson.tsx';
import { MergePerson } from './MergePerson.tsx';
import { PersonFaces } from './PersonFaces.tsx';
import { PersonForm } from './PersonForm.tsx';
import { PersonSpecimens } from './PersonSpecimens.tsx';
import { PersonHistory } from './PersonHistory.tsx';
import { WhoSaw } from '../../components/WhoSaw.tsx';

interface Props {
  id: number;
  close: () => void;
  /** Opens another person. */
  open: (id: number) => void;
}

/** One person: name, note, external id, photos and history. */
export function PersonPanel({ id, close, open }: Props) {
  const { t } = useTranslation();
  const query = useQuery(personQueryById(id));
  const { data } = query;
  return (
    <Panel
      title={data?.name ?? t('persons.person', { id })}
      label={t('persons.person', { id })}
      picture={data && <FaceThumbnail url={data.cover.thumbnailUrl} name={data.name} size={40} />}
      note={data && t('persons.photos', { count: data.faces.length })}
      close={close}
    >
      <Loaded query={query}>{(person) => <PersonFacts person={person} close={close} open={open} />}</Loaded>
    </Panel>
  );
}

function PersonFacts(props: { person: PersonDetail; close: () => void; open: (id: number) => void }) {
  const { person, close, open } = props;
  const { t } = useTranslation();
  const may = useMay();
  const [state, setState] = useState<'shown' | 'editing' | 'merging'>('shown');
  const show = () => setState('shown');
  const { externalId, note, openGroups, faces } = person;
  return (
    <>
      {state === 'editing' ? (
        <PersonForm person={person} close={show} />
      ) : (
        <>
          <dl className="facts">
            <dt>{t('persons.externalId')}</dt>
            <dd>{externalId ?? '–'}</dd>
            <dt>{t('persons.note')}</dt>
            <dd>
              <bdi>{note ?? '–'}</bdi>
            </dd>
          </dl>
          <div className="row wrap">
            {may('persons:write') ? (
              <>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconPencil size={15} aria-hidden />}
                  onClick={() => setState('editing')}
                >
                  {t('persons.edit')}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconArrowsJoin2 size={15} aria-hidden />}
                  onClick={() => setState('merging')}
                >
                  {t('persons.merge')}
                </Button>
              </>
            ) : null}
            <WhoSaw of={`person:${person.id}`} />
            <ErasePerson
              start={{
                validations: [...new Set(faces.flatMap(({ trustValidationId: of }) => of ?? []))],
                faces: faces.filter(({ blacklist }) => blacklist !== null).map(({ id }) => id),
              }}
              gone={close}
            />
          </div>
        </>
      )}
      {state === 'merging' ? (
        <MergePerson
          person={person}
          close={show}
          merged={(target) => {
            show();
            open(target);
          }}
        />
      ) : null}
      {openGroups.length === 0 || !may('duplicates:read') ? null : (
        <p className="row wrap">
          {t('persons.openGroups', { count: openGroups.length })}
          {openGroups.slice(0, 5).map((group) => (
            <Link key={group} to={`/duplicates/${group}`}>
              {t('duplicates.group', { id: group })}
            </Link>
          ))}
        </p>
      )}
      <PersonFaces person={person} />
      {may('images:read') ? <PersonSpecimens person={person} /> : null}
      <PersonHistory person={person} />
    </>
  );
}
