import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Decision } from '../../../core/contracts/dashboard/validations.ts';
import type { decisionLabels } from './useDecision.ts';

/**
 * The two decisions, named by the judgement about the person, with the resulting status beneath.
 * @param props `keyOf`: the key of a decision, where the screen has one
 */
export function DecisionButtons(props: {
  labels: ReturnType<typeof decisionLabels>;
  disabled?: boolean;
  size: 'sm' | 'md';
  keyOf?: (decision: Decision) => ReactNode;
  decide: (decision: Decision) => void;
}) {
  const { labels, disabled = false, size, keyOf, decide } = props;
  const { t } = useTranslation();
  const icon = size === 'md' ? 18 : 16;
  return (
    <>
      {(['verify', 'reject'] as const).map((decision) => {
        const Icon = decision === 'verify' ? IconCircleCheck : IconCircleX;
        return (
          <Button
            key={decision}
            className="decision-button"
            size={size}
            color={decision === 'verify' ? 'green' : 'red'}
            disabled={disabled}
            leftSection={<Icon size={icon} aria-hidden />}
            rightSection={keyOf?.(decision)}
            onClick={() => decide(decision)}
          >
            <span className="decision-words">
              {t(labels[decision])}
              {labels.list === null ? null : (
                <small>{t(`decision.outcome_${decision}_${labels.list}`)}</small>
              )}
            </span>
          </Button>
        );
      })}
    </>
  );
}
