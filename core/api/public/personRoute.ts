/** Parts that the routes about persons share. */
import type { IdentityService } from '../../domain/persons/service.ts';
import type { CryptoPort } from '../../domain/ports/crypto.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type { IdentityViewPorts } from './identityViews.ts';

export const PERSONS = '/api/v3/persons';
export const PERSON_TAGS = ['Persons'];
export const READING_PERSONS = { access: 'persons:read' } as const;
export const CHANGING_PERSONS = { access: 'persons:write', takesKey: true } as const;

export interface PersonRoutePorts extends IdentityViewPorts {
  identityService: IdentityService;
  clock: Clock;
  crypto: CryptoPort;
}
