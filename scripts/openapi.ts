/** Writes resources/openapi.json, the description of the interface as it is now: `npm run openapi`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describedInterface } from './openapi/description.ts';

const file = join(import.meta.dirname, '..', 'resources', 'openapi.json');
const style = await resolveConfig(file);
await writeFile(file, await format(JSON.stringify(await describedInterface()), { ...style, filepath: file }));
