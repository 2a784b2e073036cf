/**
 * Signature matching: error rates on real signatures, robustness, speed; `fit` fits the constants on invented ones,
 * and `fit complexity` only the law of marks.
 * `known` measures one questioned signature beside several known ones and `known fit` fits that rule;
 * `robustness KIND` degrades in the ways that hold this word only, and writes nothing to bench/README.md.
 */
import { publish } from '../report.ts';
import { accuracyReport } from './accuracy.ts';
import { fitComplexityAlone, fitOnInvented } from './fit.ts';
import { fitKnown } from './known/fit.ts';
import { knownReport } from './known/report.ts';
import { photosReport } from './photos.ts';
import { robustnessReport } from './robustness.ts';
import { speedReport } from './speed.ts';
import { CALIBRATION } from '../../core/signatures/calibration.ts';
import { KNOWN_CALIBRATION } from '../../core/signatures/known/calibration.ts';

/** Invented writers of the known sets. */
const KNOWN_WRITERS = 42;

function publishKnown(body: string): void {
  console.log(body);
  publish({
    name: 'signatures known',
    title: 'Signature matching: known sets',
    body: `Model \`${CALIBRATION.modelVersion}\`, rule \`${KNOWN_CALIBRATION.modelVersion}\`.\n\n${body}`,
  });
}

const [task, size] = process.argv.slice(2);
if (task === 'fit' && size === 'complexity') fitComplexityAlone();
else if (task === 'fit') fitOnInvented(Number(size ?? 42));
else if (task === 'known' && size === 'fit') await fitKnown(KNOWN_WRITERS);
else if (task === 'known') publishKnown(await knownReport(KNOWN_WRITERS));
else if (task === 'robustness') console.log(await robustnessReport(60, size));
else {
  const share = Number(task ?? 1);
  const accuracy = await accuracyReport(share);
  console.log(accuracy);
  const photos = await photosReport(share);
  console.log(photos);
  const speed = speedReport();
  console.log(speed);
  const robustness = await robustnessReport(Math.round(60 * Math.max(0.25, share)));
  publish({
    name: 'signatures',
    title: 'Signature matching',
    args: task === undefined ? [] : [task],
    body: [
      `Model \`${CALIBRATION.modelVersion}\`, fitted on invented signatures alone. Share of each set: ${share}.`,
      accuracy,
      photos,
      robustness,
      speed,
    ].join('\n\n'),
  });
}
