import { useState, type ReactNode } from 'react';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ErasureAnswer } from '../../../core/contracts/dashboard/erasure.ts';
import type { ErasureCandidate, ErasureSelection, ErasurePlan } from '../../../core/contracts/erasure.ts';
import { erasePerson } from '../../api/erasure.ts';
import { ErrorLine } from '../../components/states.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { useFormats } from '../../i18n/format.ts';

interface PlanProps {
  plan: ErasurePlan;
  choice: ErasureSelection;
  /** Looks again, with another choice. */
  look: (choice: ErasureSelection) => void;
  /** It is being looked at: what is ticked now would start from the choice before. */
  looking: boolean;
  erased: (answer: ErasureAnswer) => void;
  close: () => void;
}

/** Everything that would go and what would not; goes when the name is typed. */
export function Plan({ plan, choice, look, looking, erased, close }: PlanProps) {
  const { t } = useTranslation();
  const { list: listed } = useFormats();
  const [typed, setTyped] = useState('');
  const [removing, setRemoving] = useState(false);
  const copies = removing ? ('remove' as const) : ('keep' as const);
  const work = useReauthentication(() => erasePerson({ choice, code: plan.code, copies }), erased);
  // The typed text must be on the screen, also for a photo without a name.
  const name = (plan.validations[0] ?? plan.faces[0])?.name ?? plan.code;
  const ready = typed.trim() === name && !work.incomplete && !looking;
  return (
    <form
      className="column"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) work.start(undefined);
      }}
    >
      <ErasedRecords plan={plan} />
      <Candidates
        candidates={plan.candidates}
        disabled={looking}
        tick={(one) => look(withCandidate(choice, one))}
      />
      <ExternalCopies plan={plan} />
      {plan.copies.length === 0 ? null : (
        <Checkbox
          label={t('erasure.copies', { names: listed(plan.copies.map((copy) => copy.name)) })}
          checked={removing}
          onChange={(event) => setRemoving(event.currentTarget.checked)}
        />
      )}
      <TextInput
        label={t('common.typeToConfirm', { name })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
      />
      {work.field}
      <ErrorLine error={work.error} />
      <div className="row">
        <Button className="push" variant="default" onClick={close}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" color="red" disabled={!ready} loading={work.pending}>
          {t('erasure.erase')}
        </Button>
      </div>
    </form>
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
        <li key={`${uploadId}:${index}`}>{t('erasure.photo', { name: fileName })}</li>
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
      {sources.map(({ site, list }) => (
        <li key={`${site} ${list}`}>{t('erasure.source', { site, list })}</li>
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

/** A ticked candidate joins the selection, and the plan is made for both. */
function Candidates(props: {
  candidates: readonly ErasureCandidate[];
  disabled: boolean;
  tick: (candidate: ErasureCandidate) => void;
}) {
  const { candidates, disabled, tick } = props;
  const { t } = useTranslation();
  const { count } = useFormats();
  if (candidates.length === 0) return null;
  return (
    <section>
      <h3>{t('erasure.candidates')}</h3>
      <div
        className="column erasure-candidates"
        role="group"
        aria-label={t('erasure.candidates')}
        tabIndex={0}
      >
        {candidates.map((candidate) => {
          const { kind, id, name, why, score } = candidate;
          return (
            <Checkbox
              key={`${kind} ${id}`}
              checked={false}
              disabled={disabled}
              onChange={() => tick(candidate)}
              label={t('erasure.candidate', {
                name,
                id,
                kind: t(`erasure.kind_${kind}`),
                why: t(`erasure.why_${why}`, { score: count(Math.round(score ?? 0)) }),
              })}
            />
          );
        })}
      </div>
    </section>
  );
}

function withCandidate(choice: ErasureSelection, { kind, id }: ErasureCandidate): ErasureSelection {
  switch (kind) {
    case 'validation':
      return { ...choice, validations: [...choice.validations, Number(id)] };
    case 'face':
      return { ...choice, faces: [...choice.faces, Number(id)] };
    case 'comparison':
      return { ...choice, comparisons: [...choice.comparisons, Number(id)] };
    case 'photo': {
      const [uploadId = '', index] = id.split(':');
      return { ...choice, photos: [...choice.photos, { uploadId, index: Number(index) }] };
    }
  }
}
