import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { Overview } from '../../../core/contracts/dashboard/overview.ts';
import type { Permission } from '../../../core/contracts/dashboard/permissions.ts';
import { useSession } from '../../api/session.ts';
import { usePreferences } from '../../state/preferences.ts';

type Step = 'enrolled' | 'blacklisted' | 'flowPublished' | 'verified' | 'backupKey' | 'backup';

const STEPS: readonly { step: Step; to: string; needs: Permission }[] = [
  { step: 'enrolled', to: '/enrol', needs: 'uploads:create' },
  { step: 'blacklisted', to: '/company/internal-biometrics', needs: 'blacklists:write' },
  { step: 'flowPublished', to: '/trust-flows', needs: 'flows:write' },
  { step: 'verified', to: '/verify', needs: 'verifications:create' },
  { step: 'backupKey', to: '/settings/backup', needs: 'system:read' },
  { step: 'backup', to: '/settings/backup', needs: 'system:read' },
];

/**
 * The first steps of a new company. A step is done when its result exists. The list disappears when all steps of the
 * role are done, or when the operator hides it; `/?steps` in the palette shows it again.
 */
export function FirstSteps({ of: { firstSteps, backup } }: { of: Overview }) {
  const { t } = useTranslation();
  const { company, permissions } = useSession();
  const { firstStepsHidden, hideFirstSteps } = usePreferences();
  const [search, setSearch] = useSearchParams();
  const done: Record<Step, boolean> = {
    ...firstSteps,
    backupKey: backup !== null && backup.keyMadeAt !== null,
    backup: backup !== null && backup.lastGoodAt !== null,
  };
  const steps = STEPS.filter(
    ({ step, needs }) =>
      permissions.includes(needs) && (step !== 'blacklisted' || company.features.blacklists),
  );
  const wanted = search.has('steps');
  if (steps.length === 0 || (!wanted && (firstStepsHidden || steps.every(({ step }) => done[step]))))
    return null;
  return (
    <section className="card" aria-labelledby="overview-steps">
      <div className="row">
        <h2 id="overview-steps">{t('overview.steps')}</h2>
        <Tooltip label={t('overview.hideSteps')}>
          <ActionIcon
            className="push"
            variant="subtle"
            color="gray"
            aria-label={t('overview.hideSteps')}
            onClick={() => {
              hideFirstSteps();
              setSearch({});
            }}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <ol className="first-steps">
        {steps.map(({ step, to }) => (
          <li key={step} data-done={done[step]}>
            {done[step] ? (
              <IconCircleCheckFilled size={20} aria-hidden />
            ) : (
              <IconCircle size={20} stroke={1.6} aria-hidden />
            )}
            <span>
              <Link to={to}>{t(`overview.step_${step}`)}</Link>
              {done[step] ? <span className="sr-only"> {t('overview.stepDone')}</span> : null}
              <span className="soft">{t(`overview.help_${step}`)}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
