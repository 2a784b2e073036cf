import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { fastest, MANY_TIMES } from '../../../test/support/fastest.ts';
import { ApiError } from './errors.ts';
import { formParts } from './formParts.ts';

const TYPE = 'multipart/form-data; boundary=x-x-boundary';
const RUNS = Number(process.env.VOUCH_FORMS ?? 500);

interface Part {
  head: string;
  content: Buffer;
}

const partBytes = ({ head, content }: Part) =>
  Buffer.concat([Buffer.from(`--x-x-boundary\r\n${head}\r\n\r\n`, 'latin1'), content, Buffer.from('\r\n')]);
const END = Buffer.from('--x-x-boundary--\r\n');

function file(place: number, bytes: number): Part {
  const content = Buffer.alloc(bytes, `jpeg ${place} `);
  const head = `Content-Disposition: form-data; name="images[${place}]"; filename="${place}.jpg"`;
  return { head: `${head}\r\nContent-Type: image/jpeg`, content };
}

function field(name: string, value: string): Part {
  return { head: `Content-Disposition: form-data; name="${name}"`, content: Buffer.from(value) };
}

/** The content of a form: the files with their bytes, and the fields; or the status of the refusal. */
async function read(body: Buffer, chunk = 1000, contentType = TYPE) {
  const chunks = Array.from({ length: Math.ceil(body.length / chunk) }, (_, at) =>
    body.subarray(at * chunk, (at + 1) * chunk),
  );
  const found: string[] = [];
  const names: (string | undefined)[] = [];
  try {
    for await (const part of formParts(Readable.from(chunks), contentType, {
      files: 100,
      fieldBytes: 1000,
    })) {
      let bytes = 0;
      if (part.kind === 'file') for await (const piece of part.content) bytes += piece.length;
      found.push(part.kind === 'file' ? `file ${bytes}` : `${part.fieldName}=${part.value}`);
      if (part.kind === 'file') names.push(part.fileName);
    }
    return { found, names, status: 200, keys: [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { found, names, status: error.status, keys: [...(error.errors?.keys() ?? [])] };
  }
}

async function nameOf(disposition: string): Promise<string | undefined> {
  const head = Buffer.from(`Content-Disposition: form-data; name="image"; ${disposition}`).toString('latin1');
  const { names, status } = await read(Buffer.concat([partBytes({ head, content: Buffer.from('x') }), END]));
  assert.equal(status, 200, disposition);
  return names[0];
}

test('a file is called as its client meant it, in each spelling', async () => {
  const spellings: [string, string][] = [
    ['filename="Zoë.jpg"', 'Zoë.jpg'],
    ['filename="Zo?.jpg"; filename*=UTF-8\'\'Zo%C3%AB.jpg', 'Zoë.jpg'],
    ['filename*=utf-8\'\'Zo%C3%AB.jpg; filename="Zo?.jpg"', 'Zoë.jpg'],
    ["filename*=ISO-8859-1'de'Zo%EB.jpg", 'Zoë.jpg'],
    ['filename*="UTF-8\'\'Zo%C3%AB.jpg"', 'Zoë.jpg'],
    ['filename*=Zo%C3%AB.jpg', 'Zoë.jpg'],
    ['filename*=UTF-8\'\'Zo%EB.jpg; filename="Zoe.jpg"', 'Zoe.jpg'],
    ['filename="Zoe.jpg"; filename*=UTF-8\'\'', 'Zoe.jpg'],
    ['filename="=?utf-8?B?w4RubmUuanBn?="', 'Änne.jpg'],
    ['filename="=?utf-8?B?w4Ru?= =?utf-8?Q?ne=2Ejpg?="', 'Änne.jpg'],
    ['filename="=?utf-8*de?Q?Anna M=C3=BCller?=.jpg"', 'Anna Müller.jpg'],
    ['filename="=?utf-8?B?Wm/D?= =?UTF-8?B?qy5qcGc=?="', 'Zoë.jpg'],
    ['filename="=?utf-8?Q?Zo=C3?= =?utf-8?Q?=AB_?= =?iso-8859-1?Q?=EB.jpg?="', 'Zoë ë.jpg'],
    ['filename="&#1605;&#1581;&#1605;&#1583; &#38;&#9999999;.jpg"', 'محمد &#38;&#9999999;.jpg'],
    ['filename="%D9%85%D8%AD%D9%85%D8%AF%20a.jpg"', 'محمد a.jpg'],
    ['filename="100%25.jpg"', '100%25.jpg'],
    ['filename="Anna%20Maria%20Lee.jpg"', 'Anna Maria Lee.jpg'],
    ['filename="50%20 off.jpg"', '50%20 off.jpg'],
    ["filename*0*=UTF-8''%D9%85%D8%AD; filename*1*=%D9%85%D8%AF; filename*2=.jpg", 'محمد.jpg'],
    ['filename*0="Anna "; filename*1="Lee.jpg"', 'Anna Lee.jpg'],
    ["FileName*=UTF-8''Zo%C3%AB.jpg", 'Zoë.jpg'],
    ['filename="Zoe\u0308.jpg"', 'Zoe\u0308.jpg'],
    ['filename="Zoë "Z" Müller, Jr.jpg"', 'Zoë "Z" Müller, Jr.jpg'],
    ['filename="Zoë \\"Z\\" Müller.jpg"', 'Zoë "Z" Müller.jpg'],
    ['filename="a "b"; c.jpg"; size=3', 'a "b"; c.jpg'],
    ['filename=plain name.jpg', 'plain name.jpg'],
    ['filename="C:\\photos\\a.jpg"', 'a.jpg'],
  ];
  for (const [sent, name] of spellings) assert.equal(await nameOf(sent), name, sent);
  const oldCodePage = Buffer.from('filename="M\xFCller.jpg"', 'latin1').toString('latin1');
  const head = `Content-Disposition: form-data; name="image"; ${oldCodePage}`;
  const { names } = await read(Buffer.concat([partBytes({ head, content: Buffer.from('x') }), END]));
  assert.deepEqual(names, ['M\uFFFDller.jpg']);
});

test('the time for the head of a part follows its length', async () => {
  const blanks = ' '.repeat(15_000);
  const heads = [
    `name="${'" x'.repeat(5_000)}`,
    `name="a"${blanks}x`,
    `name="a";${blanks}x`,
    `name="a";b${'1'.repeat(15_000)}x`,
    `name="a"; filename="${'%80'.repeat(5_000)}\u00e9"`,
    `name="a"; filename="${'%20'.repeat(5_000)}\u00e9"`,
  ];
  const timeOf = (rest: string) => {
    const head = `Content-Disposition: form-data; ${rest}`;
    return fastest(() => read(Buffer.concat([partBytes({ head, content: Buffer.from('x') }), END])));
  };
  const plain = await timeOf(`name="${'x'.repeat(15_000)}"`);
  for (const rest of heads) {
    const time = await timeOf(rest);
    assert.ok(time < MANY_TIMES * plain, `${rest.slice(0, 30)}: ${time} ms, plain: ${plain} ms`);
  }
});

test('a part with the type of an image is a file without a file name', async () => {
  const head = 'Content-Disposition: form-data; name="images[]"\r\nContent-Type: image/jpeg';
  const { found } = await read(Buffer.concat([partBytes({ head, content: Buffer.from('xyz') }), END]));
  assert.deepEqual(found, ['file 3']);
});

test('a part that cannot be told is refused with its place, whatever its size', async () => {
  const heads = [
    'Content-Disposition: attachment; name="images[]"; filename="a.jpg"',
    'Content-Disposition: form-dat\x80; name="images[]"; filename="a.jpg"',
    'Content-Dispositio\x00: form-data; name="images[]"; filename="a.jpg"',
    'Content-Type: image/jpeg',
    'Content-Disposition: form-data; filename="a.jpg"',
    'Content-Disposition: form-data; name="images[]"; filename="a.jpg',
    'Content-Disposition form-data; name="images[]"',
  ];
  for (const head of heads)
    for (const bytes of [0, 10, 150_000, 1_000_000]) {
      const body = Buffer.concat([
        partBytes(file(0, 50)),
        partBytes({ head, content: Buffer.alloc(bytes) }),
        END,
      ]);
      const { status, keys } = await read(body, 65_536);
      assert.deepEqual([status, keys], [422, ['parts.2']], `${head} ${bytes}`);
    }
});

test('the bytes of a part are taken as they are, and an encoding of them is named', async () => {
  const encoded = (encoding: string) => {
    const { head, content } = file(0, 40);
    return read(
      Buffer.concat([partBytes({ head: `${head}\r\nContent-Transfer-Encoding: ${encoding}`, content }), END]),
    );
  };
  assert.equal((await encoded('binary')).status, 200);
  for (const encoding of ['base64', 'Quoted-Printable']) {
    const { status, keys } = await encoded(encoding);
    assert.deepEqual([status, keys], [422, ['images[0]']]);
  }
});

test('a form that ends early, or has parts outside its delimiters, is 400', async () => {
  const whole = Buffer.concat([partBytes(file(0, 200_000)), partBytes(field('note', 'text')), END]);
  for (const end of [40, 120, 1000, 150_000, 200_050, whole.length - 8])
    assert.equal((await read(whole.subarray(0, end), 65_536)).status, 400, `${end}`);
  const late = Buffer.concat([partBytes(file(0, 10)), END, partBytes(file(1, 10)), END]);
  assert.equal((await read(late)).status, 400);
  const early = Buffer.concat([
    Buffer.from('--other\r\n'),
    partBytes(file(0, 10)).subarray(16),
    partBytes(file(1, 10)),
    END,
  ]);
  assert.equal((await read(early)).status, 400);
});

/** One damage: a byte changed, bytes left out, a part left out, parts in another order, or the end before the last part. */
const damage = fc.record({
  at: fc.nat(1_000_000),
  kind: fc.constantFrom('flip', 'cut', 'end'),
  byte: fc.nat(255),
  length: fc.integer({ min: 1, max: 30 }),
});

test('of a damaged form every part is read, or it is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.nat(3000).map((n) => ({ file: n })),
          fc.constant({ file: null }),
        ),
        { minLength: 2, maxLength: 5 },
      ),
      damage,
      fc.integer({ min: 1, max: 4000 }),
      async (plan, { at, kind, byte, length }, chunk) => {
        const parts = plan.map(({ file: bytes }, place) =>
          bytes === null ? field(`note${place}`, 'some text') : file(place, bytes + 1),
        );
        const whole = Buffer.concat([...parts.map(partBytes), END]);
        const from = at % whole.length;
        const damaged =
          kind === 'flip'
            ? Buffer.concat([whole.subarray(0, from), Buffer.from([byte]), whole.subarray(from + 1)])
            : kind === 'cut'
              ? Buffer.concat([whole.subarray(0, from), whole.subarray(from + length)])
              : whole.subarray(0, from);
        const { status, found } = await read(damaged, chunk);
        if (status === 200) assert.equal(found.length, parts.length, `${kind} at ${from}`);
        else assert.ok([400, 413, 422].includes(status));
      },
    ),
    { numRuns: RUNS },
  );
});
