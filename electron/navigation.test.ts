import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayNavigate } from './security.ts';

const SERVICE = 'http://127.0.0.1:4610';

test('the window goes to its own service', () => {
  assert(mayNavigate('http://127.0.0.1:4610/', SERVICE));
  assert(mayNavigate('http://127.0.0.1:4610/company/internal-biometrics?x=1', SERVICE));
});

test('the window goes nowhere else', () => {
  for (const target of [
    'http://127.0.0.1:4611/',
    'https://127.0.0.1:4610/',
    'http://127.0.0.1.example.org:4610/',
    'http://127.0.0.1:4610@example.org/',
    'http://user@127.0.0.1:4610/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,hello',
    'not an address',
  ])
    assert(!mayNavigate(target, SERVICE), target);
  assert(!mayNavigate('http://127.0.0.1:4610/', undefined));
});
