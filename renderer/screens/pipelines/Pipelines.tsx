import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { pipelinesQuery } from '../../api/pipelines.ts';
import { Page } from '../../components/Page.tsx';
import { ErrorState, LoadingRows } from '../../components/states.tsx';
import { ChangeCard } from './ChangeCard.tsx';
import { Choices } from './Choices.tsx';
import { RefusedFaces } from './RefusedFaces.tsx';
import './pipelines.css';

/** Which network describes the faces, what else could, and the change from one to the other while it is under way. */
export function Component() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(pipelinesQuery);
  const state =
    data === undefined
      ? null
      : data.servingName === null
        ? t('pipelines.stateMissing')
        : t('pipelines.state', { name: data.servingName });
  return (
    <Page title={t('nav.pipelines')} state={state}>
      <div className="page-scroll column pipelines">
        {data !== undefined ? (
          <>
            {data.servingName === null ? (
              <p className="pipeline-missing" role="alert">
                {t('pipelines.missing', { id: data.serving })}
              </p>
            ) : null}
            {data.change === null ? null : <ChangeCard change={data.change} state={data} />}
            <RefusedFaces state={data} />
            <Choices state={data} />
            <section className="card">
              <h2>{t('pipelines.way')}</h2>
              <p className="soft">{t('pipelines.wayHelp')}</p>
              <code className="mono ltr">vouch pipeline discard ID --company NAME</code>
            </section>
          </>
        ) : error !== null ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : (
          <LoadingRows />
        )}
      </div>
    </Page>
  );
}
