import { z } from 'zod';
import { displayName } from './displayName.ts';

/** A field of one line, which is kept as it is shown. @param most characters */
export const displayLine = (most: number) => z.string().overwrite(displayName).max(most);
