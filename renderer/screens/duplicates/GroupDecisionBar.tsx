import { Button, Kbd, TextInput } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import {
  PERSON_DECISIONS,
  type GroupDetail,
  type PersonDecision,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { ErrorLine } from '../../components/states.tsx';

/** Without green and red: in Review, green is for different persons and red for the same. */
const APPEARANCES = {
  same: { Icon: IconCircleCheck, letter: 'S' },
  different: { Icon: IconCircleX, letter: 'D' },
  unsure: { Icon: IconHelpCircle, letter: 'U' },
} as const;
const ABOUT = ['group', 'pair'] as const;

/** The three decisions, what they are about, and the reason. It stays in sight below the pairs and photos. */
export function GroupDecisionBar(props: {
  detail: GroupDetail;
  about: (typeof ABOUT)[number];
  setAbout: (about: (typeof ABOUT)[number]) => void;
  reason: string;
  setReason: (reason: string) => void;
  busy: boolean;
  error: Error | null;
  /** Keys that wait for their group. */
  waiting: number;
  /** The decision that waits for a second operator; own: of the operator who is signed in. Null: none. */
  confirmation: { name: string; own: boolean } | null;
  /** Undefined: the role decides nothing. */
  decide: ((decision: PersonDecision) => void) | undefined;
}) {
  const { detail, about, setAbout, reason, setReason, busy, error, waiting, confirmation, decide } = props;
  const { t } = useTranslation();
  if (decide === undefined) return null;
  return (
    <div className="case-decision column">
      {detail.size > 2 ? (
        <SegmentedControl
          size="xs"
          aria-label={t('duplicates.about')}
          data={ABOUT.map((value) => ({
            value,
            label: t(value === 'group' ? 'duplicates.aboutGroup' : 'duplicates.aboutPair'),
          }))}
          value={about}
          onChange={setAbout}
        />
      ) : null}
      <TextInput
        size="xs"
        aria-label={t('duplicates.reason')}
        placeholder={t('duplicates.reason')}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
        }}
      />
      <ErrorLine error={error} />
      <div className="group-decisions">
        {PERSON_DECISIONS.map((decision) => {
          const { Icon, letter } = APPEARANCES[decision];
          return (
            <Button
              key={decision}
              variant="default"
              disabled={busy || (decision === 'same' && about === 'group' && confirmation?.own === true)}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={<Kbd size="xs">{letter}</Kbd>}
              onClick={() => decide(decision)}
            >
              {decision === 'same' && about === 'group' && confirmation?.own === false
                ? t('duplicates.confirmSame')
                : t(`duplicates.${decision}`)}
            </Button>
          );
        })}
      </div>
      <p className="soft case-meaning" role="status">
        {waiting > 0
          ? t('review.waiting', { count: waiting })
          : confirmation === null
            ? t('duplicates.meaning')
            : t(confirmation.own ? 'duplicates.confirmOwn' : 'duplicates.confirmOther', {
                name: confirmation.name,
              })}
      </p>
    </div>
  );
}
