import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Page } from 'playwright-core';
import {
  installationCertificate,
  type InstallationCertificate,
} from '../../../core/contracts/blacklistTransfer.ts';
import type { PackagedFace } from '../../../core/domain/ports/blacklistTransfer.ts';
import { installationHash } from '../../../core/domain/blacklistTransfer/installationNames.ts';
import { openPackage } from '../../../core/transfer/packageReader.ts';
import { writePackage } from '../../../core/transfer/transferPackages.ts';
import { certificateOf, type IdentityKeys } from '../../../core/transfer/installationIdentity.ts';
import { newKeyPair, privateKeyOf, rawPublicKey } from '../../../core/encryption/keys.ts';
import { axeViolations } from '../axe.ts';
import { choose } from '../browser.ts';
import { BLACKLIST } from './blacklists.ts';
import { openScreen, PASSPHRASE, type E2eSession } from './session.ts';
import { CRYPTO } from '../../../core/platform/platform.ts';

const THEIR_LIST = 'Ferry thieves';

/** Exports a list to another installation, imports one of theirs, and reverts the import. */
export async function transferBlacklists({ page }: E2eSession): Promise<void> {
  await openScreen(page, 'Blacklists', 'Share blacklists');
  await page.getByRole('link', { name: 'This installation' }).click();
  const own = installationCertificate.parse(
    JSON.parse((await saved(page, 'Download installation certificate')).toString()),
  );
  const other = otherSite();
  await trust(page, other);

  await page.locator('.panel').getByRole('link', { name: 'Export blacklist' }).click();
  await choose(page.getByRole('combobox', { name: 'Blacklist' }), BLACKLIST);
  const faces = await facesFor(other, await saved(page, 'Encrypt and save'));
  assert.deepEqual(
    faces.map(({ name, photo }) => [name, photo === null]),
    [['Nobody Known', false]],
  );

  await page.getByRole('link', { name: 'Import package' }).click();
  await page.getByText('Drop a package here').waitFor();
  await page.locator('.package-drop input[type=file]').setInputFiles({
    name: 'theirs.vouchlist',
    mimeType: 'application/octet-stream',
    buffer: await bundleOf(other, own, faces),
  });
  await page.getByRole('row', { name: 'New 1' }).waitFor();
  await page.getByText(`${THEIR_LIST} (new list)`).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Open import' }).click();

  await page.getByRole('button', { name: 'Undo import…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('only from this import): 1').waitFor();
  await dialog.getByText('The empty blacklist is deleted as well').waitFor();
  await dialog.getByLabel(/^Type/).fill(THEIR_LIST);
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await page.locator('.panel').getByText('Undone', { exact: true }).first().waitFor();
}

async function trust(page: Page, other: IdentityKeys): Promise<void> {
  const { certificate, fingerprint } = certificateOf(other);
  await page.getByRole('link', { name: 'Add trusted installation' }).first().click();
  await page.locator('.certificate-drop input[type=file]').setInputFiles({
    name: 'certificate.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(certificate)),
  });
  await page.getByLabel('Fingerprint (by phone)').fill(fingerprint);
  await page.getByRole('button', { name: 'Trust installation' }).click();
  // A session that was confirmed long ago is asked again.
  const passphrase = page.getByLabel('Passphrase');
  const there = page.locator('.panel').getByRole('heading', { name: other.name });
  await passphrase.or(there).first().waitFor();
  if (await passphrase.isVisible()) {
    await passphrase.fill(PASSPHRASE);
    await page.getByRole('button', { name: 'Trust installation' }).click();
  }
  await there.waitFor();
}

/** Clicks a button and returns the content of the file that it saves. */
async function saved(page: Page, button: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return readFile(await download.path());
}

function otherSite(): IdentityKeys {
  const [signing, receiving] = (['ed25519', 'x25519'] as const).map((kind) => {
    const privateKey = privateKeyOf(newKeyPair(kind).privateKey);
    return { privateKey, publicKey: rawPublicKey(createPublicKey(privateKey)) };
  }) as [IdentityKeys['signing'], IdentityKeys['receiving']];
  return { name: 'South Harbour', signing, receiving };
}

async function facesFor(site: IdentityKeys, bundle: Buffer): Promise<PackagedFace[]> {
  const opened = await openPackage(() => Readable.from([bundle]), site.receiving);
  return Array.fromAsync(opened.faces());
}

/** The same people, as if the other site had enrolled them. */
async function bundleOf(
  site: IdentityKeys,
  receiver: InstallationCertificate,
  faces: PackagedFace[],
): Promise<Buffer> {
  const theirs = faces.map((face, index) => ({
    ...face,
    origin: {
      installation: installationHash(CRYPTO, site.signing.publicKey),
      face: `${index + 1}-${'ab'.repeat(8)}`,
    },
  }));
  const about = { list: { id: 1, name: THEIR_LIST, description: null }, at: new Date() };
  const content = writePackage(
    site,
    Buffer.from(receiver.receivingKey, 'base64'),
    about,
    Readable.from(theirs),
  );
  return Buffer.concat(await Array.fromAsync(content));
}
