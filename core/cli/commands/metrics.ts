import { localApi } from '../../contracts/local.ts';
import type { Command } from 'commander';
import { ask } from '../client/localClient.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { subcommand } from '../terminal/arguments.ts';

/** `vouch metrics …`: access of a monitoring system to the metrics of the service. */
export function addMetricsCommands(program: Command, terminal: Terminal): void {
  const metrics = subcommand(program, 'metrics', 'manage the metrics for Prometheus');
  const show = ({ enabled }: { enabled: boolean }) => {
    terminal.print({ enabled }, enabled ? 'Metrics are on, at GET /metrics.' : 'Metrics are off.');
  };
  subcommand(metrics, 'status', 'show whether the service answers GET /metrics').action(async () => {
    show(await ask(terminal.home(), localApi.metrics));
  });
  subcommand(
    metrics,
    'enable',
    'answer GET /metrics to readers with a new token, which is shown once',
  ).action(async () => {
    const { token } = await ask(terminal.home(), localApi.enableMetrics);
    if (terminal.isJson()) {
      terminal.show({ token });
      return;
    }
    console.log(token);
    console.error(
      'Vouch does not keep this token. Enter it as the bearer token of the job in Prometheus. An earlier token is no longer valid.',
    );
  });
  subcommand(metrics, 'disable', 'stop answering GET /metrics').action(async () => {
    show(await ask(terminal.home(), localApi.disableMetrics));
  });
}
