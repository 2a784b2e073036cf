import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PersonRow } from '../../../core/contracts/dashboard/persons.ts';
import { personsQuery } from '../../api/persons.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { ErrorLine } from '../../components/states.tsx';
import '../../components/select.css';

/** The service is asked when no key has come for this long, milliseconds. */
const DEBOUNCE_MS = 120;
const SHOWN = 8;

/** Searches another person by name or external id, to be chosen. @param props `without`: never offered */
export function PersonChoice(props: { without?: number; choose: (person: PersonRow) => void }) {
  const { without, choose } = props;
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [sent] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const { data, error } = useInfiniteQuery({
    ...personsQuery({ order: 'newest', limit: SHOWN + 1, text: sent }),
    placeholderData: keepPreviousData,
  });
  const found = data?.pages[0]?.items.filter(({ id }) => id !== without).slice(0, SHOWN);
  return (
    <div className="column">
      <TextInput
        autoFocus
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
