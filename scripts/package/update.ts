/**
 * `npm run package:update -- PACKAGE.tar.gz KEY OUT`: signs a package as an update. `npm run package:update -- --new-key KEY`
 * makes a signing key and prints the line for resources/publishers.txt; the key itself stays with who publishes.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createWriteStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { publisherLine } from '../../core/cli/update/updateFile.ts';
import { programOf, signedUpdate } from './signedUpdate.ts';

const [first, second, third] = process.argv.slice(2);
if (first === '--new-key' && second !== undefined) makeKey(second);
else if (first !== undefined && second !== undefined && third !== undefined)
  await signPackage(first, second, third);
else throw new Error('Name a package, a key and the file to write; or --new-key and a file.');

function makeKey(file: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
  console.log(publisherLine(publicKey));
}

async function signPackage(archive: string, keyFile: string, out: string): Promise<void> {
  const name = basename(archive);
  const named = /^vouch-(\d+\.\d+\.\d+)-([a-z0-9]+-[a-z0-9]+)\.tar\.gz$/.exec(name);
  if (named === null) throw new Error(`${archive} is not named as npm run package:service names a package.`);
  const [, release = '', platform = ''] = named;
  const key = createPrivateKey(readFileSync(keyFile));
  const epoch = Math.floor(statSync(archive).mtimeMs / 1000);
  const update = signedUpdate({ release, platform }, programOf(archive), key, epoch);
  await pipeline(update, createWriteStream(out, { flags: 'wx' }));
  console.log(`${out}: version ${release} for ${platform}, signed by ${publisherLine(createPublicKey(key))}`);
}
