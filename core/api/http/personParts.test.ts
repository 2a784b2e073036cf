import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Actor } from '../../domain/ports/auditContext.ts';
import { programAct } from './personParts.ts';

test('the key of a change of persons belongs to the credential that sent it', () => {
  const keyOf = (credential: Actor, key: string) => {
    const request = {
      caller: { credential, companyId: 1 as CompanyId, scopes: [] },
      body: {},
      headers: { 'idempotency-key': key },
      method: 'POST',
      url: '/api/v3/persons',
    };
    const clock = { now: () => new Date(0) };
    return programAct(request, { clock }).request?.key;
  };
  const keys = [keyOf('token:1', '1'), keyOf('token:2', '1'), keyOf('token:1', '2'), keyOf('hmac:1', '1')];
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(keyOf('token:1', '1'), keys[0]);
});
