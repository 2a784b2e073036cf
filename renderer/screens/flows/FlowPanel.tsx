import { useState, type ReactNode } from 'react';
import { IconPencil, IconCircleCheck, IconSettings } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type FlowRow, type KeptFlowSettings, FLOW_NAME_LIMIT } from '../../../core/contracts/flows.ts';
import { Action, Panel, WideTable, ErrorLine } from '../../components/Page.tsx';
import { flowsQuery, renameFlow, saveFlow, saveTool } from '../../api/blacklists.ts';
import { useMay } from '../../api/session.ts';
import { CopyText } from '../../components/ShownOnce.tsx';
import { useWords } from '../../i18n/words.tsx';
import { undoStore } from '../../state/undo.ts';
import { sameSettings, useSettingsInWords, ToolForm } from './ToolForm.tsx';
import { LeaveGuard, NameForm } from '../../components/Form.tsx';
import { StatusMark } from '../../components/StatusBadge.tsx';

/** One Trust Flow: the settings of its tool, the active version, and the two steps of saving. */
export function FlowPanel({ flow, close }: { flow: FlowRow; close: () => void }) {
  const { t, flowName } = useWords();
  const may = useMay();
  const client = useQueryClient();
  const [renaming, setRenaming] = useState(false);
  return (
    <Panel
      title={flowName(flow.name)}
      note={flow.version === null ? undefined : t('flows.version', { version: flow.version })}
      close={close}
      parts
      mark={
        <>
          {may('verifications:create') && flow.saved !== null ? (
            <Link to={`/verify?flow=${flow.id}`}>{t('actions.newVerification')}</Link>
          ) : null}
          {may('flows:write') && !flow.system ? (
            <Action size="xs" Icon={IconPencil} label={t('flows.rename')} onClick={() => setRenaming(true)} />
          ) : null}
          <FlowState flow={flow} />
        </>
      }
    >
      {renaming ? (
        <div className="flow-name">
          <FlowNameForm
            start={flow.name}
            action={t('common.save')}
            submit={async (name) => {
              await renameFlow(flow.id, name);
              await client.invalidateQueries({ queryKey: flowsQuery.queryKey });
              setRenaming(false);
            }}
          >
            <Action label={t('common.cancel')} onClick={() => setRenaming(false)} />
          </FlowNameForm>
        </div>
      ) : null}
      {flow.system ? <p className="panel-body soft">{t('flows.internalHelp')}</p> : <Settings flow={flow} />}
    </Panel>
  );
}

function Settings({ flow }: { flow: FlowRow }) {
  const { t, time } = useWords();
  const writable = useMay()('flows:write');
  const { saved } = flow;
  const kept = flow.draft ?? saved;
  // Settings that are not saved; null: they equal those of the service.
  const [typed, setTyped] = useState<KeptFlowSettings | null>(null);
  const shown = typed ?? kept;
  const unsaved = typed !== null && !sameSettings(typed, kept);
  const work = useSaving(flow, () => setTyped(null));
  // A flow without a version has a draft.
  if (shown === null) return null;
  return (
    <>
      <div className="panel-body column">
        <p className="flow-force">
          {saved === null
            ? t('flows.notPublished')
            : t('flows.inForce', { version: flow.version ?? 1, time: time(flow.savedAt) })}
        </p>
        <p className="row wrap">
          <span>
            {t('flows.number')} <strong className="mono ltr">{flow.id}</strong>
          </span>
          <CopyText value={String(flow.id)} small />
          <span className="soft">{t('flows.numberHelp')}</span>
        </p>
        {flow.draft === null && !unsaved ? null : (
          <div className="flow-pending" role="status">
            <p>
              <strong>{t(unsaved ? 'flows.unsavedNote' : 'flows.draft')}</strong>{' '}
              {unsaved || saved === null ? null : t('flows.draftNote')}
            </p>
            {saved === null ? null : <Changes now={saved} next={shown} names={flow.blacklistNames} />}
          </div>
        )}
        <ToolForm
          flow={flow.id}
          settings={shown}
          names={flow.blacklistNames}
          disabled={!writable || work.isPending}
          change={setTyped}
        />
      </div>
      {writable ? (
        <div className="panel-foot column">
          <ErrorLine error={work.error} />
          <div className="row wrap">
            <span className="soft flow-before">{t('flows.before')}</span>
            <span className="push row">
              {unsaved ? (
                <Action label={t('common.cancel')} disabled={work.isPending} onClick={() => setTyped(null)} />
              ) : flow.draft === null || saved === null ? null : (
                <Action
                  label={t('flows.dropDraft')}
                  disabled={work.isPending}
                  onClick={() => work.mutate({ step: 'drop' })}
                />
              )}
              <Action
                label={t('flows.saveTool')}
                disabled={!unsaved || work.isPending}
                loading={work.isPending && work.variables.step === 'tool'}
                onClick={() => work.mutate({ step: 'tool', settings: shown })}
              />
              <Action
                primary
                label={t('flows.saveFlow', { version: (flow.version ?? 0) + 1 })}
                // While a draft is being saved, publishing would send the settings before it and be refused.
                disabled={(flow.draft === null && !unsaved) || work.isPending}
                loading={work.isPending && work.variables.step === 'flow'}
                onClick={() => work.mutate({ step: 'flow', typed: unsaved ? shown : null })}
              />
            </span>
          </div>
        </div>
      ) : null}
      <LeaveGuard active={unsaved} />
    </>
  );
}

/** `typed`: the settings on screen that are no draft yet; null: the draft is published as it is. */
type Step =
  | { step: 'tool'; settings: KeptFlowSettings }
  | { step: 'flow'; typed: KeptFlowSettings | null }
  | { step: 'drop' };

/** Saves a draft, publishes, or discards the draft. Publishing saves first: a failure between leaves the draft. */
function useSaving(flow: FlowRow, done: () => void) {
  const { t } = useWords();
  const client = useQueryClient();
  const renew = () => client.invalidateQueries({ queryKey: flowsQuery.queryKey });
  const { draft, name } = flow;
  return useMutation({
    mutationFn: (step: Step) => {
      if (step.step === 'tool') return saveTool(flow, step.settings);
      return step.step === 'flow' ? publish(flow, step.typed) : saveTool(flow, null);
    },
    // Another operator may have changed the flow: the screen shows what it is now.
    onError: renew,
    onSuccess: async (saved, { step }) => {
      await renew();
      done();
      if (step === 'flow')
        undoStore.getState().notify(t('flows.savedNow', { name, version: saved.version ?? 1 }));
      if (step === 'drop' && draft !== null)
        undoStore.getState().offer(t('flows.dropped', { name }), async () => {
          await saveTool(saved, draft);
          await renew();
        });
    },
  });
}

async function publish(seen: FlowRow, typed: KeptFlowSettings | null): Promise<FlowRow> {
  return saveFlow(typed === null ? seen : await saveTool(seen, typed));
}

/** The active and the draft settings side by side, where they differ. */
function Changes(props: {
  now: KeptFlowSettings;
  next: KeptFlowSettings;
  names: Readonly<Record<string, string>>;
}) {
  const { t } = useWords();
  const inWords = useSettingsInWords();
  const now = inWords(props.now, props.names);
  const next = inWords(props.next, props.names);
  const changed = now.flatMap((line, index) =>
    line.text === next[index]?.text ? [] : [{ ...line, next: next[index]?.text ?? '' }],
  );
  if (changed.length === 0) return null;
  return (
    <WideTable label={t('common.changes')} head={[t('common.changes'), t('flows.now'), t('flows.next')]}>
      {changed.map((line) => (
        <tr key={line.label}>
          <th scope="row">{line.label}</th>
          <td>{line.text}</td>
          <td>
            <strong>{line.next}</strong>
          </td>
        </tr>
      ))}
    </WideTable>
  );
}

/** The name of a Trust Flow. */
export function FlowNameForm(props: {
  start: string;
  action: string;
  submit: (name: string) => Promise<unknown>;
  children?: ReactNode;
}) {
  const { t, count } = useWords();
  return (
    <NameForm
      {...props}
      hint={t('flows.nameHint', { most: count(FLOW_NAME_LIMIT) })}
      most={FLOW_NAME_LIMIT}
    />
  );
}

/** Draft, saved or internal: icon, word and colour. */
export function FlowState({ flow }: { flow: FlowRow }) {
  const { t } = useWords();
  const [tone, Icon, word] = flow.system
    ? (['calm', IconSettings, 'internal'] as const)
    : flow.draft !== null
      ? (['warn', IconPencil, 'draft'] as const)
      : (['good', IconCircleCheck, 'saved'] as const);
  return <StatusMark tone={tone} Icon={Icon} label={t(`flows.${word}`)} />;
}
