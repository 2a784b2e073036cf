import { useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useMay, useSession } from '../../api/session.ts';
import { loadSpecimens } from '../../api/specimens.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { PersonChoice } from '../persons/PersonChoice.tsx';
import { fileOf } from '../../components/dataUri.ts';

interface Chosen {
  id: number;
  name: string;
}

/**
 * Loads the stored specimens of a person as known signatures. A person in the address (`?person=3&name=…`) is loaded when the
 * screen opens.
 */
export function StoredSpecimens(props: {
  add: (files: readonly File[]) => Promise<void>;
  disabled: boolean;
}) {
  const { add, disabled } = props;
  const { t } = useTranslation();
  const { count } = useFormats();
  const { company } = useSession();
  const may = useMay();
  const [choosing, setChoosing] = useState(false);
  const load = useMutation({
    mutationFn: async ({ id, name }: Chosen) => {
      const { items } = await loadSpecimens(id);
      const files = items.map(({ image }, index) =>
        fileOf(image, t('knownSignatures.storedFile', { name, number: count(index + 1) })),
      );
      await add(files);
      return files.length;
    },
  });
  const { mutate } = load;
  const offered = company.signatureSpecimens && may('persons:read');
  useWantedPerson(offered, mutate);
  if (!offered) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={disabled}
        loading={load.isPending}
        onClick={() => setChoosing(true)}
      >
        {t('knownSignatures.loadStored')}
      </Button>
      <ErrorLine error={load.error} />
      {load.data === 0 ? <span role="status">{t('knownSignatures.loadedNone')}</span> : null}
      {choosing ? (
        <Dialog title={t('knownSignatures.loadStored')} close={() => setChoosing(false)}>
          <PersonChoice
            choose={(person) => {
              setChoosing(false);
              mutate(person);
            }}
          />
        </Dialog>
      ) : null}
    </>
  );
}

/** Loads the person of the address once, and takes it out of the address. */
function useWantedPerson(offered: boolean, load: (person: Chosen) => void): void {
  const [params, setParams] = useSearchParams();
  const isLoaded = useRef(false);
  const id = Number(params.get('person'));
  const name = params.get('name') ?? '';
  useEffect(() => {
    if (!offered || isLoaded.current || !(id > 0)) return;
    isLoaded.current = true;
    load({ id, name });
    setParams({}, { replace: true });
  }, [offered, id, name, load, setParams]);
}
