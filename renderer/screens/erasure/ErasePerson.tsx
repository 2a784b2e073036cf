import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ErasureAnswer } from '../../../core/contracts/dashboard/erasure.ts';
import type { ErasureSelection, ErasurePlan } from '../../../core/contracts/erasure.ts';
import { planErasure } from '../../api/erasure.ts';
import { useMay } from '../../api/session.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { Plan } from './Plan.tsx';
import { Receipt } from './Receipt.tsx';
import './erasure.css';

/** Opens the erasure of the person who is shown. @param gone called when the dialog closes after an erasure */
export function ErasePerson({ start, gone }: { start: Partial<ErasureSelection>; gone: () => void }) {
  const { t } = useTranslation();
  const may = useMay();
  const [open, setOpen] = useState(false);
  if (!may('persons:erase')) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        leftSection={<IconEraser size={15} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('erasure.action')}
      </Button>
      {open ? <Erasure start={start} close={() => setOpen(false)} gone={gone} /> : null}
    </>
  );
}

/** Look, tick, confirm, receipt. */
function Erasure(props: { start: Partial<ErasureSelection>; close: () => void; gone: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [choice, setChoice] = useState<ErasureSelection>({
    validations: [],
    faces: [],
    photos: [],
    comparisons: [],
    ...props.start,
  });
  const [plan, setPlan] = useState<ErasurePlan>();
  const [answer, setAnswer] = useState<ErasureAnswer>();
  const look = useReauthentication(planErasure, (found, looked) => {
    setPlan(found);
    setChoice(looked);
  });
  const close = () => {
    props.close();
    if (answer === undefined) return;
    props.gone();
    // Everything that was shown may name the person.
    void client.invalidateQueries();
  };
  return (
    <Dialog title={t('erasure.title')} close={close} wide>
      {answer !== undefined ? (
        <Receipt answer={answer} close={close} />
      ) : plan !== undefined ? (
        <>
          <Plan
            plan={plan}
            choice={choice}
            look={look.start}
            looking={look.pending}
            erased={setAnswer}
            close={close}
          />
          {look.field}
          <ErrorLine error={look.error} />
        </>
      ) : (
        <form
          className="column"
          onSubmit={(event) => {
            event.preventDefault();
            look.start(choice);
          }}
        >
          <p>{t('erasure.before')}</p>
          {look.field}
          <ErrorLine error={look.error} />
          <Button className="erasure-end" type="submit" loading={look.pending} disabled={look.incomplete}>
            {t('erasure.look')}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
