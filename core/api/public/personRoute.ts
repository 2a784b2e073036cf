/** Parts that the routes about persons share. */

export const PERSONS = '/api/v3/persons';
export const PERSON_TAGS = ['Persons'];
export const READING_PERSONS = { access: 'persons:read' } as const;
export const CHANGING_PERSONS = { access: 'persons:write', takesKey: true } as const;
