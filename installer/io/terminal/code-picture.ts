import qrcode from 'qrcode-generator';

/** Without a margin a camera does not find it; four cells are usual. */
const MARGIN = 4;
const BLOCKS = [' ', '▄', '▀', '█'] as const;

/** A QR code in characters, two cells above each other in one; light on dark, as most terminals are. */
export function codePicture(text: string): string {
  const code = qrcode(0, 'L');
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  const isLight = (row: number, column: number): boolean => {
    const inside = row >= 0 && column >= 0 && row < size && column < size;
    return row < size + MARGIN && !(inside && code.isDark(row, column));
  };
  const lines: string[] = [];
  for (let row = -MARGIN; row < size + MARGIN; row += 2) {
    let line = '';
    for (let column = -MARGIN; column < size + MARGIN; column++)
      line += BLOCKS[(isLight(row, column) ? 2 : 0) + (isLight(row + 1, column) ? 1 : 0)];
    lines.push(line);
  }
  return lines.join('\n');
}
