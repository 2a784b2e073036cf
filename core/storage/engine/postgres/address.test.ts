import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodedError } from '../../../contracts/errors/problem.ts';
import { parseAddress } from './address.ts';

test('an address names user, host, port and database, percent-encoded where needed', () => {
  const { tls, ...address } = parseAddress('postgresql://vouch:p%40ss%2Fword@db.example:6432/faces');
  assert.deepEqual(address, {
    host: 'db.example',
    port: 6432,
    database: 'faces',
    user: 'vouch',
    password: 'p@ss/word',
    connections: 8,
    label: 'db.example:6432/faces',
  });
  assert.deepEqual(tls, { rejectUnauthorized: true, minVersion: 'TLSv1.2', servername: 'db.example' });
});

test('TLS is verified for every other host, and off for this machine alone', () => {
  assert.equal(parseAddress('postgres://vouch@localhost/faces').tls, false);
  assert.equal(parseAddress('postgres://vouch@ignored/faces?host=/var/run/postgresql').tls, false);
  assert.equal(parseAddress('postgres://vouch@[::1]/faces').host, '::1');
  assert.notEqual(parseAddress('postgres://vouch@10.0.0.4/faces').tls, false);
  assert.notEqual(parseAddress('postgres://vouch@localhost/faces?sslmode=verify-full').tls, false);
});

test('an address that cannot be used is refused without showing its password', () => {
  for (const [address, why] of [
    ['mysql://vouch:secret@db/faces', /postgres:\/\//],
    ['postgres://vouch:secret@db', /name of the database/],
    ['postgres://:secret@db/faces', /name of the user/],
    ['postgres://vouch:secret%ZZ@db/faces', /hexadecimal digits/],
    ['postgres://vouch:secret@db/%ZZ', /hexadecimal digits/],
    ['postgres://vouch:secret@db/faces?sslmode=require', /does not verify/],
    ['postgres://vouch:secret@db/faces?sslmode=prefer', /does not verify/],
    ['postgres://vouch:secret@db/faces?sslmode=disable', /this machine alone/],
    ['postgres://vouch:secret@db/faces?sslrootcert=/missing.pem', /missing\.pem cannot be read/],
    ['postgres://vouch:secret@db/faces?options=-c%20fsync=off', /and no others/],
    ['postgres://vouch:5432?secret@db/faces', /write \? as %3F/],
    ['postgres://vouch:secret@db/faces?connections=1', /from 2 to 1000/],
    ['postgres://vouch:secret@db:port/faces', /postgres:\/\//],
  ] as const)
    assert.throws(
      () => parseAddress(address),
      (error) => {
        assert(error instanceof CodedError);
        assert.match(error.message, why);
        assert.ok(!`${error.stack}${String(error.cause)}`.includes('secret'), address);
        return true;
      },
    );
});
