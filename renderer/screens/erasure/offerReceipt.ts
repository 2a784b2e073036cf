import type { SignedReceipt } from '../../../core/contracts/erasure.ts';
import { offerFile } from '../../components/offerFile.ts';

/** It names nobody: saving it takes nothing personal out. */
export function offerReceipt(signed: SignedReceipt): void {
  const content = `${JSON.stringify(signed, null, 2)}\n`;
  offerFile(`erasure-${signed.receipt.id}.json`, new Blob([content], { type: 'application/json' }));
}
