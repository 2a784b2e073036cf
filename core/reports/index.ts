/** The reports port: PDF files, made without a browser and without a network. */
import type { Reports } from '../domain/ports/reports.ts';
import { caseFolderReport } from './caseFolder.ts';
import { duplicateGroupReport } from './duplicateGroup.ts';
import { erasureReport } from './erasure.ts';
import { examinationReport } from './examination.ts';
import { caseReport } from './faceCase.ts';
import { faceComparisonReport } from './faceComparison.ts';
import { knownSignatureReport } from './knownSignatures.ts';
import { searchReport } from './search.ts';
import { signatureReport } from './signatures.ts';
import { siteRatesReport } from './siteRates.ts';
import { useReport } from './use.ts';

export const pdfReports: Reports = {
  use: useReport,
  siteRates: siteRatesReport,
  search: searchReport,
  duplicateGroup: duplicateGroupReport,
  signatures: signatureReport,
  knownSignatures: knownSignatureReport,
  erasure: erasureReport,
  examination: examinationReport,
  caseFolder: caseFolderReport,
  faceCase: caseReport,
  faceComparison: faceComparisonReport,
};
