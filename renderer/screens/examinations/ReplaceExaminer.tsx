import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { examinationQuery, replaceExaminer } from '../../api/comparisons.ts';
import { operatorsQuery, useMay } from '../../api/session.ts';
import { FormDialog, useReauthentication } from '../../components/Form.tsx';
import { Action } from '../../components/Page.tsx';
import { Select } from '../../components/Select.tsx';
import { useWords } from '../../i18n/words.tsx';

/** Ends the work of an examiner who left. The operator names the examiner, because the page must not: a second one may see it. */
export function ReplaceExaminer({ id }: { id: number }) {
  const { t } = useWords();
  const may = useMay();
  const [open, setOpen] = useState(false);
  if (!may('operators:write')) return null;
  return (
    <div>
      <Action label={t('examinations.replace')} onClick={() => setOpen(true)} />
      {open ? <Replacement id={id} close={() => setOpen(false)} /> : null}
    </div>
  );
}

function Replacement({ id, close }: { id: number; close: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const operators = useQuery(operatorsQuery);
  const [examiner, setExaminer] = useState<string | null>(null);
  const work = useReauthentication(
    (chosen: number) => replaceExaminer(id, chosen),
    (examination) => {
      client.setQueryData(examinationQuery(id).queryKey, examination);
      close();
    },
  );
  return (
    <FormDialog
      title={t('examinations.replaceDo')}
      label={t('examinations.replaceDo')}
      close={close}
      send={() => {
        if (examiner !== null) work.mutate(Number(examiner));
      }}
      work={work}
      error={work.error ?? operators.error}
      disabled={examiner === null}
    >
      <p>{t('examinations.replaceHelp')}</p>
      <Select
        label={t('examinations.replaceWho')}
        none={t('examinations.choose')}
        data={(operators.data?.items ?? [])
          .filter(({ self }) => !self)
          .map((each) => ({ value: String(each.id), label: each.name }))}
        value={examiner}
        onChange={setExaminer}
      />
    </FormDialog>
  );
}
