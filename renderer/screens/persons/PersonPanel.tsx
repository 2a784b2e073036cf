import { useState } from 'react';
import { Textarea, TextInput } from '@mantine/core';
import { IconArrowsJoin2, IconPencil, IconArrowBackUp } from '@tabler/icons-react';
import { useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type PersonDetail, PERSON_LIMITS } from '../../../core/contracts/dashboard/persons.ts';
import { Action, Loaded, ErrorLine, Panel } from '../../components/Page.tsx';
import { personQueryById, changePerson, undoDecision } from '../../api/persons.ts';
import { useMay } from '../../api/session.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { ErasePerson } from '../erasure/ErasePerson.tsx';
import { MergePerson, refreshPersons } from './MergePerson.tsx';
import { PersonFaces, PersonSpecimens } from './PersonFaces.tsx';
import { Fact, WhoSaw, Time } from '../../components/StatusBadge.tsx';
import { NameForm } from '../../components/Form.tsx';
import { useWords } from '../../i18n/words.tsx';

interface Props {
  id: number;
  close: () => void;
  /** Opens another person. */
  open: (id: number) => void;
}

/** One person: name, note, external id, photos and history. */
export function PersonPanel({ id, close, open }: Props) {
  const { t } = useWords();
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
  const { t } = useWords();
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
            <Fact label={t('persons.column_externalId')}>{externalId ?? '–'}</Fact>
            <Fact label={t('facts.note')}>
              <bdi>{note ?? '–'}</bdi>
            </Fact>
          </dl>
          <div className="row wrap">
            {may('persons:write') ? (
              <>
                <Action
                  size="xs"
                  Icon={IconPencil}
                  label={t('common.edit')}
                  onClick={() => setState('editing')}
                />
                <Action
                  size="xs"
                  Icon={IconArrowsJoin2}
                  label={t('persons.merge')}
                  onClick={() => setState('merging')}
                />
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

/** Name, external id and note of a person. */
function PersonForm({ person, close }: { person: PersonDetail; close: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const [externalId, setExternalId] = useState(person.externalId ?? '');
  const [note, setNote] = useState(person.note ?? '');
  const emptyAsNull = (text: string) => (text.trim() === '' ? null : text.trim());
  return (
    <NameForm
      start={person.name}
      hint={t('persons.nameHint', { most: PERSON_LIMITS.name })}
      most={PERSON_LIMITS.name}
      action={t('common.save')}
      submit={async (name) => {
        await changePerson(person.id, {
          version: person.version,
          name,
          externalId: emptyAsNull(externalId),
          note: emptyAsNull(note),
        });
        await refreshPersons(client);
        close();
      }}
      fields={(said) => (
        <>
          <TextInput
            label={t('persons.column_externalId')}
            description={t('persons.externalIdHelp')}
            maxLength={PERSON_LIMITS.externalId}
            error={said.externalId?.join(' ')}
            value={externalId}
            onChange={(event) => setExternalId(event.currentTarget.value)}
          />
          <Textarea
            label={t('facts.note')}
            maxLength={PERSON_LIMITS.note}
            rows={2}
            error={said.note?.join(' ')}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </>
      )}
    >
      <Action label={t('common.cancel')} onClick={close} />
    </NameForm>
  );
}

/** Every change of a person, newest first. One that stands can be undone, also after later ones. */
function PersonHistory({ person }: { person: PersonDetail }) {
  const { t } = useWords();
  const may = useMay()('persons:write');
  const client = useQueryClient();
  const undo = useMutation({ mutationFn: undoDecision, onSettled: () => refreshPersons(client) });
  return (
    <section className="column" aria-labelledby="person-history">
      <h3 id="person-history">{t('common.history')}</h3>
      <ErrorLine error={undo.error} />
      <ol className="history">
        {person.history.map((entry, index) => {
          const { decisionId } = entry;
          return (
            <li key={`${index}${entry.at}`}>
              <div className="row">
                <strong>{t(`persons.event_${entry.kind}`)}</strong>
                <span className="push soft">
                  <Time at={entry.at} />
                </span>
              </div>
              <p className="soft">
                {t('persons.photos', { count: entry.faces })} ·{' '}
                {t('common.by', { name: entry.byName ?? entry.by })}
              </p>
              {entry.other === null ? null : (
                <p>
                  {t('persons.other')} <Link to={`/persons/${entry.other.id}`}>{entry.other.name}</Link>
                </p>
              )}
              {entry.reason === null ? null : (
                <p className="history-note">
                  <bdi>{entry.reason}</bdi>
                </p>
              )}
              {decisionId === null || !may ? null : (
                <Action
                  size="compact-xs"
                  Icon={IconArrowBackUp}
                  label={t('persons.undo')}
                  disabled={undo.isPending}
                  onClick={() => undo.mutate(decisionId)}
                />
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
