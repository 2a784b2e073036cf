import { useState } from 'react';
import { Button, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PERSON_LIMITS, type PersonDetail } from '../../../core/contracts/dashboard/persons.ts';
import { changePerson } from '../../api/persons.ts';
import { NameForm } from '../../components/NameForm.tsx';
import { refreshPersons } from './usePersonChange.ts';

/** Name, external id and note of a person. */
export function PersonForm({ person, close }: { person: PersonDetail; close: () => void }) {
  const { t } = useTranslation();
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
            label={t('persons.externalId')}
            description={t('persons.externalIdHelp')}
            maxLength={PERSON_LIMITS.externalId}
            error={said.externalId?.join(' ')}
            value={externalId}
            onChange={(event) => setExternalId(event.currentTarget.value)}
          />
          <Textarea
            label={t('persons.note')}
            maxLength={PERSON_LIMITS.note}
            rows={2}
            error={said.note?.join(' ')}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </>
      )}
    >
      <Button variant="default" onClick={close}>
        {t('common.cancel')}
      </Button>
    </NameForm>
  );
}
