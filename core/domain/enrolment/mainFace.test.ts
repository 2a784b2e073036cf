import { test } from 'node:test';
import assert from 'node:assert/strict';
import { isClearlyMain } from './mainFace.ts';

const PHOTO = { width: 1000, height: 600 };
/** A square face of this width around this horizontal centre. */
const face = (centre: number, width: number) => ({ x: centre - width / 2, y: 100, width, height: width });

test('a face is the main one if it is large, in the middle, and much wider than others', () => {
  const of = (...boxes: ReturnType<typeof face>[]) => isClearlyMain({ ...PHOTO, boxes, unclear: [] });
  assert.ok(of(face(500, 300)));
  assert.ok(of(face(500, 300), face(100, 200)));
  assert.ok(!of(face(500, 300), face(100, 201)), 'two faces of about one size');
  assert.ok(of(face(201, 300), face(800, 100)));
  assert.ok(!of(face(199, 300), face(800, 100)), 'at the edge');
  assert.ok(of(face(500, 100), face(100, 40)));
  assert.ok(!of(face(500, 99), face(100, 40)), 'small in the photo');
  assert.ok(!of());
  const covered = { ...PHOTO, boxes: [face(500, 300)], unclear: [face(100, 201)] };
  assert.ok(!isClearlyMain(covered), 'a covered face of about one size');
});
