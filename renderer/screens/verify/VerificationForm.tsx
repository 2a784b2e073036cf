import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PhotoField } from '../../camera/PhotoField.tsx';
import { Form } from '../../components/Form.tsx';
import { Select } from '../../components/Select.tsx';
import { LONGEST_TEXT, type Verification } from './useVerification.ts';
import type { FlowRow } from '../../../core/contracts/flows.ts';

/** The Trust Flow, the photo, the name and the reference of one verification. */
export function VerificationForm({
  verification,
  flows,
}: {
  verification: Verification;
  flows: readonly FlowRow[];
}) {
  const { t } = useTranslation();
  const { draft, change, ready, run, pending, validationId } = verification;
  const finished = validationId !== null;
  return (
    <Form
      className="verify-form column"
      send={() => {
        if (ready && !finished) run();
      }}
    >
      <Select
        label={t('verify.flow')}
        description={t('verify.flowHelp')}
        {...(draft.flow === null && { 'aria-required': true })}
        disabled={pending || finished}
        data={flows.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={draft.flow === null ? null : String(draft.flow)}
        onChange={(flow) => change({ flow: flow === null ? null : Number(flow) })}
      />
      <PhotoField
        label={t('verify.photo')}
        photo={draft.photo}
        take={(photo) => change({ photo })}
        remove={finished ? null : () => change({ photo: null })}
      />
      {(['name', 'reference'] as const).map((key) => (
        <TextInput
          key={key}
          label={t(`verify.${key}`)}
          description={t(`verify.${key}Help`)}
          maxLength={LONGEST_TEXT}
          dir="auto"
          autoComplete="off"
          disabled={pending || finished}
          value={draft[key]}
          onChange={(event) => change({ [key]: event.currentTarget.value })}
        />
      ))}
      {finished ? null : (
        <Button type="submit" size="md" disabled={!ready} loading={pending}>
          {t('verify.run')}
        </Button>
      )}
    </Form>
  );
}
