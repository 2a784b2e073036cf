/** From failed photo to enrolled, in a browser: `npm run bench -- failures [portraits]`. */
import { withInstallation } from '../jobs/installation.ts';
import { enrolFolder, fixFailures, setUp } from '../jobs/intake.ts';
import { PORTRAITS } from '../jobs/photos.ts';
import { publish, table } from '../report.ts';

const portraits = Number(process.argv[2] ?? PORTRAITS);

await withInstallation(portraits, async (installation) => {
  const { hand, photos } = installation;
  await setUp(installation);
  await enrolFolder(installation);
  let fixed: Awaited<ReturnType<typeof fixFailures>> | undefined;
  const { steps, seconds } = await hand.measure(async () => {
    fixed = await fixFailures(installation);
  });
  if (fixed === undefined) throw new Error('No failed photo was seen.');
  const { page } = hand;
  // Fixed photos are processed after they were sent.
  await page.goto('/enrol/failures?state=fixed');
  const state = page.locator('.page-title .soft').first();
  const chosen = fixed.byMainFace + fixed.byKey;
  await page.waitForTimeout(10_000);
  await page.reload();
  await state.waitFor();
  const enrolled = Number(/\d+/.exec((await state.textContent()) ?? '')?.[0] ?? 0);
  publish({
    name: 'failures',
    title: 'Dashboard: from failed photo to enrolled',
    args: process.argv.slice(2),
    body: [
      `A folder of ${photos.files} files is enrolled in the dashboard, then a script goes through all that failed, as an operator does: it`,
      `filters by "Several faces", takes the main faces in one step, chooses a face by key in every other photo, and then opens each`,
      `photo in which there is no face to choose and skips it. Seconds are those of a script; 180 were allowed.`,
      '',
      table(
        ['', 'photos'],
        [
          ['sent', fixed.sent],
          ['enrolled at once', fixed.enrolled],
          ['failed', fixed.failed],
          ['main face taken, all in one step', fixed.byMainFace],
          ['face chosen by key', fixed.byKey],
          ['seen and skipped: no face to choose, or a damaged file', fixed.skipped],
          ['fixed: the corrected photo is enrolled', enrolled],
          ['corrected photo failed too', chosen - enrolled],
        ],
      ),
      '',
      `${steps} steps (clicks, keys) in ${seconds.toFixed(0)} seconds.`,
    ].join('\n'),
  });
});
