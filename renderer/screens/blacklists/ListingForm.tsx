import { useState } from 'react';
import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  faceListingEdit,
  LISTING_TEXT_NAMES,
  ofTexts,
  type FaceListing,
} from '../../../core/contracts/faceListing.ts';
import { changeListing } from '../../api/blacklists.ts';
import { ApiError } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { Dialog, DialogActions } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { draftOf, listingOf, NEW_LISTING, type ListingDraft } from '../../components/listingDraft.ts';
import { ListingFields } from '../../components/ListingFields.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { undoStore } from '../../state/undo.ts';

const CHANGES = ['severity', ...LISTING_TEXT_NAMES, 'expiresAt'] as const;

interface Target {
  list: number;
  faces: readonly number[];
  /** The one face; undefined: several faces, of which only the chosen fields change. */
  face?: { name: string; listing: FaceListing };
}

/** Opens the form for severity, reason and expiry of one face or several, and for the name of one. */
export function EditListing(target: Target) {
  const { t } = useTranslation();
  const may = useMay();
  const [open, setOpen] = useState(false);
  if (!may('blacklists:write')) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPencil size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('listing.edit')}
      </Button>
      {open ? <ListingDialog {...target} close={() => setOpen(false)} /> : null}
    </>
  );
}

function ListingDialog({ list, faces, face, close }: Target & { close: () => void }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const client = useQueryClient();
  const [draft, setDraft] = useState(face === undefined ? NEW_LISTING : draftOf(face.listing));
  const [name, setName] = useState(face?.name ?? '');
  const renamed = face !== undefined && name.trim() !== face.name;
  // Only these are sent: another operator may have changed the others.
  const [changes, setChanges] = useState({ severity: false, ...ofTexts(() => false), expiresAt: false });
  const change = (next: ListingDraft) => {
    setDraft(next);
    // A field that was edited is meant.
    setChanges((now) => ({
      severity: now.severity || next.severity !== draft.severity,
      ...ofTexts((field) => now[field] || next[field] !== draft[field]),
      expiresAt: now.expiresAt || next.expires !== draft.expires,
    }));
  };
  const work = useMutation({
    mutationFn: () => {
      const listing = listingOf(draft);
      const changed = CHANGES.filter((field) => changes[field]).map((field) => [field, listing[field]]);
      return changeListing(list, faces, {
        ...(renamed && { name: name.trim() }),
        ...faceListingEdit.parse(Object.fromEntries(changed)),
      });
    },
    onSuccess: async () => {
      await Promise.all(
        ['blacklists', 'faces', 'face'].map((queryKey) => client.invalidateQueries({ queryKey: [queryKey] })),
      );
      undoStore.getState().notify(t('listing.saved'));
      close();
    },
  });
  const said = work.error instanceof ApiError ? work.error.fields : {};
  return (
    <Dialog title={t('listing.editTitle', { count: faces.length, faces: count(faces.length) })} close={close}>
      <Form className="column" send={() => work.mutate()}>
        {face === undefined ? null : (
          <TextInput
            label={t('facts.name')}
            maxLength={255}
            disabled={work.isPending}
            error={said.name?.join(' ')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <ListingFields draft={draft} change={change} disabled={work.isPending} said={said} />
        {face === undefined ? (
          <>
            {CHANGES.map((field) => (
              <Checkbox
                key={field}
                label={t(`listing.change_${field}`)}
                checked={changes[field]}
                onChange={(event) => setChanges({ ...changes, [field]: event.currentTarget.checked })}
              />
            ))}
          </>
        ) : null}
        <ErrorLine error={Object.keys(said).length > 0 ? null : work.error} />
        <DialogActions close={close}>
          <Button
            type="submit"
            disabled={
              (!renamed && !Object.values(changes).some(Boolean)) ||
              (face !== undefined && name.trim() === '')
            }
            loading={work.isPending}
          >
            {t('listing.save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
