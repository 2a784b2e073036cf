/**
 * The inner loops of the gallery, in AssemblyScript (compiled by `scripts/kernels.ts`). They go strictly row by row, because
 * only then does the processor's prefetcher run at the speed of the memory; it stops at the end of a page, so the loops touch the
 * first line of the next page while they still read this one. None decides anything: the scans report every row whose lower bound of the
 * squared distance is at most `threshold`. What the bounds are and why they hold: docs/explanation/gallery.md.
 */
export { scanCodes, scanWeighed, sumOfBytes, weighRows } from './codes';
export { measureRows, scanExact } from './exact';
export { prepareRows, siftRows } from './sift';
