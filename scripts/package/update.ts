/**
 * `npm run package:update -- PACKAGE.tar.gz KEY OUT`: signs a package as an update. `npm run package:update -- --new-key KEY`
 * makes a signing key and prints the line for resources/publishers.txt; the key itself stays with who publishes.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { publisherLine, signedHead } from '../../core/cli/update/bundle.ts';
import { sha256File } from './papers.ts';

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
  const named = /^vouch-(\d+\.\d+\.\d+)-([a-z0-9]+-[a-z0-9]+)\.tar\.gz$/.exec(basename(archive));
  if (named === null) throw new Error(`${archive} is not named as npm run package:service names a package.`);
  const [, version = '', platform = ''] = named;
  const key = createPrivateKey(readFileSync(keyFile));
  const manifest = { version, platform, sha256: await sha256File(archive), bytes: statSync(archive).size };
  writeFileSync(out, signedHead(manifest, key));
  await pipeline(createReadStream(archive), createWriteStream(out, { flags: 'a' }));
  console.log(`${out}: version ${version} for ${platform}, signed by ${publisherLine(createPublicKey(key))}`);
}
