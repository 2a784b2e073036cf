/** Writes a Python client from the interface description: one method per operation, with the standard library only. */

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
}

interface Operation {
  operationId: string;
  summary?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, object> };
}

/** The parts of an OpenAPI document from which the client is written. */
export interface DescribedInterface {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters?: Record<string, Parameter> };
}

const HEAD = `import json, urllib.parse, urllib.request, uuid


def multipart(fields):
    boundary, parts = uuid.uuid4().hex, []
    for field, files in fields.items():
        for name, content in files:
            head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="{field}"; filename="{name}"\\r\\n\\r\\n'
            parts += [head.encode(), content, b"\\r\\n"]
    return b"".join(parts) + f"--{boundary}--\\r\\n".encode(), f"multipart/form-data; boundary={boundary}"


class Client:
    def __init__(self, base, token):
        self.base, self.token = base, token

    def _call(self, method, path, query, headers, body=None, form=False):
        given = {name: str(value) for name, value in query.items() if value is not None}
        sent = {name: value for name, value in headers.items() if value is not None}
        sent["Authorization"] = f"Bearer {self.token}"
        data = None
        if body is not None and form:
            data, sent["Content-Type"] = multipart(body)
        elif body is not None:
            data, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
        url = self.base + path + ("?" + urllib.parse.urlencode(given) if given else "")
        with urllib.request.urlopen(urllib.request.Request(url, data, sent, method=method)) as answer:
            return answer.status, json.load(answer)
`;

/**
 * The source of a Python module with the class `Client(base, token)`. Its methods are named after the operations in
 * snake case. They take path parameters and the body in order, query and header parameters by name, and return the
 * status and the body. A form is a dictionary from field to a list of (file name, bytes).
 * @throws for a reference to a parameter that the document does not have, and for a body of an unknown type
 */
export function pythonClient(description: DescribedInterface): string {
  const methods = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => methodOf(description, path, method, operation)),
  );
  return [HEAD, ...methods].join('\n');
}

function methodOf(document: DescribedInterface, path: string, method: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter));
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  const body = bodyOf(operation);
  const named = [...query, ...headers].map(({ name }) => `${snake(name)}=None`);
  const taken = [
    'self',
    ...inPath.map(({ name }) => snake(name)),
    ...(body === null ? [] : ['body']),
    ...(named.length === 0 ? [] : ['*', ...named]),
  ];
  const quoted = (_: string, name: string) => `{urllib.parse.quote(str(${snake(name)}), safe="")}`;
  const given = [
    JSON.stringify(method.toUpperCase()),
    `f'${path.replace(/\{(\w+)\}/g, quoted)}'`,
    dictionary(query),
    dictionary(headers),
    ...(body === null ? [] : ['body', body === 'form' ? 'True' : 'False']),
  ];
  return `    def ${snake(operation.operationId)}(${taken.join(', ')}):
        ${JSON.stringify(operation.summary ?? operation.operationId)}
        return self._call(${given.join(', ')})
`;
}

function resolved({ components }: DescribedInterface, parameter: Parameter | { $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const found = components.parameters?.[parameter.$ref.replace('#/components/parameters/', '')];
  if (found === undefined) throw new Error(`The document has no ${parameter.$ref}.`);
  return found;
}

/** How the client sends a body: as JSON where the operation takes it, otherwise as a form. */
function bodyOf({ operationId, requestBody }: Operation): 'json' | 'form' | null {
  if (requestBody === undefined) return null;
  if ('application/json' in requestBody.content) return 'json';
  if ('multipart/form-data' in requestBody.content) return 'form';
  throw new Error(`The body of ${operationId} is neither JSON nor a form.`);
}

const dictionary = (parameters: Parameter[]) =>
  `{${parameters.map(({ name }) => `${JSON.stringify(name)}: ${snake(name)}`).join(', ')}}`;

/** A name in the style of Python. A trailing underscore keeps it apart from the words of the language. */
function snake(name: string): string {
  const text = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  return ['from', 'to', 'id'].includes(text) ? `${text}_` : text;
}
