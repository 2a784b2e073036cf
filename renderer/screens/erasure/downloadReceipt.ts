import type { SignedReceipt } from '../../../core/contracts/erasure.ts';
import { downloadFile } from '../../components/ExportButton.tsx';

/** Saves a receipt. It has no personal data. */
export function downloadReceipt(signed: SignedReceipt): void {
  const content = `${JSON.stringify(signed, null, 2)}\n`;
  downloadFile(`erasure-${signed.receipt.id}.json`, new Blob([content], { type: 'application/json' }));
}
