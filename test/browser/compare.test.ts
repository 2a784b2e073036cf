import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  fitEyes,
  layOut,
  placement,
  toImage,
  toPane,
  WHOLE_VIEW,
  zoomAt,
  lengthOf,
} from '../../renderer/compare/geometry.ts';
import { resultTable, newRun } from '../../renderer/screens/enrol/run.ts';

const pane = { width: 400, height: 300 };
const coordinate = fc.integer({ min: 0, max: 2000 });

/** Where a CSS matrix takes an image point. */
function apply(css: string, { x, y }: { x: number; y: number }): { x: number; y: number } {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = css.slice('matrix('.length, -1).split(',').map(Number);
  return { x: a * x + c * y + e, y: b * x + d * y + f };
}

test('fitted to the eyes, every face has them level and in the same two places', () => {
  fc.assert(
    fc.property(coordinate, coordinate, coordinate, coordinate, (x1, y1, x2, y2) => {
      fc.pre(Math.hypot(x2 - x1, y2 - y1) > 20);
      const eyes = [
        { x: x1, y: y1 },
        { x: x2, y: y2 },
      ] as const;
      const css = placement(layOut(fitEyes(eyes, pane), WHOLE_VIEW, pane, 0));
      const [left, right] = [apply(css, eyes[0]), apply(css, eyes[1])];
      // The matrix is written with five decimals, which large coordinates multiply.
      for (const [is, should] of [
        [left.x, 167],
        [right.x, 233],
        [left.y, 138],
        [right.y, 138],
      ] as const)
        assert.ok(Math.abs(is - should) < 0.1, `${is} instead of ${should}`);
    }),
  );
});

test('fitted to the eyes, the head is in the pane from chin to crown', () => {
  const eyes = [
    { x: 200, y: 300 },
    { x: 263, y: 300 },
  ] as const;
  const css = placement(layOut(fitEyes(eyes, pane), WHOLE_VIEW, pane, 0));
  // Medians of adults: 63 mm between the eyes, which are in the middle of 230 mm of head; the widest head has 253.
  for (const height of [230, 253])
    for (const y of [300 - height / 2, 300 + height / 2]) {
      const { y: drawn } = apply(css, { x: 231, y });
      assert.ok(drawn > 0 && drawn < pane.height, `${drawn} of ${pane.height}`);
    }
});

test('a marked point stays on its place in the image at every zoom, turn and pan', () => {
  const share = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(coordinate, coordinate, share, share, share, (x, y, across, down, turn) => {
      const fit = { anchor: { x: 310, y: 250 }, scale: 0.7, angle: turn };
      const view = { zoom: 2 ** (3 * across), pan: { x: across, y: down } };
      const layout = layOut(fit, view, pane, Math.PI * down);
      const shown = toPane(layout, { x, y });
      const drawn = apply(placement(layout), { x, y });
      assert.ok(Math.hypot(shown.x - drawn.x, shown.y - drawn.y) < 0.1, 'drawn where the image is');
      const back = toImage(layout, shown);
      assert.ok(Math.hypot(back.x - x, back.y - y) < 1e-6, 'found again in the image');
    }),
  );
});

test('a line is measured in the eye distance of its face, and in pixels without one', () => {
  const line = { id: 1, image: 'a', from: { x: 10, y: 20 }, to: { x: 40, y: 60 } };
  const eyes = [
    { x: 0, y: 0 },
    { x: 0, y: 100 },
  ] as const;
  assert.deepEqual(lengthOf(line, eyes), { unit: 'eyeDistance', length: 50 });
  assert.deepEqual(lengthOf(line, null), { unit: 'pixels', length: 50 });
});

test('zooming keeps what is under the pointer where it is', () => {
  const at = { x: 0.2, y: -0.1 };
  const before = { zoom: 1.5, pan: { x: 0.05, y: 0.02 } };
  const after = zoomAt(before, 2, at);
  const under = (view: typeof before) => ({
    x: (at.x - view.pan.x) / view.zoom,
    y: (at.y - view.pan.y) / view.zoom,
  });
  assert.ok(Math.abs(under(after).x - under(before).x) < 1e-12);
  assert.ok(Math.abs(under(after).y - under(before).y) < 1e-12);
});

test('a file name that a spreadsheet would run as a formula is text in the table', () => {
  const file = new File(['x'], 'x');
  const run = newRun([{ path: '=cmd()|"x".jpg', file }], { kind: 'duplicate' });
  const [head, line] = resultTable(run, (code) => code).split('\r\n');
  assert.equal(head, 'file,status,trustValidationId,failureCode,reason');
  assert.equal(line, `"'=cmd()|""x"".jpg",waiting,,,`);
});
