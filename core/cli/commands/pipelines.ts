import type { Command } from 'commander';
import type { AdminOutput } from '../../contracts/admin/commands.ts';
import { measuredElsewhere } from '../../contracts/pipelines.ts';
import { sendAdminCommand } from '../client/adminClient.ts';
import { COMPANY } from '../terminal/arguments.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch pipeline …`: the recognition pipeline with which a company compares faces. */
export function addPipelineCommands(program: Command, terminal: Terminal): void {
  const pipeline = program.command('pipeline').description('manage the recognition pipelines');
  pipeline
    .command('list')
    .description('list the pipelines, and the reason for each rejected model pack')
    .action(async () => {
      const list = await sendAdminCommand(terminal.home(), 'pipeline.list', {});
      if (terminal.isJson()) terminal.show(list);
      else {
        terminal.show(
          list.pipelines.map(({ name, title, dimensions, licence, id }) => ({
            name,
            title,
            dimensions,
            licence,
            id,
          })),
        );
        for (const { name, reason } of list.refused) console.error(`Rejected: ${name}: ${reason}`);
      }
    });
  pipeline
    .command('status')
    .description('show the active pipeline of a company and the progress of a switch')
    .option('--company <name>', 'name of the company (default: all companies)')
    .action(async (options: { company?: string }) => {
      showStatus(terminal, await sendAdminCommand(terminal.home(), 'pipeline.status', options));
    });
  pipeline
    .command('use <name>')
    .description(
      'switch to this pipeline after its templates are extracted in the background; also switches back',
    )
    .option('--company <name>', 'name of the company (default: all companies)')
    .action(async (name: string, options: { company?: string }) => {
      showStatus(terminal, await sendAdminCommand(terminal.home(), 'pipeline.use', { name, ...options }));
    });
  for (const [name, description] of [
    ['pause', 'pause the extraction of templates; the active pipeline keeps working'],
    ['resume', 'resume the extraction of templates'],
    ['retry', 'retry the faces whose extraction failed'],
    ['skip-failed', 'switch without the faces whose extraction failed; they are not matched until replaced'],
    ['cancel', 'cancel the switch and keep the active pipeline'],
  ] as const)
    pipeline
      .command(name)
      .description(description)
      .requiredOption(...COMPANY)
      .action(async (options: { company: string }) => {
        const status = await sendAdminCommand(terminal.home(), `pipeline.${name}`, options);
        showStatus(terminal, [status]);
      });
  pipeline
    .command('failures')
    .description('list the faces whose extraction failed')
    .requiredOption(...COMPANY)
    .action(async (options: { company: string }) => {
      terminal.show(await sendAdminCommand(terminal.home(), 'pipeline.failures', options));
    });
  pipeline
    .command('purge <id>')
    .description('delete the templates of an inactive pipeline')
    .requiredOption(...COMPANY)
    .action(async (id: string, options: { company: string }) => {
      const input = { pipeline: id, company: options.company };
      terminal.show(await sendAdminCommand(terminal.home(), 'pipeline.purge', input));
    });
}

function showStatus(terminal: Terminal, companies: AdminOutput<'pipeline.status'>): void {
  if (terminal.isJson()) {
    terminal.show(companies);
    return;
  }
  terminal.show(
    companies.map(({ stored: _, measured: _measured, facesPerSecond, secondsLeft, ...status }) => ({
      ...status,
      facesPerSecond: facesPerSecond?.toFixed(1) ?? null,
      minutesLeft: secondsLeft === null ? null : Math.ceil(secondsLeft / 60),
    })),
  );
  for (const company of companies) for (const notice of thresholdNotices(company)) console.error(notice);
}

type Status = Pick<AdminOutput<'pipeline.status'>[number], 'company' | 'serving' | 'changingTo' | 'measured'>;

/** Warnings that thresholds measured on a company's own photos do not apply to another pipeline, before and after a switch. */
export function thresholdNotices({ company, serving, changingTo, measured }: Status): string[] {
  const remedy = `Measure again after the switch: vouch calibration measure PHOTOS --company ${JSON.stringify(company)} --apply`;
  const notices: string[] = [];
  if (measuredElsewhere(measured, serving))
    notices.push(
      `${company}: the thresholds measured on your own photos are for ${measured.join(', ')} and do not apply to ${serving}. ${remedy}`,
    );
  if (changingTo !== null && measured.includes(serving) && measuredElsewhere(measured, changingTo))
    notices.push(
      `${company}: the thresholds measured on your own photos apply to ${serving} only. After the switch, the default thresholds of ${changingTo} apply. ${remedy}`,
    );
  return notices;
}
