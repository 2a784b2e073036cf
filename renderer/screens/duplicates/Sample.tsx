import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SAMPLE_SIZES, type Sample } from '../../../core/contracts/dashboard/duplicates.ts';
import { drawSample, groupCountQuery } from '../../api/duplicates.ts';
import { useMay } from '../../api/session.ts';
import { Form } from '../../components/Form.tsx';
import { Page } from '../../components/Page.tsx';
import { Select } from '../../components/Select.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { CERTAINTIES } from './Filters.tsx';
import { useGroupAddress } from './groupFilter.ts';
import { PartlyDecided } from './PartlyDecided.tsx';
import { SamplePairs } from './SamplePairs.tsx';
import './duplicates.css';

/** Accepting many groups at once, after a random sample of them was checked without an error. */
export function Component() {
  const { t } = useTranslation();
  const address = useGroupAddress();
  const [sample, setSample] = useState<Sample>();
  return (
    <Page
      title={t('duplicates.sample')}
      state={t('duplicates.sampleState')}
      action={
        <Button
          component={Link}
          to={{ pathname: '/duplicates', search: address.search }}
          variant="default"
          leftSection={<IconArrowLeft size={16} className="mirrored" aria-hidden />}
        >
          {t('duplicates.back')}
        </Button>
      }
    >
      <div className="page-scroll">
        {sample === undefined ? (
          <SampleForm filter={address.filter} drawn={setSample} />
        ) : (
          <SamplePairs
            key={sample.id}
            sample={sample}
            filter={address.filter}
            again={() => setSample(undefined)}
          />
        )}
      </div>
    </Page>
  );
}

function SampleForm(props: {
  filter: ReturnType<typeof useGroupAddress>['filter'];
  drawn: (sample: Sample) => void;
}) {
  const { t } = useTranslation();
  const { count, percent } = useFormats();
  const may = useMay();
  const { state: _state, order: _order, cursor: _cursor, limit: _limit, ...filter } = props.filter;
  const [certainty, setCertainty] = useState<number>(filter.certainty ?? CERTAINTIES[0]);
  const [size, setSize] = useState<(typeof SAMPLE_SIZES)[number]>(SAMPLE_SIZES[0]);
  // Only groups without any decision are accepted in bulk.
  const groups = useQuery(groupCountQuery({ ...filter, state: 'proposed', certainty }));
  const total = groups.data?.total;
  const complete = SAMPLE_SIZES.find((each) => total !== undefined && each >= total);
  const sizes = complete === undefined ? SAMPLE_SIZES : SAMPLE_SIZES.filter((each) => each <= complete);
  const draw = useMutation({
    mutationFn: () =>
      drawSample({ filter, certainty, size: sizes.find((each) => each === size) ?? complete ?? size }),
    onSuccess: (drawn) => (drawn.groups === 0 ? groups.refetch() : props.drawn(drawn)),
  });
  return (
    <Form className="card column sample-form" send={() => draw.mutate()}>
      <p>{t('duplicates.sampleWhat')}</p>
      <Select
        w={260}
        label={t('duplicates.sampleCertainty')}
        value={String(certainty)}
        onChange={(value) => setCertainty(Number(value))}
        data={[...new Set([...CERTAINTIES, certainty])].map((share) => ({
          value: String(share),
          label: percent(share),
        }))}
      />
      <Select
        w={260}
        label={t('duplicates.sampleSize')}
        description={t('duplicates.sampleBound')}
        value={String(Math.min(size, sizes.at(-1) ?? size))}
        onChange={(value) => setSize(SAMPLE_SIZES.find((each) => String(each) === value) ?? size)}
        data={sizes.map((each) => ({
          value: String(each),
          label:
            each === complete
              ? t('duplicates.sampleAll', { size: count(total ?? each) })
              : t('duplicates.sampleSizeChoice', { size: count(each), bound: percent(3 / each) }),
        }))}
      />
      <p role="status">
        {total === undefined
          ? null
          : total === 0
            ? t('duplicates.sampleNone')
            : t('duplicates.state', { count: total, total: count(total) })}
      </p>
      <PartlyDecided filter={filter} />
      <ErrorLine error={draw.error ?? groups.error} />
      {may('duplicates:review') ? (
        <Button
          type="submit"
          className="push"
          loading={draw.isPending}
          disabled={(total ?? 0) === 0}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
        >
          {t('duplicates.sampleStart')}
        </Button>
      ) : null}
    </Form>
  );
}
