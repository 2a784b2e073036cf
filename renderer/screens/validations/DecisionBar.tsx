import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Decision, ValidationDetail } from '../../../core/contracts/dashboard/validations.ts';
import { TRUST_VALIDATION_STATUS } from '../../../core/contracts/codes.ts';
import { ErrorLine } from '../../components/states.tsx';
import { DecisionButtons } from './DecisionButtons.tsx';
import { useClearance } from './useClearance.tsx';
import { decisionLabels, useDecision } from './useDecision.ts';

const { Rejected, ReviewNeeded, Verified } = TRUST_VALIDATION_STATUS;

/** Note and decision. Without a note of the reviewer, a standard note states what the decision means. */
export function DecisionBar({ detail }: { detail: ValidationDetail }) {
  const { t } = useTranslation();
  const [note, setNote] = useState('');
  const work = useDecision();
  const labels = decisionLabels(detail);
  const open = detail.status === ReviewNeeded;
  const run = (decision: Decision) => {
    work.mutate({ detail, decision, note }, { onSuccess: () => setNote('') });
  };
  const clearance = useClearance(detail, run);
  if (!open && detail.status !== Rejected && detail.status !== Verified) return null;
  return (
    <div className="panel-foot column">
      <ErrorLine error={work.error} />
      {clearance.dialog}
      <div className="row">
        <TextInput
          className="decision-note"
          aria-label={t('decision.note')}
          placeholder={t('decision.notePlaceholder')}
          maxLength={1000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {open ? (
          <DecisionButtons size="sm" labels={labels} decide={clearance.ask} />
        ) : (
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            onClick={() => run('review')}
          >
            {t('decision.review')}
          </Button>
        )}
      </div>
    </div>
  );
}
