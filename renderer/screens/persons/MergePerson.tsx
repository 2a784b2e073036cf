import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { IconArrowsJoin2, IconArrowsLeftRight, IconSearch } from '@tabler/icons-react';
import {
  useQuery,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import type { PersonDetail, PersonRow, PersonsAnswer } from '../../../core/contracts/dashboard/persons.ts';
import { Action, Loaded, ErrorLine } from '../../components/Page.tsx';
import { alikeQuery, mergePersons, personQueryById, personsQuery, undoDecision } from '../../api/persons.ts';
import { Dialog } from '../../components/Form.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { undoStore } from '../../state/undo.ts';
import { useWords } from '../../i18n/words.tsx';
import '../../components/parts.css';

/** Merges two persons: both are shown with all their photos, and the one that stays is named. */
export function MergePerson(props: {
  person: PersonDetail;
  /** The other person; undefined: it is chosen first. */
  with: PersonRow | undefined;
  close: () => void;
  /** @param target the person that stays */
  merged: (target: number) => void;
}) {
  const { person, close, merged } = props;
  const { t } = useWords();
  const [other, setOther] = useState(props.with);
  return (
    <Dialog title={t('persons.mergeTitle')} close={close} wide>
      {other === undefined ? (
        <PersonChoice of={person.id} choose={setOther} />
      ) : (
        <Both person={person} other={other.id} merged={merged} />
      )}
    </Dialog>
  );
}

function Both(props: { person: PersonDetail; other: number; merged: (target: number) => void }) {
  const { person, other, merged } = props;
  const { t } = useWords();
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
              <Action
                Icon={IconArrowsLeftRight}
                label={t('persons.mergeSwap')}
                onClick={() => setSwapped(!swapped)}
              />
              <Action
                primary
                className="push"
                Icon={IconArrowsJoin2}
                label={t('persons.mergeDo', { name: target.name })}
                loading={work.isPending}
                onClick={() => work.mutate([target, source])}
              />
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

function Side({ person, about }: { person: PersonDetail; about: string }) {
  const { t } = useWords();
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

/** The service is asked when no key has come for this long, milliseconds. */
const DEBOUNCE_MS = 120;
const SHOWN = 8;

/**
 * Searches another person by name or external id, to be chosen. Before a name is typed, the most alike come first.
 * @param props `of`: the person for whom another one is chosen
 */
export function PersonChoice(props: { of?: number; choose: (person: PersonRow) => void }) {
  const { of, choose } = props;
  const { t } = useWords();
  const [text, setText] = useState('');
  const [sent] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const { data, error } = useInfiniteQuery({
    ...personsQuery({ order: 'newest', limit: SHOWN + 1, text: sent }),
    placeholderData: keepPreviousData,
  });
  const alike = useQuery({ ...alikeQuery(of ?? 0), enabled: of !== undefined && sent === '' });
  const first = sent === '' ? (alike.data?.items.map(({ person }) => person) ?? []) : [];
  const others = data?.pages[0]?.items.filter(({ id }) => id !== of && first.every((each) => each.id !== id));
  const found = others && [...first, ...others].slice(0, SHOWN);
  return (
    <div className="column">
      <TextInput
        autoFocus
        data-autofocus
        size="xs"
        label={t('persons.choosePerson')}
        placeholder={t('persons.search')}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ErrorLine error={error} />
      {found?.length === 0 ? <p className="soft">{t('persons.mergeNone')}</p> : null}
      <ul className="choices" aria-label={t('persons.choosePerson')}>
        {(found ?? []).map((person) => (
          <li key={person.id}>
            <button type="button" className="choice" onClick={() => choose(person)}>
              <FaceThumbnail url={person.cover.thumbnailUrl} name={person.name} size={36} />
              <span className="choice-words">
                <span dir="auto" className="cut">
                  {person.name}
                </span>
                <span dir="auto" className="soft cut">
                  {person.externalId ?? t('persons.photos', { count: person.faces })}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Reads again all that shows persons: their lists, and the groups and validations that name them. */
export async function refreshPersons(client: QueryClient): Promise<void> {
  await Promise.all(
    ['persons', 'duplicates', 'validations'].map((topic) => client.invalidateQueries({ queryKey: [topic] })),
  );
}

/**
 * A merge, a split or a move, with ten seconds to undo it. The history of the person undoes it later.
 * @param done runs after the change. @returns its sentence
 */
export function usePersonChange<T>(
  change: (input: T) => Promise<PersonsAnswer>,
  done: (answer: PersonsAnswer, input: T) => string,
) {
  const client = useQueryClient();
  const { t } = useWords();
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer, input) => {
      undoStore.getState().offer(done(answer, input), async () => {
        await undoDecision(answer.decisionId);
        await refreshPersons(client);
        undoStore.getState().notify(t('persons.undone'));
      });
      await refreshPersons(client);
    },
    // A version that is no longer the current one: show the present data.
    onError: () => refreshPersons(client),
  });
}
