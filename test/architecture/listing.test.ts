import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FACE_CELLS } from '../../core/api/dashboard/listExports.ts';
import { faceListing, faceListingEdit, newListing, ofTexts } from '../../core/contracts/faceListing.ts';
import type { CompanyId, FaceId } from '../../core/contracts/ids.ts';
import { Cells } from '../../core/storage/engine/cells.ts';
import { LISTING_COLUMNS, listingColumns, toListing } from '../../core/storage/faces/faces.ts';
import { faceFacts } from '../../core/transfer/packageFormat.ts';
import { draftOf, listingOf } from '../../renderer/components/listingDraft.ts';

const FIELDS = Object.keys(faceListing.shape).toSorted();
/** A listing in which each field has a value that tells it from the others. */
const LISTING = faceListing.parse({
  severity: 'stop',
  ...ofTexts((field) => `Typed as ${field}`),
  expiresAt: '2031-02-03T04:05:00.000Z',
});

test('an operator can set each field of a listing, and a copy keeps it', () => {
  assert.deepEqual(Object.keys(LISTING).toSorted(), FIELDS, 'the example leaves no field out');
  assert.deepEqual(Object.keys(faceListingEdit.shape).toSorted(), FIELDS);
  assert.deepEqual(newListing(faceListingEdit.parse(LISTING)), LISTING);
  assert.deepEqual(listingOf(draftOf(LISTING)), LISTING);
});

test('the row of a face keeps each field of its listing', () => {
  const cells = new Cells();
  const face = { company_id: 1 as CompanyId, id: 1 as FaceId };
  const columns = listingColumns(cells, face, LISTING);
  assert.deepEqual(Object.keys(columns).toSorted(), LISTING_COLUMNS.toSorted());
  assert.deepEqual(toListing(cells, { ...face, ...columns }), LISTING);
});

test('a transfer package and an exported list have each field of a listing', () => {
  assert.deepEqual(Object.keys(faceFacts.shape.listing.shape).toSorted(), FIELDS);
  assert.deepEqual(faceFacts.shape.listing.parse(LISTING), LISTING);
  // The file calls the time of expiry by a name of its own.
  const exported = FIELDS.map((field) => (field === 'expiresAt' ? 'expires' : field));
  assert.deepEqual(
    exported.filter((field) => !Object.hasOwn(FACE_CELLS, field)),
    [],
  );
});
