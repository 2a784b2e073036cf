import type { HmacProfileName, Scope } from '../../../core/contracts/codes.ts';
import type { CredentialKind } from '../../../core/contracts/dashboard/credentials.ts';

export const EXAMPLE_LANGUAGES = ['curl', 'Node', 'Python'] as const;
export type ExampleLanguage = (typeof EXAMPLE_LANGUAGES)[number];

interface Subject {
  kind: CredentialKind;
  userId: string | null;
  profile: HmacProfileName | null;
}

interface Wanted {
  /** Of this installation, e.g. http://127.0.0.1:4610. */
  address: string;
  subject: Subject;
  /** Absent once the screen no longer has it: a placeholder then stands in its place. */
  secret?: string | undefined;
  /** Numbers of the company's own Trust Flow and blacklist; a placeholder stands for an absent one. */
  flow?: number | undefined;
  blacklist?: number | undefined;
  /** A group and its version, and a face that belongs to no person. */
  group?: { id: number; version: number } | undefined;
  face?: number | undefined;
}

type Writer = (address: string, wanted: Wanted) => string;

/**
 * Text to paste into a terminal: the line that sets the secret, and a program that runs as it stands.
 */
export function exampleOf(language: ExampleLanguage, scope: Scope, wanted: Wanted): string {
  const { address, subject, secret } = wanted;
  if (subject.kind === 'key') return signing(language, scope, wanted);
  const program = TOKEN[scope][language](address, wanted);
  return `export VOUCH_TOKEN=${secret ?? 'PASTE_THE_TOKEN_HERE'}\n${COMMAND[language](program)}`;
}

const FLOW = 'FLOW_NUMBER';
const BLACKLIST = 'BLACKLIST_NUMBER';
const [GROUP, VERSION, FACE] = ['GROUP_NUMBER', 'GROUP_VERSION', 'FACE_NUMBER'];

/** The scopes for which the clients that come with the installation have a command. */
const CLIENT_COMMANDS: Partial<Record<Scope, (wanted: Wanted) => string>> = {
  enroll: () => 'enroll photo.jpg',
  verify: ({ flow }) => `verify ${flow ?? FLOW} selfie.jpg`,
};

/** The scopes of a credential that an example is written for. */
export function scopesWithExample(kind: CredentialKind, scopes: readonly Scope[]): readonly Scope[] {
  return kind === 'token' ? scopes : scopes.filter((scope) => CLIENT_COMMANDS[scope] !== undefined);
}

/** Requests are signed by the clients that come with the installation. */
function signing(language: ExampleLanguage, scope: Scope, wanted: Wanted): string {
  const { address, subject, secret } = wanted;
  const client = {
    curl: 'sh vouch-client.sh',
    Node: 'node vouch-client.mjs',
    Python: 'python3 vouch_client.py',
  }[language];
  return `export VOUCH_URL=${address}
export VOUCH_USER_ID=${subject.userId ?? ''}
export VOUCH_SECRET=${secret ?? 'PASTE_THE_SECRET_HERE'}
export VOUCH_PROFILE=${subject.profile ?? 'v1'}
${client} ${CLIENT_COMMANDS[scope]?.(wanted) ?? ''}`;
}

/** How a terminal runs a program of each language. */
const COMMAND: Record<ExampleLanguage, (program: string) => string> = {
  curl: (program) => program,
  Node: (program) => `node --input-type=module <<'END'\n${program}\nEND`,
  Python: (program) => `python3 <<'END'\n${program}\nEND`,
};

/** Gives a form with one photo. */
const photoTo = (path: (wanted: Wanted) => string): Record<ExampleLanguage, Writer> => ({
  curl: (address, wanted) => `curl --header "Authorization: Bearer $VOUCH_TOKEN" \\
  --form "images[]=@photo.jpg" \\
  ${address}${path(wanted)}`,
  Node: (address, wanted) => `import { readFile } from 'node:fs/promises';

const form = new FormData();
form.append('images[]', new Blob([await readFile('photo.jpg')]), 'photo.jpg');
const response = await fetch('${address}${path(wanted)}', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.VOUCH_TOKEN}\` },
  body: form,
});
console.log(await response.text());`,
  Python: (address, wanted) => `import os, urllib.request, uuid

boundary = uuid.uuid4().hex
head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="images[]"; filename="photo.jpg"\\r\\n\\r\\n'
body = head.encode() + open("photo.jpg", "rb").read() + f"\\r\\n--{boundary}--\\r\\n".encode()
request = urllib.request.Request("${address}${path(wanted)}", body, {
    "Authorization": "Bearer " + os.environ["VOUCH_TOKEN"],
    "Content-Type": "multipart/form-data; boundary=" + boundary,
})
print(urllib.request.urlopen(request).read().decode())`,
});

/** Reads a page of a list. */
const readingOf = (path: string): Record<ExampleLanguage, Writer> => ({
  curl: (address) => `curl --header "Authorization: Bearer $VOUCH_TOKEN" \\
  ${address}${path}`,
  Node: (address) => `const response = await fetch('${address}${path}', {
  headers: { authorization: \`Bearer \${process.env.VOUCH_TOKEN}\` },
});
console.log(await response.text());`,
  Python: (address) => `import os, urllib.request

request = urllib.request.Request("${address}${path}", headers={
    "Authorization": "Bearer " + os.environ["VOUCH_TOKEN"],
})
print(urllib.request.urlopen(request).read().decode())`,
});

/** Sends an object. */
const postingOf = (
  path: (wanted: Wanted) => string,
  fields: (wanted: Wanted) => string,
): Record<ExampleLanguage, Writer> => ({
  curl: (address, wanted) => `curl --header "Authorization: Bearer $VOUCH_TOKEN" \\
  --header "Content-Type: application/json" \\
  --data '${fields(wanted)}' \\
  ${address}${path(wanted)}`,
  Node: (address, wanted) => `const response = await fetch('${address}${path(wanted)}', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.VOUCH_TOKEN}\`, 'content-type': 'application/json' },
  body: '${fields(wanted)}',
});
console.log(await response.text());`,
  Python: (address, wanted) => `import os, urllib.request

body = '${fields(wanted)}'.encode()
request = urllib.request.Request("${address}${path(wanted)}", body, {
    "Authorization": "Bearer " + os.environ["VOUCH_TOKEN"],
    "Content-Type": "application/json",
})
print(urllib.request.urlopen(request).read().decode())`,
});

const VERIFICATION = '/api/v1/verification';

/** Creates a verification, gives it a selfie and finalises it. The number of the Trust Flow stands in the first line. */
const VERIFYING: Record<ExampleLanguage, Writer> = {
  curl: (address, { flow }) => `flow=${flow ?? FLOW}
post() {
  curl --silent --show-error --fail-with-body --header "Authorization: Bearer $VOUCH_TOKEN" \\
    --header "Content-Type: application/json" --data-binary @- ${address}${VERIFICATION}/$1
}
id=$(printf '{"template_id":%s}' "$flow" | post create-verification |
  sed 's/.*"verification":{"id":"\\([^"]*\\)".*/\\1/')
printf '{"template_id":%s,"verification_id":"%s","image":"data:image/jpeg;base64,%s"}' \\
  "$flow" "$id" "$(base64 selfie.jpg | tr -d '\\n')" | post biometricsverification
printf '{"template_id":%s,"verification_id":"%s"}' "$flow" "$id" | post finalize-verification`,
  Node: (address, { flow }) => `const flow = ${flow ?? FLOW};
import { readFile } from 'node:fs/promises';

async function post(step, fields) {
  const response = await fetch('${address}${VERIFICATION}/' + step, {
    method: 'POST',
    headers: { authorization: \`Bearer \${process.env.VOUCH_TOKEN}\`, 'content-type': 'application/json' },
    body: JSON.stringify({ template_id: flow, ...fields }),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}
const { verification } = await post('create-verification', {});
const image = \`data:image/jpeg;base64,\${await readFile('selfie.jpg', 'base64')}\`;
await post('biometricsverification', { verification_id: verification.id, image });
console.log(JSON.stringify(await post('finalize-verification', { verification_id: verification.id })));`,
  Python: (address, { flow }) => `flow = ${flow ?? FLOW}
import base64, json, os, urllib.request

def post(step, fields):
    body = json.dumps({"template_id": flow, **fields}).encode()
    request = urllib.request.Request("${address}${VERIFICATION}/" + step, body, {
        "Authorization": "Bearer " + os.environ["VOUCH_TOKEN"],
        "Content-Type": "application/json",
    })
    return json.load(urllib.request.urlopen(request))

names = {"verification_id": post("create-verification", {})["verification"]["id"]}
image = "data:image/jpeg;base64," + base64.b64encode(open("selfie.jpg", "rb").read()).decode()
post("biometricsverification", {**names, "image": image})
print(json.dumps(post("finalize-verification", names), separators=(",", ":")))`,
};

const SIGNATURES: Record<ExampleLanguage, Writer> = {
  curl: (
    address,
  ) => `printf '{"image1":"data:image/png;base64,%s","image2":"data:image/png;base64,%s","template_id":"accounts","verification_id":"v-1"}' \\
  "$(base64 first.png | tr -d '\\n')" "$(base64 second.png | tr -d '\\n')" |
curl --header "Authorization: Bearer $VOUCH_TOKEN" \\
  --header "Content-Type: application/json" --data-binary @- \\
  ${address}/api/v1/verification/signature/match`,
  Node: (address) => `import { readFile } from 'node:fs/promises';

const image = async (file) => \`data:image/png;base64,\${await readFile(file, 'base64')}\`;
const response = await fetch('${address}/api/v1/verification/signature/match', {
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
  Python: (address) => `import base64, json, os, urllib.request

def image(file):
    return "data:image/png;base64," + base64.b64encode(open(file, "rb").read()).decode()

body = json.dumps({
    "image1": image("first.png"),
    "image2": image("second.png"),
    "template_id": "accounts",
    "verification_id": "v-1",
}).encode()
request = urllib.request.Request("${address}/api/v1/verification/signature/match", body, {
    "Authorization": "Bearer " + os.environ["VOUCH_TOKEN"],
    "Content-Type": "application/json",
})
print(urllib.request.urlopen(request).read().decode())`,
};

/** Sends a photo in base64 between two parts of a JSON body. */
function photoInJson(path: string, before: string, after: string): Record<ExampleLanguage, Writer> {
  return {
    curl: (address) => `printf '${before}%s${after}' "$(base64 photo.jpg | tr -d '\\n')" |
curl --header "Authorization: Bearer $VOUCH_TOKEN" \\
  --header "Content-Type: application/json" --data-binary @- \\
  "${address}${path}"`,
    Node: (address) => `import { readFile } from 'node:fs/promises';

const response = await fetch('${address}${path}', {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.VOUCH_TOKEN}\`, 'content-type': 'application/json' },
  body: \`${before}\${await readFile('photo.jpg', 'base64')}${after}\`,
});
console.log(await response.text());`,
    Python: (address) => `import base64, os, urllib.request

photo = base64.b64encode(open("photo.jpg", "rb").read()).decode()
body = ('${before}' + photo + '${after}').encode()
request = urllib.request.Request("${address}${path}", body, {
    "Authorization": "Bearer " + os.environ["VOUCH_TOKEN"],
    "Content-Type": "application/json",
})
print(urllib.request.urlopen(request).read().decode())`,
  };
}

const TOKEN: Record<Scope, Record<ExampleLanguage, Writer>> = {
  enroll: photoTo(() => '/api/v3/duplicate-detection/faces'),
  'blacklists:read': readingOf('/api/v3/biometric-blacklists'),
  'blacklists:write': photoTo(
    ({ blacklist }) => `/api/v3/biometric-blacklists/${blacklist ?? BLACKLIST}/faces`,
  ),
  verify: VERIFYING,
  signatures: SIGNATURES,
  'duplicates:read': readingOf('/api/v3/duplicate-detection/groups'),
  'duplicates:review': postingOf(
    ({ group }) => `/api/v3/duplicate-detection/groups/${group?.id ?? GROUP}/decisions`,
    ({ group }) => `{"version":${group?.version ?? VERSION},"about":{"kind":"group"},"decision":"same"}`,
  ),
  'duplicates:run': postingOf(
    () => '/api/v3/duplicate-detection/runs',
    () => '{"mode":"new"}',
  ),
  'persons:read': readingOf('/api/v3/persons'),
  'persons:write': postingOf(
    () => '/api/v3/persons',
    ({ face }) => `{"name":"Amina Haddad","externalId":"E-1183","faces":[${face ?? FACE}]}`,
  ),
  'abis:read': readingOf('/api/osia/abis/v1/galleries?transactionId=1'),
  'abis:write': photoInJson(
    '/api/osia/abis/v1/persons/E-1184/encounters?transactionId=2',
    '{"encounterType":"ISSUE","status":"ACTIVE","biometricData":[{"biometricType":"FACE","image":"',
    '"}]}',
  ),
  'abis:search': photoInJson(
    '/api/osia/abis/v1/identify/ALL?transactionId=3',
    '{"filter":{},"biometricData":[{"biometricType":"FACE","image":"',
    '"}]}',
  ),
};
