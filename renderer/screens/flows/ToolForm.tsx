import { Button, Checkbox, Switch } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { BLACKLIST_STATUS } from '../../../core/contracts/codes.ts';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { useSession } from '../../api/session.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';
import { RateChoice } from './RateChoice.tsx';
import type { KeptFlowSettings } from '../../../core/contracts/flows.ts';

interface FormProps {
  settings: KeptFlowSettings;
  /** Of chosen lists, also of those that are gone. */
  names: Readonly<Record<string, string>>;
  disabled: boolean;
  change: (settings: KeptFlowSettings) => void;
}

/** The settings of the Biometrics Verification tool. */
export function ToolForm({ settings, names, disabled, change }: FormProps) {
  const { t } = useTranslation();
  const { company } = useSession();
  const { duplicateDetection: duplicate, blacklistDetection: blacklist } = settings;
  return (
    <fieldset className="tool" disabled={disabled}>
      <legend>{t('flows.tool')}</legend>
      <section className="tool-part">
        <Switch
          label={t('flows.duplicates')}
          description={t('flows.duplicatesHelp')}
          checked={duplicate.enabled}
          onChange={({ currentTarget: { checked } }) =>
            change({ ...settings, duplicateDetection: { ...duplicate, enabled: checked } })
          }
        />
        {duplicate.enabled ? (
          <HitAction
            disabled={disabled}
            action={duplicate.action}
            change={(action) => change({ ...settings, duplicateDetection: { ...duplicate, action } })}
          />
        ) : null}
      </section>
      {company.features.blacklists ? (
        <section className="tool-part">
          <Switch
            label={t('flows.blacklists')}
            description={t('flows.blacklistsHelp')}
            checked={blacklist.enabled}
            onChange={({ currentTarget: { checked } }) =>
              change({ ...settings, blacklistDetection: { ...blacklist, enabled: checked } })
            }
          />
          {blacklist.enabled ? (
            <>
              <ListChoice
                names={names}
                chosen={blacklist.blacklistIds}
                choose={(blacklistIds) =>
                  change({ ...settings, blacklistDetection: { ...blacklist, blacklistIds } })
                }
              />
              <HitAction
                disabled={disabled}
                action={blacklist.action}
                change={(action) => change({ ...settings, blacklistDetection: { ...blacklist, action } })}
              />
            </>
          ) : null}
        </section>
      ) : null}
      <section className="tool-part">
        <Switch
          label={t('flows.registration')}
          description={t('flows.registrationHelp')}
          checked={settings.registration.enabled}
          onChange={({ currentTarget: { checked } }) =>
            change({ ...settings, registration: { enabled: checked } })
          }
        />
      </section>
      <section className="tool-part">
        <RateChoice
          settings={settings}
          disabled={disabled}
          choose={(targetFmr) => change({ ...settings, targetFmr })}
        />
      </section>
    </fieldset>
  );
}

type Action = KeptFlowSettings['duplicateDetection']['action'];

function HitAction(props: { action: Action; disabled: boolean; change: (action: Action) => void }) {
  const { t } = useTranslation();
  return (
    <div className="row wrap">
      <span className="soft">{t('flows.action')}</span>
      <SegmentedControl
        size="xs"
        disabled={props.disabled}
        aria-label={t('flows.action')}
        data={(['review', 'reject'] as const).map((value) => ({ value, label: t(`flows.action_${value}`) }))}
        value={props.action}
        onChange={(value) => props.change(value)}
      />
    </div>
  );
}

/** Active blacklists to choose from. Chosen ones that are inactive are named, because they are not screened. */
function ListChoice(props: {
  names: Readonly<Record<string, string>>;
  chosen: readonly number[];
  choose: (ids: number[]) => void;
}) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { names, chosen, choose } = props;
  const { data, error } = useQuery(blacklistsQuery);
  const active = data?.items.filter(({ status }) => status === BLACKLIST_STATUS.Active) ?? [];
  const gone = data === undefined ? [] : chosen.filter((id) => !active.some((list) => list.id === id));
  const toggle = (id: number) =>
    choose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <fieldset className="tool-lists">
      <legend>{t('flows.lists')}</legend>
      <ErrorLine error={data === undefined ? error : null} />
      {data !== undefined && active.length === 0 ? (
        <p className="soft">
          {t('flows.noActive')} <Link to="/company/internal-biometrics">{t('flows.toBlacklists')}</Link>
        </p>
      ) : null}
      {active.map(({ id, name, enrolledFacesCount }) => (
        <Checkbox
          key={id}
          checked={chosen.includes(id)}
          onChange={() => toggle(id)}
          label={
            <span className="row">
              {name}{' '}
              <span className="soft">{t('flows.listFaces', { faces: count(enrolledFacesCount) })}</span>
            </span>
          }
        />
      ))}
      {gone.map((id) => (
        <p key={id} className="row tool-gone">
          <IconAlertTriangle size={16} aria-hidden />
          <span>
            {names[String(id)] ?? id}: {t('flows.gone')}
          </span>
          <Button size="compact-xs" variant="default" onClick={() => toggle(id)}>
            {t('flows.removeGone')}
          </Button>
        </p>
      ))}
      {chosen.length === 0 && active.length > 0 ? (
        <p className="row tool-gone">
          <IconAlertTriangle size={16} aria-hidden /> {t('flows.noneChosen')}
        </p>
      ) : null}
    </fieldset>
  );
}
