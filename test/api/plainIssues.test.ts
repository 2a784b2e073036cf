import { test } from 'node:test';
import assert from 'node:assert/strict';
import { z } from 'zod';
import { plainIssue } from '../../core/contracts/zodMessages.ts';

test('every rule that a schema can break is said as the field, the rule and so the fix', () => {
  const says = (schema: z.ZodType, value: unknown) => {
    const { error } = z
      .object({ a: z.object({ b: schema }) })
      .safeParse({ a: { b: value } }, { error: plainIssue });
    return error?.issues.map(({ message }) => message.replace('The a.b ', ''));
  };
  for (const [schema, value, sentence] of [
    [z.string(), undefined, 'field is required.'],
    [z.enum(['x', 'y']), undefined, 'field is required.'],
    [z.enum(['x', 'y']), 'z', 'must be one of x, y.'],
    [z.literal(true), false, 'must be true.'],
    [z.string(), 7, 'must be a string.'],
    [z.int(), 1.5, 'must be a whole number.'],
    [z.boolean(), 'yes', 'must be true or false.'],
    [z.array(z.int()), {}, 'must be a list.'],
    [z.string().min(1), '', 'must not be empty.'],
    [z.string().min(12), 'x', 'must be at least 12 characters.'],
    [z.string().max(2), 'xyz', 'must not be greater than 2 characters.'],
    [z.array(z.int()).max(1), [1, 2], 'must not be greater than 1 items.'],
    [z.number().min(1), 0, 'must be at least 1.'],
    [z.number().positive(), 0, 'must be greater than 0.'],
    [z.number().lt(5), 5, 'must be less than 5.'],
    [z.iso.datetime(), 'yesterday', 'must be a time like 2026-01-31T09:30:00Z.'],
    [z.uuid(), 'x', 'must be a UUID.'],
    [z.strictObject({}), { c: 1 }, 'has no field named c.'],
    [z.string().min(3, 'A sentence of its own.'), 'x', 'A sentence of its own.'],
  ] as const)
    assert.deepEqual(says(schema, value), [sentence]);
  assert.equal(
    z.object({}).safeParse([], { error: plainIssue }).error?.issues[0]?.message,
    'The request must be an object.',
  );
});
