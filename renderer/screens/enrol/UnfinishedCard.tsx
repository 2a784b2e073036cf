import { Button } from '@mantine/core';
import { IconFolderQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import type { Unfinished } from './unfinished.ts';

/** A run whose window was closed before every photo was sent, and how to continue it. */
export function UnfinishedCard({ of, forget }: { of: Unfinished; forget: () => void }) {
  const { t } = useTranslation();
  const { count, time } = useFormats();
  return (
    <section className="card row" role="status">
      <IconFolderQuestion size={22} stroke={1.5} aria-hidden />
      <div>
        <p>
          <strong>
            {t('enrol.unfinished', {
              missing: count(of.total - of.sent),
              total: count(of.total),
              time: time(new Date(of.startedAt).toISOString()),
            })}
          </strong>
        </p>
        <p className="soft">{t('enrol.unfinishedHelp')}</p>
      </div>
      <Button className="push" size="xs" variant="default" onClick={forget}>
        {t('enrol.forget')}
      </Button>
    </section>
  );
}
