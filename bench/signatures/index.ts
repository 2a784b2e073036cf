/** Signature matching: error rates on real signatures, robustness, speed; `fit` fits the constants on invented ones. */
import { fitOnInvented } from './fit.ts';

const [task, size] = process.argv.slice(2);
if (task === 'fit') fitOnInvented(Number(size ?? 60));
