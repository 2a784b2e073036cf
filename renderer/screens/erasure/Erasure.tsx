import { useEffect, useState, type ReactNode } from 'react';
import { Checkbox, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import type { ErasureAnswer, ErasurePlan, ErasureSelection } from '../../../core/contracts/erasure.ts';
import { receiptText } from '../../../core/contracts/erasureText.ts';
import { Action, ErrorLine, LoadingRows } from '../../components/Page.tsx';
import { erasePerson, planErasure } from '../../api/persons.ts';
import { Dialog, Form, useReauthentication, Submit } from '../../components/Form.tsx';
import { downloadFile } from '../../components/ExportButton.tsx';
import { useWords } from '../../i18n/words.tsx';
import { erasing, type Erasing } from '../../state/undo.ts';
import { downloadReceipt } from './downloadReceipt.ts';
import { choiceOf, firstList, keyOf, withPlan, withToggled, type ErasureList, Records } from './Records.tsx';
import './erasure.css';

const close = () => erasing.setState({ open: null });

/** Preview, select, confirm, receipt. Another screen closes the preview, but not the receipt. */
export default function Erasure({ start, gone }: Erasing) {
  const { t } = useWords();
  const client = useQueryClient();
  const { pathname } = useLocation();
  const [openedAt] = useState(pathname);
  const [answer, setAnswer] = useState<ErasureAnswer>();
  const left = pathname !== openedAt && answer === undefined;
  useEffect(() => {
    if (left) close();
  }, [left]);
  const erased = (result: ErasureAnswer) => {
    setAnswer(result);
    gone();
    // Everything that was shown may name the person.
    void client.invalidateQueries();
  };
  return (
    <Dialog title={t('erasure.title')} close={close} wide>
      {answer === undefined ? <Plan start={start} erased={erased} /> : <Receipt answer={answer} />}
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
  const key = list === undefined ? undefined : keyOf(list);
  const { isPending, error, incomplete, field, mutate: send } = request;
  const refresh = () => {
    if (list === undefined) send({ choice: first, key: '' });
    else send({ choice: choiceOf(list), key: keyOf(list) });
  };
  const behind = key !== '' && (planned === undefined || key !== planned.key);
  useEffect(() => {
    // With the passphrase field the operator sends it.
    if (behind && !isPending && error === null && field === null && !incomplete) refresh();
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

/** Everything that would go and what would not; goes when the name is typed. */
function Plan({ start, erased }: { start: Erasing['start']; erased: (answer: ErasureAnswer) => void }) {
  const { t, list: listed } = useWords();
  const { list, plan, toggle, refresh, request } = usePreview(start);
  const [typed, setTyped] = useState('');
  const [removing, setRemoving] = useState(false);
  const copies = removing ? ('remove' as const) : ('keep' as const);
  const work = useReauthentication(
    ({ choice, code }: { choice: ErasureSelection; code: string }) => erasePerson({ choice, code, copies }),
    erased,
  );
  // The typed text must be on the screen, also for a photo without a name.
  const name =
    list?.records.find(({ key, kind }) => list.selected.has(key) && kind !== 'comparison')?.name ??
    plan?.code ??
    '';
  const again = request.error !== null || request.field !== null;
  const ready = plan !== undefined && typed.trim() === name && !work.incomplete;
  return (
    <Form
      className="column"
      send={() => {
        if (again) refresh();
        else if (ready && list !== undefined) work.mutate({ choice: choiceOf(list), code: plan.code });
      }}
    >
      {list !== undefined ? <Records list={list} toggle={toggle} /> : again ? null : <LoadingRows rows={4} />}
      {request.field}
      <ErrorLine error={request.error} />
      {again ? (
        <Action
          className="erasure-end"
          label={t('erasure.look')}
          disabled={request.incomplete}
          loading={request.isPending}
          onClick={refresh}
        />
      ) : null}
      {plan === undefined ? null : (
        <>
          <Part title={t('erasure.outside')}>
            <ExternalCopies plan={plan} />
          </Part>
          {plan.copies.length === 0 ? null : (
            <Checkbox
              label={t('erasure.copies', { names: listed(plan.copies.map((copy) => copy.name)) })}
              checked={removing}
              onChange={(event) => setRemoving(event.currentTarget.checked)}
            />
          )}
        </>
      )}
      {list === undefined ? null : (
        <>
          <details>
            <summary>{t('erasure.goes')}</summary>
            <ul className="erasure-list">{plan === undefined ? null : <ErasedRecords plan={plan} />}</ul>
          </details>
          <div className="dialog-foot column">
            <p className="erasure-summary" role="status">
              {plan !== undefined ? (
                <Counts plan={plan} />
              ) : (
                t(list.selected.size === 0 ? 'erasure.noneSelected' : 'erasure.planning')
              )}
            </p>
            <TextInput
              label={t('common.typeToConfirm', { name })}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
            />
            <Submit work={work} cancel={close} color="red" label={t('erasure.erase')} disabled={!ready} />
          </div>
        </>
      )}
    </Form>
  );
}

/** How many records of each kind go. */
function Counts({ plan }: { plan: ErasurePlan }) {
  const { t, count, list: listed } = useWords();
  const numbers = {
    validations: plan.validations.length,
    faces: plan.faces.length,
    photos: plan.photos.length,
    comparisons: plan.comparisons.length,
    examinations: plan.examinations.length,
    images: plan.images.count,
    persons: plan.persons.filter(({ photosLeft }) => photosLeft === 0).length,
  };
  const parts = (Object.keys(numbers) as (keyof typeof numbers)[])
    .filter((kind) => numbers[kind] > 0)
    .map((kind) => t(`erasure.counts_${kind}`, { count: numbers[kind], number: count(numbers[kind]) }));
  return t('erasure.counts', { records: listed(parts) });
}

function ErasedRecords({ plan }: { plan: ErasurePlan }) {
  const { t, count, list: listed } = useWords();
  return (
    <>
      {plan.validations.map(({ id, name }) => (
        <li key={`validation ${id}`}>{t('erasure.validation', { id, name })}</li>
      ))}
      {plan.faces.map(({ id, name }) => (
        <li key={`face ${id}`}>{t('erasure.face', { id, name })}</li>
      ))}
      {plan.photos.map(({ uploadId, index, fileName }) => (
        <li key={`${uploadId}:${index}`}>{t('erasure.photo', { name: fileName, upload: uploadId })}</li>
      ))}
      {plan.persons.map(({ id, name, photosLeft }) => (
        <li key={`person ${id}`}>
          {photosLeft === 0
            ? t('erasure.person', { name })
            : t('erasure.personStays', { name, photos: count(photosLeft) })}
        </li>
      ))}
      <li>{t('erasure.images', { images: count(plan.images.count) })}</li>
      {plan.namedIn.length === 0 ? null : <li>{t('erasure.namedIn', { ids: listed(plan.namedIn) })}</li>}
    </>
  );
}

function ExternalCopies({ plan }: { plan: ErasurePlan }) {
  const { t, count, list: listed } = useWords();
  const { backups, caseFolders, exports, mentionedIn, sources } = plan;
  return (
    <>
      {backups.length === 0 ? null : <li>{t('erasure.backups', { backups: count(backups.length) })}</li>}
      {exports.length === 0 ? null : <li>{t('erasure.exports', { exports: count(exports.length) })}</li>}
      {caseFolders.length === 0 ? null : <li>{t('erasure.caseFolders', { ids: listed(caseFolders) })}</li>}
      {mentionedIn.length === 0 ? null : <li>{t('erasure.mentionedIn', { ids: listed(mentionedIn) })}</li>}
      {sources.map(({ installation, list }) => (
        <li key={`${installation} ${list}`}>{t('erasure.source', { installation, list })}</li>
      ))}
      <li>{t('erasure.originals')}</li>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul className="erasure-list">{children}</ul>
    </section>
  );
}

/** The result and the receipt as a file. The receipt has no personal data. */
function Receipt({ answer }: { answer: ErasureAnswer }) {
  const { t, count } = useWords();
  const { id, signed } = answer;
  const proof = signed?.receipt.proof ?? null;
  return (
    <div className="column">
      <h3>{t('erasure.done')}</h3>
      {proof === null ? null : (
        <p>
          {t('erasure.proof', {
            sought: count(proof.sought),
            pages: count(proof.pages),
            found: count(proof.found),
          })}
        </p>
      )}
      <p>{t(signed === null ? 'erasure.later' : 'erasure.receiptHelp', { id })}</p>
      <div className="row">
        {signed === null ? null : (
          <>
            <Action
              primary
              Icon={IconDownload}
              label={t('erasure.receipt')}
              onClick={() => downloadReceipt(signed)}
            />
            <Action
              label={t('erasure.receiptText')}
              onClick={() =>
                downloadFile(`erasure-${id}.txt`, new Blob([receiptText(signed)], { type: 'text/plain' }))
              }
            />
          </>
        )}
        <Action variant="subtle" label={t('erasure.toReceipts')} to={`/erasures/${id}`} onClick={close} />
        <Action className="push" label={t('common.close')} onClick={close} />
      </div>
    </div>
  );
}
