/** First of all imports: zod asks at its first schema whether it may compile code, which the page's policy refuses and counts. */
import { z } from 'zod';

z.config({ jitless: true });
