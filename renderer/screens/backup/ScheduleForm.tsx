import { useState } from 'react';
import { Button, NumberInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  MAX_BACKUPS_KEPT,
  type BackupPlace,
  type BackupSchedule,
} from '../../../core/contracts/dashboard/backups.ts';
import { backupQuery, setBackupSchedule } from '../../api/backups.ts';
import { Form } from '../../components/Form.tsx';
import { Select } from '../../components/Select.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { undoStore } from '../../state/undo.ts';
import { firstPlace, usePlaceItems } from './usePlaceItems.ts';

const EVERY = ['off', 'day', 'week'] as const;
const WEEKDAYS = ['0', '1', '2', '3', '4', '5', '6'] as const;

/** When the service makes backups by itself, where it writes them and how many stay. */
export function ScheduleForm(props: {
  now: BackupSchedule | null;
  nextAt: string | null;
  places: readonly BackupPlace[];
}) {
  const { now, nextAt, places } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const [every, setEvery] = useState<(typeof EVERY)[number]>(now?.every ?? 'off');
  const [draft, setDraft] = useState<BackupSchedule>(
    now ?? { place: firstPlace(places) ?? '', every: 'day', weekday: 0, minute: 120, keep: 14 },
  );
  const change = (part: Partial<BackupSchedule>) => setDraft((before) => ({ ...before, ...part }));
  const items = usePlaceItems(places, draft.place);
  const wanted = every === 'off' ? null : { ...draft, every };
  const unchanged = JSON.stringify(wanted) === JSON.stringify(now);
  const save = useReauthentication(setBackupSchedule, (state) => {
    client.setQueryData(backupQuery.queryKey, state);
    undoStore.getState().notify(t('backups.scheduleSaved'));
  });
  return (
    <Form className="card column" send={() => save.start(wanted)}>
      <h2>{t('backups.schedule')}</h2>
      <p className="soft">
        {nextAt === null ? (
          t('backups.scheduleOff')
        ) : (
          <>
            {t('backups.next')} <Time at={nextAt} />
          </>
        )}
      </p>
      <Select
        label={t('backups.every')}
        data={EVERY.map((value) => ({ value, label: t(`backups.every_${value}`) }))}
        value={every}
        onChange={(value) => setEvery(value ?? 'off')}
      />
      {every === 'off' ? null : (
        <>
          <Select
            label={t('backups.place')}
            data={items}
            value={draft.place}
            onChange={(place) => change({ place: place ?? draft.place })}
          />
          <div className="backup-fields">
            {every === 'week' ? (
              <Select
                label={t('backups.weekday')}
                data={WEEKDAYS.map((value) => ({ value, label: t(`backups.weekday_${value}`) }))}
                value={String(draft.weekday) as (typeof WEEKDAYS)[number]}
                onChange={(value) => change({ weekday: Number(value ?? 0) })}
              />
            ) : null}
            <TextInput
              type="time"
              label={t('backups.time')}
              value={timeText(draft.minute)}
              onChange={(event) => change({ minute: minuteOf(event.currentTarget.value) ?? draft.minute })}
            />
            <NumberInput
              label={t('backups.keep')}
              min={1}
              max={MAX_BACKUPS_KEPT}
              clampBehavior="strict"
              allowDecimal={false}
              allowNegative={false}
              value={draft.keep}
              onChange={(keep) => change({ keep: typeof keep === 'number' ? keep : draft.keep })}
            />
          </div>
          <p className="soft">{t('backups.scheduleHelp')}</p>
        </>
      )}
      {save.field}
      <ErrorLine error={save.error} />
      <div>
        <Button type="submit" loading={save.pending} disabled={unchanged || save.incomplete}>
          {t('backups.scheduleSave')}
        </Button>
      </div>
    </Form>
  );
}

/** @param minute of the day. @returns e.g. `02:00` */
function timeText(minute: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

function minuteOf(text: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}
