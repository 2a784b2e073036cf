import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ErasureAnswer } from '../../../core/contracts/dashboard/erasure.ts';
import type { ErasureSelection, ErasurePlan } from '../../../core/contracts/erasure.ts';
import { planErasure } from '../../api/erasure.ts';
import { useMay } from '../../api/session.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { Plan } from './Plan.tsx';
import { Receipt } from './Receipt.tsx';
import { choiceOf, firstList, keyOf, withPlan, withToggled, type ErasureList } from './records.ts';
import './erasure.css';

/**
 * Opens the erasure of the person who is shown.
 * @param start records of the person; several validations or faces are listed and erased together
 * @param gone called when the dialog closes after an erasure
 */
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
        {t((start.validations ?? []).length > 1 ? 'erasure.actionSelected' : 'erasure.action')}
      </Button>
      {open ? <Erasure start={start} close={() => setOpen(false)} gone={gone} /> : null}
    </>
  );
}

/** Preview, select, confirm, receipt. */
function Erasure(props: { start: Partial<ErasureSelection>; close: () => void; gone: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [answer, setAnswer] = useState<ErasureAnswer>();
  const preview = usePreview(props.start);
  const { list, plan, request } = preview;
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
      ) : list !== undefined ? (
        <Plan
          list={list}
          toggle={preview.toggle}
          plan={plan}
          refresh={preview.refresh}
          request={request}
          erased={setAnswer}
          close={close}
        />
      ) : (
        <Form className="column" send={() => preview.refresh()}>
          <p>{t('erasure.before')}</p>
          {request.field}
          <ErrorLine error={request.error} />
          <Button
            className="erasure-end"
            type="submit"
            loading={request.pending}
            disabled={request.incomplete}
          >
            {t('erasure.look')}
          </Button>
        </Form>
      )}
    </Dialog>
  );
}

/**
 * The list of an erasure and the plan of what is selected in it. A change of the selection counts at once. The plan
 * follows: while one is requested, later changes wait, and then the newest selection is planned.
 */
function usePreview(start: Partial<ErasureSelection>) {
  const [list, setList] = useState<ErasureList>();
  const [planned, setPlanned] = useState<{ key: string; plan: ErasurePlan }>();
  const [first] = useState<ErasureSelection>({
    validations: [],
    faces: [],
    photos: [],
    comparisons: [],
    ...start,
  });
  const request = useReauthentication(
    ({ choice }: { choice: ErasureSelection; key: string }) => planErasure(choice),
    (plan, { choice, key }) => {
      if (list === undefined) {
        const begun = firstList(plan, choice);
        setList(begun);
        setPlanned({ key: keyOf(begun), plan });
        return;
      }
      setList((now) => now && withPlan(now, plan));
      setPlanned({ key, plan });
    },
  );
  const key = list && keyOf(list);
  const { pending, error, incomplete, start: send } = request;
  const refresh = () => {
    if (list === undefined) send({ choice: first, key: '' });
    else send({ choice: choiceOf(list), key: keyOf(list) });
  };
  const behind = key !== undefined && key !== '' && key !== planned?.key;
  useEffect(() => {
    if (behind && !pending && error === null && !incomplete) refresh();
  });
  return {
    list,
    /** Of the present selection; undefined: it is not known yet, or nothing is selected. */
    plan: planned !== undefined && planned.key === key ? planned.plan : undefined,
    toggle: (record: string) => setList((now) => now && withToggled(now, record)),
    refresh,
    request,
  };
}
