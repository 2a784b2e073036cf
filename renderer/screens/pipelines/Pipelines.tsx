import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { measuredElsewhere } from '../../../core/contracts/pipelines.ts';
import { pipelinesQuery } from '../../api/pipelines.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { ChangeCard } from './ChangeCard.tsx';
import { Choices } from './Choices.tsx';
import { ExtractionFailures } from './ExtractionFailures.tsx';
import './pipelines.css';

/** Which network describes the faces, what else could, and the change from one to the other while it is under way. */
export function Component() {
  const { t } = useTranslation();
  const query = useQuery(pipelinesQuery);
  const { data } = query;
  const state =
    data === undefined
      ? null
      : data.servingName === null
        ? t('pipelines.stateMissing')
        : t('pipelines.state', { name: data.servingName });
  return (
    <Page title={t('nav.pipelines')} state={state}>
      <div className="page-scroll column pipelines">
        <Loaded query={query}>
          {(now) => (
            <>
              {now.servingName === null ? (
                <p className="pipeline-missing" role="alert">
                  {t('pipelines.missing', { id: now.serving })}
                </p>
              ) : null}
              {measuredElsewhere(now.measured, now.serving) ? (
                <p className="pipeline-thresholds" role="status">
                  {t('pipelines.thresholdsGone')}{' '}
                  <Link to="/settings/calibration">{t('pipelines.thresholdsSee')}</Link>
                </p>
              ) : null}
              {now.change === null ? null : <ChangeCard change={now.change} state={now} />}
              <ExtractionFailures state={now} />
              <Choices state={now} />
              <section className="card">
                <h2>{t('pipelines.way')}</h2>
                <p className="soft">{t('pipelines.wayHelp')}</p>
                <code className="mono ltr">vouch pipeline purge ID --company NAME</code>
              </section>
            </>
          )}
        </Loaded>
      </div>
    </Page>
  );
}
