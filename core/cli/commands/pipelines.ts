import type { Command } from 'commander';
import type { AdminOutput } from '../../contracts/admin/commands.ts';
import { measuredElsewhere } from '../../contracts/pipelines.ts';
import { withAdminSocketOrHome } from '../client/adminClient.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch pipeline …`: by which networks a company's faces are compared. */
export function addPipelineCommands(program: Command, terminal: Terminal): void {
  const pipeline = program.command('pipeline').description('the recognition pipelines');
  pipeline
    .command('list')
    .description('what can be chosen, and packs that cannot be with the reason')
    .action(async () => {
      const list = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('pipeline.list', {}),
      );
      if (terminal.isJson()) terminal.show(list);
      else {
        terminal.show(
          list.pipelines.map(({ name, title, dimensions, licence, id }) => ({
            ...{ name, title, dimensions, licence, id },
          })),
        );
        for (const { name, reason } of list.refused) console.error(`Not usable: ${name}: ${reason}`);
      }
    });
  pipeline
    .command('status')
    .description('which pipeline serves a company, and how far a change to another one is')
    .option('--company <name>', 'default: all')
    .action(async (options: { company?: string }) => {
      showStatus(
        terminal,
        await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate('pipeline.status', options),
        ),
      );
    });
  pipeline
    .command('use <name>')
    .description('describe all faces by this pipeline in the background, then switch; also the way back')
    .option('--company <name>', 'default: all')
    .action(async (name: string, options: { company?: string }) => {
      showStatus(
        terminal,
        await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate('pipeline.use', { name, ...options }),
        ),
      );
    });
  for (const [name, description] of [
    ['pause', 'stop describing faces; the pipeline that serves goes on'],
    ['resume', 'go on'],
    ['retry', 'try the faces again that the new pipeline refused'],
    ['leave', 'switch although it refuses some faces: those match no longer, until they are replaced'],
    ['cancel', 'stay with the pipeline that serves'],
  ] as const)
    pipeline
      .command(name)
      .description(description)
      .requiredOption('--company <name>')
      .action(async (options: { company: string }) => {
        const status = await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate(`pipeline.${name}`, options),
        );
        showStatus(terminal, [status]);
      });
  pipeline
    .command('refused')
    .description('the faces that the new pipeline refuses')
    .requiredOption('--company <name>')
    .action(async (options: { company: string }) => {
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate('pipeline.refused', options),
        ),
      );
    });
  pipeline
    .command('discard <id>')
    .description('erase the templates of a pipeline that serves no longer')
    .requiredOption('--company <name>')
    .action(async (id: string, options: { company: string }) => {
      const input = { pipeline: id, company: options.company };
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate('pipeline.discard', input),
        ),
      );
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

/** That measured thresholds do not go along with a change of pipeline: before the switch, and as long as it is so. */
export function thresholdNotices({ company, serving, changingTo, measured }: Status): string[] {
  const again = `Measure again once it serves: vouch calibrate PHOTOS --company ${JSON.stringify(company)} --apply`;
  const notices: string[] = [];
  if (measuredElsewhere(measured, serving))
    notices.push(
      `${company}: the thresholds measured on your own photos were found with ${measured.join(', ')} and do not count for ${serving}. ${again}`,
    );
  if (changingTo !== null && measured.includes(serving) && measuredElsewhere(measured, changingTo))
    notices.push(
      `${company}: the thresholds measured on your own photos count for ${serving} alone. From the switch on those that ship with ${changingTo} count. ${again}`,
    );
  return notices;
}
