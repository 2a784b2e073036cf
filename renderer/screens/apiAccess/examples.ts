import type { Scope } from '../../../core/contracts/codes.ts';
import type { CredentialKind } from '../../../core/contracts/dashboard/credentials.ts';

export const EXAMPLE_LANGUAGES = ['curl', 'Node', 'Python'] as const;
export type ExampleLanguage = (typeof EXAMPLE_LANGUAGES)[number];

interface Subject {
  kind: CredentialKind;
  scopes: readonly Scope[];
  userId: string | null;
}

/** What a token's first scope is shown with: a form with a photo, a page to read, or two signatures. */
const SHAPES: Record<Scope, { path: string; shape: 'photo' | 'read' | 'signatures' }> = {
  enroll: { path: '/api/v3/duplicate-detection/faces', shape: 'photo' },
  'blacklists:read': { path: '/api/v3/biometric-blacklists', shape: 'read' },
  'blacklists:write': { path: '/api/v3/biometric-blacklists/1/faces', shape: 'photo' },
  verify: { path: '/api/v3/trust-validations', shape: 'read' },
  signatures: { path: '/api/v1/verification/signature/match', shape: 'signatures' },
};

/**
 * A program that works as it stands, with the secret in its environment.
 * @param address of this installation, e.g. http://127.0.0.1:4610
 */
export function exampleOf(language: ExampleLanguage, address: string, subject: Subject): string {
  if (subject.kind === 'key') return signing(language, address, subject.userId ?? '');
  const { path, shape } = SHAPES[subject.scopes[0] ?? 'enroll'];
  return TOKEN[shape][language](address + path);
}

/** Requests are signed by the clients that come with the installation. */
function signing(language: ExampleLanguage, address: string, userId: string): string {
  const client = {
    curl: 'sh vouch-client.sh',
    Node: 'node vouch-client.mjs',
    Python: 'python3 vouch_client.py',
  }[language];
  return `export VOUCH_URL=${address}
export VOUCH_USER_ID=${userId}
# VOUCH_SECRET holds the key's secret.
${client} enroll photo.jpg`;
}

type Writer = (url: string) => string;

const TOKEN: Record<'photo' | 'read' | 'signatures', Record<ExampleLanguage, Writer>> = {
  photo: {
    curl: (url) => `curl --header "Authorization: Bearer $VOUCH_TOKEN" \\
  --form "images[]=@photo.jpg" \\
  ${url}`,
    Node: (url) => `import { readFile } from 'node:fs/promises';

const form = new FormData();
form.append('images[]', new Blob([await readFile('photo.jpg')]), 'photo.jpg');
const response = await fetch('${url}', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.VOUCH_TOKEN}\` },
  body: form,
});
console.log(await response.text());`,
    Python: (url) => `import os, urllib.request, uuid

boundary = uuid.uuid4().hex
head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="images[]"; filename="photo.jpg"\\r\\n\\r\\n'
body = head.encode() + open("photo.jpg", "rb").read() + f"\\r\\n--{boundary}--\\r\\n".encode()
request = urllib.request.Request("${url}", body, {
    "Authorization": "Bearer " + os.environ["VOUCH_TOKEN"],
    "Content-Type": "multipart/form-data; boundary=" + boundary,
})
print(urllib.request.urlopen(request).read().decode())`,
  },
  read: {
    curl: (url) => `curl --header "Authorization: Bearer $VOUCH_TOKEN" \\
  ${url}`,
    Node: (url) => `const response = await fetch('${url}', {
  headers: { authorization: \`Bearer \${process.env.VOUCH_TOKEN}\` },
});
console.log(await response.text());`,
    Python: (url) => `import os, urllib.request

request = urllib.request.Request("${url}", headers={
    "Authorization": "Bearer " + os.environ["VOUCH_TOKEN"],
})
print(urllib.request.urlopen(request).read().decode())`,
  },
  signatures: {
    curl: (
      url,
    ) => `printf '{"image1":"data:image/png;base64,%s","image2":"data:image/png;base64,%s","template_id":"accounts","verification_id":"v-1"}' \\
  "$(base64 first.png | tr -d '\\n')" "$(base64 second.png | tr -d '\\n')" |
curl --header "Authorization: Bearer $VOUCH_TOKEN" \\
  --header "Content-Type: application/json" --data-binary @- \\
  ${url}`,
    Node: (url) => `import { readFile } from 'node:fs/promises';

const image = async (file) => \`data:image/png;base64,\${await readFile(file, 'base64')}\`;
const response = await fetch('${url}', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.VOUCH_TOKEN}\`, 'content-type': 'application/json' },
  body: JSON.stringify({
    image1: await image('first.png'),
    image2: await image('second.png'),
    template_id: 'accounts',
    verification_id: 'v-1',
  }),
});
console.log(await response.text());`,
    Python: (url) => `import base64, json, os, urllib.request

def image(file):
    return "data:image/png;base64," + base64.b64encode(open(file, "rb").read()).decode()

body = json.dumps({
    "image1": image("first.png"),
    "image2": image("second.png"),
    "template_id": "accounts",
    "verification_id": "v-1",
}).encode()
request = urllib.request.Request("${url}", body, {
    "Authorization": "Bearer " + os.environ["VOUCH_TOKEN"],
    "Content-Type": "application/json",
})
print(urllib.request.urlopen(request).read().decode())`,
  },
};
