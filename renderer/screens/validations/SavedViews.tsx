import { useState } from 'react';
import { ActionIcon, Button, Menu, TextInput, Tooltip } from '@mantine/core';
import { IconBookmark, IconBookmarkPlus, IconTrash } from '@tabler/icons-react';
import { useNavigate, useSearchParams } from 'react-router';
import { useAppearance } from '../../appShell/useAppearance.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { useTexts } from '../../i18n/useTexts.tsx';
import { useListChoice } from './useListChoice.ts';
import { MAX_VIEWS, type SavedView } from '../../../core/contracts/dashboard/lists.ts';

/** Views that every operator has. */
const SHARED = [
  { word: 'review', search: 'status=2&sort=score' },
  { word: 'blacklisted', search: 'hit=blacklist' },
  { word: 'incomplete', search: 'status=4' },
] as const;

/** The filter and order of the address without the typed text, which can be the name of a person. */
function viewOf(params: URLSearchParams): string {
  const kept = new URLSearchParams(params);
  kept.delete('text');
  return kept.toString();
}

/** Opens, saves and deletes views of the validations: their filter and order. */
export function SavedViews() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const lists = useListChoice();
  const { choose } = useAppearance();
  const [naming, setNaming] = useState(false);
  const search = viewOf(params);
  const current = lists.views.find((view) => view.search === search);
  const keep = (views: SavedView[]) => choose({ lists: { ...lists, views } });
  const open = (to: string) => void navigate({ search: to });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label={t('validations.views')}>
            <ActionIcon variant="subtle" color="gray" aria-label={t('validations.views')}>
              <IconBookmark size={18} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {SHARED.map((view) => (
            <Menu.Item key={view.word} onClick={() => open(view.search)}>
              {t(`validations.view_${view.word}`)}
            </Menu.Item>
          ))}
          {lists.views.map((view) => (
            <Menu.Item key={view.name} onClick={() => open(view.search)}>
              <bdi>{view.name}</bdi>
            </Menu.Item>
          ))}
          <Menu.Divider />
          {current === undefined ? (
            <Menu.Item
              leftSection={<IconBookmarkPlus size={16} aria-hidden />}
              disabled={search === '' || lists.views.length >= MAX_VIEWS}
              onClick={() => setNaming(true)}
            >
              {t('validations.saveView')}
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => keep(lists.views.filter((view) => view !== current))}
            >
              {t('validations.deleteView', { name: current.name })}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {naming ? (
        <NameView
          taken={lists.views.map(({ name }) => name)}
          close={() => setNaming(false)}
          save={(name) => keep([...lists.views, { name, search }])}
        />
      ) : null}
    </>
  );
}

function NameView(props: { taken: readonly string[]; close: () => void; save: (name: string) => void }) {
  const { taken, close, save } = props;
  const { t } = useTexts();
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const isTaken = taken.includes(name);
  return (
    <Dialog title={t('validations.saveView')} close={close}>
      <Form
        className="column"
        send={() => {
          if (name === '' || isTaken) return;
          save(name);
          close();
        }}
      >
        <TextInput
          data-autofocus
          label={t('validations.viewName')}
          description={t('validations.viewHelp')}
          maxLength={60}
          value={typed}
          error={isTaken ? t('validations.viewTaken') : null}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <div className="row">
          <Button className="push" type="submit" disabled={name === '' || isTaken}>
            {t('validations.saveViewNow')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
