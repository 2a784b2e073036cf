import { useState } from 'react';
import { Radio } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { AppliedCalibration } from '../../../core/contracts/calibration.ts';
import { THRESHOLD_PROFILES } from '../../../core/contracts/settings.ts';
import { calibrationQuery, chooseThresholds } from '../../api/calibration.ts';
import { useMay } from '../../api/session.ts';
import { undoStore } from '../../state/undo.ts';

/** The choice of the shipped thresholds: a mixed population, or people that the network confuses often. */
export function TableChoice({ of }: { of: AppliedCalibration }) {
  const { t } = useTranslation();
  const may = useMay();
  const client = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const choosing = useMutation({
    mutationFn: chooseThresholds,
    onMutate: () => setFailure(undefined),
    onSuccess: (now) => {
      client.setQueryData(calibrationQuery.queryKey, now);
      undoStore.getState().notify(t(`calibration.inForce_${now.thresholds}`));
    },
    onError: (error) => setFailure(error.message),
  });
  if (of.points.every(({ strictDistance }) => strictDistance === null)) return null;
  const disabled = !may('pipelines:write') || choosing.isPending;
  return (
    <section className="card column">
      <h2>{t('calibration.who')}</h2>
      <Radio.Group
        aria-label={t('calibration.who')}
        value={of.thresholds}
        onChange={(value) => choosing.mutate(value)}
        error={failure}
      >
        <div className="column">
          {THRESHOLD_PROFILES.map((table) => (
            <Radio
              key={table}
              value={table}
              disabled={disabled}
              label={t(`calibration.table_${table}`)}
              description={t(`calibration.tableHelp_${table}`)}
            />
          ))}
        </div>
      </Radio.Group>
      <details>
        <summary>{t('calibration.whenStrict')}</summary>
        <p className="soft">{t('calibration.whenStrictHelp')}</p>
      </details>
      {of.appliedAt === null ? null : <p className="soft">{t('calibration.ownCountsMore')}</p>}
    </section>
  );
}
