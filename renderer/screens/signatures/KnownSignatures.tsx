import { useState } from 'react';
import { Button, Checkbox, Loader } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { KNOWN_SIGNATURE_LIMITS } from '../../../core/contracts/knownSignatures.ts';
import { ApiError } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { compareKnownSignatures } from '../../api/signatures.ts';
import { Page } from '../../components/Page.tsx';
import { ErrorState } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { KnownResult } from './KnownResult.tsx';
import { References, type References as Names } from './Sides.tsx';
import { dataUriOf } from '../../components/dataUri.ts';
import { newReference, type Side } from './side.ts';
import { SignatureTabs } from './SignatureTabs.tsx';
import { Specimens } from './Specimens.tsx';
import { useSpecimens, type SpecimensState } from './useSpecimens.ts';
import './signatures.css';
import './knownSignatures.css';

interface Given {
  questioned: Side;
  known: readonly Side[];
}

/** One questioned signature and several known ones: what the likeness says about the writer. */
export function Component() {
  const { t } = useTranslation();
  const { time } = useFormats();
  const may = useMay();
  const [names, setNames] = useState<Names>(() => ({ template: 'manual', verification: newReference() }));
  const [acrossMedia, setAcrossMedia] = useState(false);
  const work = useMutation({
    mutationFn: async ({ questioned, known }: Given) =>
      compareKnownSignatures({
        questioned: await dataUriOf(questioned),
        known: await Promise.all(known.map(dataUriOf)),
        template_id: names.template.trim(),
        verification_id: names.verification.trim(),
        across_media: acrossMedia,
      }),
  });
  const specimens = useSpecimens(work.reset);
  const startNew = () => {
    specimens.clear();
    setNames({ ...names, verification: newReference() });
  };
  const { data, error, isPending } = work;
  const named = error instanceof ApiError && error.status === 422 ? error.fields : {};
  const given = givenOf(specimens);
  const ready = given !== null && names.template.trim() !== '' && names.verification.trim() !== '';
  return (
    <Page
      title={t('nav.signatures')}
      state={
        data === undefined
          ? t('knownSignatures.stateIdle')
          : t('signatures.stateDone', { time: time(data.at), id: data.id })
      }
      action={
        data === undefined ? undefined : (
          <Button variant="default" onClick={startNew}>
            {t('signatures.another')}
          </Button>
        )
      }
    >
      <SignatureTabs />
      {data !== undefined && given !== null ? (
        <KnownResult answer={data} {...given} />
      ) : !may('signatures:compare') ? (
        <ErrorState error={new ApiError(403, '')} />
      ) : error !== null && Object.keys(named).length === 0 ? (
        <ErrorState error={error} retry={work.reset} />
      ) : (
        <div className="page-scroll column">
          <Specimens specimens={specimens} errors={named} />
          <Checkbox
            label={t('knownSignatures.acrossMedia')}
            checked={acrossMedia}
            onChange={(event) => setAcrossMedia(event.currentTarget.checked)}
          />
          <References names={names} change={setNames} />
          <div className="row">
            <Button
              size="md"
              disabled={!ready || isPending}
              onClick={() => {
                if (given !== null) work.mutate(given);
              }}
            >
              {t('signatures.compare')}
            </Button>
            {isPending ? (
              <span className="row" role="status">
                <Loader size="sm" /> {t('signatures.comparing')}
              </span>
            ) : null}
          </div>
        </div>
      )}
    </Page>
  );
}

/** Null: there are too few images yet. */
function givenOf({ questioned, known }: SpecimensState): Given | null {
  return questioned === null || known.length < KNOWN_SIGNATURE_LIMITS.least ? null : { questioned, known };
}
