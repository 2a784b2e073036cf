/** Writes resources/openapi.json, the description of the interface as it is now: `npm run openapi`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { describedInterface } from './openapi/description.ts';

const file = join(import.meta.dirname, '..', 'resources', 'openapi.json');
const description = JSON.stringify(await describedInterface());
const { code } = await format(file, description, { printWidth: 110 });
await writeFile(file, code);
