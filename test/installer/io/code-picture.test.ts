import qrcode from 'qrcode-generator';
import { expect, test } from 'vitest';
import { codePicture } from '#installer/io/terminal/code-picture.ts';

const PAGE = 'https://cloud.example/console/#/fleet/north%2Fbox-1';

/** The cells of a picture, true = dark: the upper and the lower half of each character. */
const cellsOf = (picture: string): boolean[][] =>
  picture
    .split('\n')
    .flatMap((line) => [
      [...line].map((sign) => sign === ' ' || sign === '▄'),
      [...line].map((sign) => sign === ' ' || sign === '▀'),
    ]);

test('a QR code in characters has every cell of the code, and four light ones around it', () => {
  const code = qrcode(0, 'L');
  code.addData(PAGE);
  code.make();
  const size = code.getModuleCount();
  const cells = cellsOf(codePicture(PAGE));
  expect(cells.every((row) => row.length === size + 8)).toBe(true);
  expect(cells.length).toBeGreaterThanOrEqual(size + 8);
  for (const [row, line] of cells.slice(0, size + 8).entries())
    for (const [column, dark] of line.entries()) {
      const [y, x] = [row - 4, column - 4];
      const inside = y >= 0 && x >= 0 && y < size && x < size;
      expect(dark, `${y} ${x}`).toBe(inside && code.isDark(y, x));
    }
});
