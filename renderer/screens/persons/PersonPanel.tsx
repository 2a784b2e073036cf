import { useState } from 'react';
import { Textarea, TextInput } from '@mantine/core';
import { IconArrowsJoin2, IconPencil, IconArrowBackUp } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useQueryClient, useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  type PersonDetail,
  type PersonRow,
  PERSON_LIMITS,
} from '../../../core/contracts/dashboard/persons.ts';
import { validationQuery, type ValidationQuery } from '../../../core/contracts/dashboard/validations.ts';
import { Action, Loaded, ErrorLine, Panel } from '../../components/Page.tsx';
import { alikeQuery, personQueryById, changePerson, undoDecision } from '../../api/persons.ts';
import { validationsQuery } from '../../api/validations.ts';
import { useMay } from '../../api/session.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { faceName, validationName } from '../validations/matches.ts';
import { ErasePerson } from '../erasure/ErasePerson.tsx';
import { MergePerson, refreshPersons } from './MergePerson.tsx';
import { PersonFaces, PersonSpecimens } from './PersonFaces.tsx';
import { Fact, StatusBadge, WhoSaw, Time } from '../../components/StatusBadge.tsx';
import { ScoreScale } from '../../components/ScoreScale.tsx';
import { undoStore } from '../../state/undo.ts';
import { NameForm } from '../../components/Form.tsx';
import { useWords } from '../../i18n/words.tsx';

interface Props {
  id: number;
  close: () => void;
  /** Opens another person. */
  open: (id: number) => void;
}

/** The page of a person: all that is known of the person, and every action on it. */
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
  const { t, list } = useWords();
  const may = useMay();
  const [editing, setEditing] = useState(false);
  /** The merge that is open; `with` undefined: the other person is chosen first. */
  const [merging, setMerging] = useState<{ with: PersonRow | undefined } | null>(null);
  const { id, externalId, note, openGroups, faces } = person;
  const names = [...new Set(faces.map(({ name }) => name))].filter((name) => name !== person.name);
  const lists = new Map(
    faces.flatMap(({ blacklist }) => (blacklist ? [[blacklist.id, blacklist.name]] : [])),
  );
  return (
    <div className="person-page">
      <div className="column">
        <PersonFaces person={person} />
        <Related id={id} />
        {may('images:read') ? <PersonSpecimens person={person} /> : null}
      </div>
      <div className="column">
        {editing ? (
          <PersonForm person={person} close={() => setEditing(false)} />
        ) : (
          <>
            <dl className="facts">
              <Fact label={t('persons.column_externalId')}>{externalId ?? '–'}</Fact>
              <Fact label={t('persons.otherNames')}>
                <bdi>{names.length === 0 ? '–' : list(names)}</bdi>
              </Fact>
              <Fact label={t('nav.blacklists')}>
                {lists.size === 0
                  ? '–'
                  : [...lists].map(([listId, name]) => (
                      <Link
                        key={listId}
                        className="person-list"
                        to={`/company/internal-biometrics/${listId}`}
                      >
                        <bdi>{name}</bdi>
                      </Link>
                    ))}
              </Fact>
              <Fact label={t('facts.note')}>
                <bdi>{note ?? '–'}</bdi>
              </Fact>
            </dl>
            <div className="row wrap">
              <Action
                may="persons:write"
                size="xs"
                Icon={IconPencil}
                label={t('common.edit')}
                onClick={() => setEditing(true)}
              />
              <Action
                may="persons:write"
                size="xs"
                Icon={IconArrowsJoin2}
                label={t('persons.merge')}
                onClick={() => setMerging({ with: undefined })}
              />
              <WhoSaw of={`person:${id}`} />
              <ErasePerson
                start={{
                  validations: [...new Set(faces.flatMap(({ trustValidationId: of }) => of ?? []))],
                  faces: faces.filter(({ blacklist }) => blacklist !== null).map((face) => face.id),
                }}
                gone={close}
              />
            </div>
          </>
        )}
        {merging !== null ? (
          <MergePerson
            person={person}
            with={merging.with}
            close={() => setMerging(null)}
            merged={(target) => {
              setMerging(null);
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
        <Alike id={id} merge={(other) => setMerging({ with: other })} />
        <PersonHistory person={person} />
      </div>
    </div>
  );
}

/** The persons who may be the same one, the most similar first. A merge begins here. */
function Alike({ id, merge }: { id: number; merge: (other: PersonRow) => void }) {
  const { t } = useWords();
  const { data, error } = useQuery(alikeQuery(id));
  if (error !== null) return <ErrorLine error={error} />;
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section className="column" aria-labelledby="person-alike">
      <h3 id="person-alike">{t('persons.alike')}</h3>
      <ul className="choices">
        {data.items.map(({ person, reading }) => (
          <li key={person.id} className="row">
            <FaceThumbnail url={person.cover.thumbnailUrl} name={person.name} size={36} />
            <span className="choice-words">
              <Link to={`/persons/${person.id}`} dir="auto" className="cut">
                {person.name}
              </Link>
              <ScoreScale reading={reading} />
            </span>
            <Action
              may="persons:write"
              className="push"
              size="compact-xs"
              label={t('persons.mergeThis')}
              aria-label={t('persons.mergeWith', { name: person.name })}
              onClick={() => merge(person)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

const RELATED = [
  ['verifications', { source: 'verification' }],
  ['listHits', { hit: 'blacklist' }],
  ['duplicateHits', { hit: 'duplicate' }],
] as const satisfies readonly (readonly [string, ValidationQuery])[];

/** Rows of each list that the page shows. */
const RELATED_ROWS = 5;

/** The verifications of a person, and the validations in which a face of the person was found: on lists, and enrolled. */
function Related({ id }: { id: number }) {
  return useMay()('validations:read')
    ? RELATED.map(([word, filter]) => <RelatedList key={word} id={id} word={word} filter={filter} />)
    : null;
}

function RelatedList(props: { id: number; word: (typeof RELATED)[number][0]; filter: ValidationQuery }) {
  const { id, word, filter } = props;
  const { t, count, decimal } = useWords();
  const { data, error } = useInfiniteQuery(
    validationsQuery(validationQuery.parse({ ...filter, person: id })),
  );
  const first = data?.pages[0];
  const search = new URLSearchParams({ ...RELATED.find(([each]) => each === word)?.[1], person: String(id) });
  return (
    <section className="column" aria-labelledby={`person-${word}`}>
      <div className="row">
        <h3 id={`person-${word}`}>{t(`persons.${word}`)}</h3>
        {first === undefined ? null : <span className="soft">{count(first.total)}</span>}
        {first === undefined || first.total === 0 ? null : (
          <Link className="push" to={{ pathname: '/validations', search: search.toString() }}>
            {t('persons.showList')}
          </Link>
        )}
      </div>
      <ErrorLine error={error} />
      <ul className="person-related">
        {first?.items.slice(0, RELATED_ROWS).map((row) => {
          const { bestMatch } = row;
          return (
            <li key={row.id}>
              <Link to={`/validations/${row.id}`} className="choice">
                <FaceThumbnail url={row.thumbnailUrl} name={validationName(t, row)} size={36} />
                <span className="choice-words">
                  <span dir="auto" className="cut">
                    {validationName(t, row)}
                  </span>
                  <span dir="auto" className="soft cut">
                    {bestMatch === null
                      ? t('validations.noMatch')
                      : `${decimal(bestMatch.score)} · ${bestMatch.blacklistName ?? faceName(t, bestMatch.name, bestMatch.trustValidationId)}`}
                  </span>
                </span>
                <span className="push person-related-end">
                  <StatusBadge of="validation" code={row.status} source={row.source} />
                  <span className="soft">
                    <Time at={row.createdAt} />
                  </span>
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
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
  const { t, time } = useWords();
  const may = useMay()('persons:write');
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: undoDecision,
    onSuccess: () => undoStore.getState().notify(t('persons.undone')),
    onSettled: () => refreshPersons(client),
  });
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
                {entry.faces === 0 ? null : `${t('persons.photos', { count: entry.faces })} · `}
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
              {entry.awaitsConfirmation ? <p className="soft">{t('duplicates.awaitsConfirmation')}</p> : null}
              {entry.undoneAt === null ? null : (
                <p className="soft">{t('duplicates.undone', { time: time(entry.undoneAt) })}</p>
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
