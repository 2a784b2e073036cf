/** Metrics that cost nothing until a monitoring system reads them. */
import type { Metrics, MetricsText } from '../domain/ports/metrics.ts';
import type { MetricsSources, PrometheusMetrics } from './metrics.ts';

/** Counts from the first reading on: few installations are monitored, so the library is loaded then. */
export function metricsWhenRead(sources: MetricsSources): Metrics & MetricsText {
  let opening: Promise<PrometheusMetrics> | undefined;
  let opened: PrometheusMetrics | undefined;
  const open = async () => {
    const { PrometheusMetrics } = await import('./metrics.ts');
    return (opened = new PrometheusMetrics(sources));
  };
  return {
    requestAnswered: (request) => opened?.requestAnswered(request),
    photoAnswered: (failure) => opened?.photoAnswered(failure),
    verificationFinalised: (status) => opened?.verificationFinalised(status),
    searched: (faces) => opened?.searched(faces),
    text: async () => (await (opening ??= open())).text(),
  };
}
