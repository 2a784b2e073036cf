import { useState, type ReactNode } from 'react';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ErasureAnswer } from '../../../core/contracts/dashboard/erasure.ts';
import type { ErasurePlan } from '../../../core/contracts/erasure.ts';
import { erasePerson } from '../../api/erasure.ts';
import { Form } from '../../components/Form.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { useFormats } from '../../i18n/format.ts';
import { choiceOf, type ErasureList } from './records.ts';
import { Records } from './Records.tsx';

interface PlanProps {
  list: ErasureList;
  toggle: (key: string) => void;
  /** Of what is selected now; undefined: it is being requested, or nothing is selected. */
  plan: ErasurePlan | undefined;
  /** Requests the plan again after an error. */
  refresh: () => void;
  request: { pending: boolean; error: Error | null; incomplete: boolean; field: ReactNode };
  erased: (answer: ErasureAnswer) => void;
  close: () => void;
}

/** Everything that would go and what would not; goes when the name is typed. */
export function Plan({ list, toggle, plan, refresh, request, erased, close }: PlanProps) {
  const { t } = useTranslation();
  const { list: listed } = useFormats();
  const [typed, setTyped] = useState('');
  const [removing, setRemoving] = useState(false);
  const copies = removing ? ('remove' as const) : ('keep' as const);
  const work = useReauthentication(
    ({ code }: ErasurePlan) => erasePerson({ choice: choiceOf(list), code, copies }),
    erased,
  );
  // The typed text must be on the screen, also for a photo without a name.
  const name =
    list.records.find(({ key, kind }) => list.selected.has(key) && kind !== 'comparison')?.name ??
    plan?.code ??
    '';
  const ready = plan !== undefined && typed.trim() === name && !work.incomplete;
  return (
    <Form
      className="column"
      send={() => {
        if (request.error !== null || request.field !== null) refresh();
        else if (ready) work.start(plan);
      }}
    >
      <Records list={list} toggle={toggle} />
      {request.field}
      <ErrorLine error={request.error} />
      {request.error === null && request.field === null ? null : (
        <Button
          className="erasure-end"
          variant="default"
          loading={request.pending}
          disabled={request.incomplete}
          onClick={refresh}
        >
          {t('erasure.look')}
        </Button>
      )}
      {plan === undefined ? (
        <p className="soft" role="status">
          {t(list.selected.size === 0 ? 'erasure.noneSelected' : 'erasure.planning')}
        </p>
      ) : (
        <>
          <ErasedRecords plan={plan} />
          <ExternalCopies plan={plan} />
          {plan.copies.length === 0 ? null : (
            <Checkbox
              label={t('erasure.copies', { names: listed(plan.copies.map((copy) => copy.name)) })}
              checked={removing}
              onChange={(event) => setRemoving(event.currentTarget.checked)}
            />
          )}
        </>
      )}
      <TextInput
        label={t('common.typeToConfirm', { name })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
      />
      {work.field}
      <ErrorLine error={work.error} />
      <Summary list={list} />
      <div className="row">
        <Button className="push" variant="default" onClick={close}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" color="red" disabled={!ready} loading={work.pending}>
          {t('erasure.erase')}
        </Button>
      </div>
    </Form>
  );
}

/** How many records are selected, and their names, above the button that erases them. */
function Summary({ list }: { list: ErasureList }) {
  const { t } = useTranslation();
  const { count, list: listed } = useFormats();
  const names = list.records.filter(({ key }) => list.selected.has(key)).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <p className="erasure-summary" role="status">
      {t('erasure.selected', {
        count: names.length,
        records: count(names.length),
        names: listed([...new Set(names)]),
      })}
    </p>
  );
}

function ErasedRecords({ plan }: { plan: ErasurePlan }) {
  const { t } = useTranslation();
  const { count, list: listed } = useFormats();
  return (
    <Part title={t('erasure.goes')}>
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
    </Part>
  );
}

function ExternalCopies({ plan }: { plan: ErasurePlan }) {
  const { t } = useTranslation();
  const { count, list: listed } = useFormats();
  const { backups, exports, mentionedIn, sources } = plan;
  return (
    <Part title={t('erasure.outside')}>
      {backups.length === 0 ? null : <li>{t('erasure.backups', { backups: count(backups.length) })}</li>}
      {exports.length === 0 ? null : <li>{t('erasure.exports', { exports: count(exports.length) })}</li>}
      {mentionedIn.length === 0 ? null : <li>{t('erasure.mentionedIn', { ids: listed(mentionedIn) })}</li>}
      {sources.map(({ installation, list }) => (
        <li key={`${installation} ${list}`}>{t('erasure.source', { installation, list })}</li>
      ))}
      <li>{t('erasure.originals')}</li>
    </Part>
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
