import { systemApi } from '../../../core/contracts/dashboard/system.ts';
import { useState } from 'react';
import { NumberInput, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useQuery, useQueryClient, queryOptions } from '@tanstack/react-query';
import {
  DEFAULT_LAN_PORT,
  endsSoon,
  hostNamesIn,
  type NetworkAccessState,
  type NetworkAccessRequest,
} from '../../../core/contracts/network.ts';
import { Action, ErrorLine, Loaded, Page } from '../../components/Page.tsx';
import { translateServerMessage } from '../../i18n/errors.ts';
import { ApiError, ask } from '../../api/client.ts';
import { useMay } from '../../api/session.ts';
import { Dialog, Form, useReauthentication, Submit } from '../../components/Form.tsx';
import { downloadFile } from '../../components/ExportButton.tsx';
import { Fact, StatusMark, Time } from '../../components/StatusBadge.tsx';
import { undoStore } from '../../state/undo.ts';
import { useWords } from '../../i18n/words.tsx';
import './settings.css';

/** Whether other machines can connect, under which names, and with which certificate. */
export function Component() {
  const { t } = useWords();
  const query = useQuery(networkAccessQuery);
  return (
    <Page title={t('nav.network')}>
      <div className="page-scroll">
        <section className="card column settings-narrow">
          <Loaded query={query} rows={3}>
            {({ listener, problem }) =>
              listener === null ? <Closed /> : <Open listener={listener} problem={problem} />
            }
          </Loaded>
        </section>
      </div>
    </Page>
  );
}

function Closed() {
  const { t } = useWords();
  const may = useMay();
  const client = useQueryClient();
  const [names, setNames] = useState('');
  const [port, setPort] = useState(DEFAULT_LAN_PORT);
  const work = useReauthentication(setNetworkAccess, (state) => {
    client.setQueryData(networkAccessQuery.queryKey, state);
    undoStore.getState().notify(t('common.saved', { name: t('nav.network') }));
  });
  const given = hostNamesIn(names);
  const said = work.error instanceof ApiError ? Object.values(work.error.fields).flat() : [];
  return (
    <>
      <p>{t('system.networkOff')}</p>
      {may('network:write') ? (
        <Form className="column" send={() => work.mutate({ names: given, address: '0.0.0.0', port })}>
          <TextInput
            size="xs"
            label={t('system.networkNames')}
            description={t('system.networkNamesHelp')}
            error={said.length > 0 ? said.join(' ') : undefined}
            value={names}
            onChange={(event) => setNames(event.currentTarget.value)}
          />
          <NumberInput
            size="xs"
            w={120}
            label={t('system.networkPort')}
            min={1}
            max={65_535}
            allowDecimal={false}
            thousandSeparator=""
            value={port}
            onChange={(value) => {
              if (typeof value === 'number') setPort(value);
            }}
          />
          <Submit
            work={work}
            error={said.length > 0 ? null : work.error}
            size="compact-sm"
            label={t('system.networkTurnOn')}
            disabled={given.length === 0}
          />
        </Form>
      ) : null}
    </>
  );
}

function Open(props: {
  listener: NonNullable<NetworkAccessState['listener']>;
  problem: NetworkAccessState['problem'];
}) {
  const { listener, problem } = props;
  const { t } = useWords();
  const may = useMay();
  const [renewing, setRenewing] = useState(false);
  const client = useQueryClient();
  const work = useReauthentication(setNetworkAccess, (state) => {
    client.setQueryData(networkAccessQuery.queryKey, state);
    undoStore.getState().notify(t('system.networkOff'));
  });
  return (
    <>
      <p>{t('system.networkOn')}</p>
      {problem === null ? null : (
        <div role="alert">
          <StatusMark tone="bad" Icon={IconAlertTriangle} label={t('system.networkProblem')} />
          <p>{translateServerMessage(problem)}</p>
        </div>
      )}
      <dl className="facts">
        <Fact label={t('system.networkAddresses')}>
          {listener.addresses.map((address) => (
            <div key={address} className="mono ltr">
              {address}
            </div>
          ))}
        </Fact>
        <Fact label={t('system.networkCertificate')}>
          {t(listener.selfSigned ? 'system.networkOwn' : 'system.networkGiven')}
        </Fact>
        <Fact label={t('system.networkUntil')}>
          <Time at={listener.validUntil} />
          {endsSoon(listener) ? (
            <StatusMark
              tone={listener.daysLeft < 0 ? 'bad' : 'warn'}
              Icon={IconAlertTriangle}
              label={t(listener.daysLeft < 0 ? 'system.networkEnded' : 'system.networkEnds')}
            />
          ) : null}
        </Fact>
        <Fact label={t('system.networkFingerprint')} className="mono ltr settings-hash">
          {listener.fingerprint}
        </Fact>
      </dl>
      {listener.selfSigned ? <p className="soft">{t('system.networkTrust')}</p> : null}
      {work.field}
      <ErrorLine error={work.error} />
      <div className="row wrap">
        <SaveCertificate certificate={listener.certificate} />
        {may('network:write') && listener.selfSigned ? (
          <Action size="compact-sm" label={t('system.networkRenew')} onClick={() => setRenewing(true)} />
        ) : null}
        <Action
          may="network:write"
          size="compact-sm"
          className="push"
          label={t('system.networkTurnOff')}
          disabled={work.incomplete}
          loading={work.isPending}
          onClick={() => work.mutate(null)}
        />
      </div>
      {renewing ? <Renewal fingerprint={listener.fingerprint} close={() => setRenewing(false)} /> : null}
    </>
  );
}

function SaveCertificate({ certificate }: { certificate: string }) {
  const { t } = useWords();
  return (
    <Action
      size="compact-sm"
      Icon={IconDownload}
      label={t('system.networkSave')}
      onClick={() => downloadFile('vouch.pem', new Blob([certificate], { type: 'application/x-pem-file' }))}
    />
  );
}

/** Says first who will be refused, and afterwards what to give them. @param fingerprint of the present certificate */
function Renewal({ fingerprint, close }: { fingerprint: string; close: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const [before] = useState(fingerprint);
  const [made, setMade] = useState<NonNullable<NetworkAccessState['listener']> | null>(null);
  const work = useReauthentication(renewCertificate, (state) => {
    setMade(state.listener);
    client.setQueryData(networkAccessQuery.queryKey, state);
  });
  return (
    <Dialog title={t('system.networkRenew')} close={close}>
      <div className="column">
        <p>{t(made === null ? 'system.networkRenewHelp' : 'system.networkRenewed')}</p>
        <dl className="facts">
          <Fact
            label={t(made === null ? 'system.networkFingerprint' : 'system.networkBefore')}
            className="mono ltr settings-hash"
          >
            {before}
          </Fact>
          {made === null ? null : (
            <Fact label={t('system.networkNow')} className="mono ltr settings-hash">
              {made.fingerprint}
            </Fact>
          )}
        </dl>
        {work.field}
        <ErrorLine error={work.error} />
        <div className="row">
          {made === null ? (
            <Action primary size="compact-sm" className="push" label={t('system.networkRenew')} work={work} />
          ) : (
            <SaveCertificate certificate={made.certificate} />
          )}
        </div>
      </div>
    </Dialog>
  );
}

const networkAccessQuery = queryOptions({
  queryKey: ['network'],
  queryFn: ({ signal }) => ask(systemApi.network, { signal }),
});
/** Creates another certificate for the same names. Clients that trust the present one need the new one. */
const renewCertificate = () => ask(systemApi.renewCertificate);
/** @param wanted null: no other machine is let in */
const setNetworkAccess = (wanted: NetworkAccessRequest | null) =>
  wanted === null ? ask(systemApi.endNetwork) : ask(systemApi.setNetwork, { body: wanted });
