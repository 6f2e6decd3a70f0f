import { describe, expect, it } from 'vitest';
import { type DetectedStmf, HIGH_HZ, LOW_HZ, StmfReader } from '#appliance/media/dtmf/index.ts';
import { endsOf, TIMES, textOf } from './stmf-signal.ts';

const GRID = '123A456B789C*0#D';

/** Tones of a bank, with the times that a line would have given them. */
class Line {
  readonly detected: DetectedStmf[] = [];
  readonly #reader = new StmfReader(TIMES, (event) => this.detected.push(event));

  tone(hz: number, startMs: number, durationMs = 75, levelDbm0 = -10): this {
    this.#reader.tone({ kind: 'begin', hz, startMs });
    this.#reader.tone({ kind: 'end', hz, startMs, durationMs, levelDbm0, torn: false });
    return this;
  }

  row(digit: string, startMs: number, durationMs = 75, levelDbm0 = -10): this {
    return this.tone(LOW_HZ[GRID.indexOf(digit) >> 2] ?? 0, startMs, durationMs, levelDbm0);
  }

  column(digit: string, startMs: number, durationMs = 75, levelDbm0 = -10): this {
    return this.tone(HIGH_HZ[GRID.indexOf(digit) & 3] ?? 0, startMs, durationMs, levelDbm0);
  }

  digits(text: string, fromMs = 0, paceMs = 160): this {
    const half = paceMs / 2;
    for (const [place, digit] of [...text].entries())
      this.row(digit, fromMs + place * paceMs, half - 5).column(
        digit,
        fromMs + place * paceMs + half,
        half - 5,
      );
    return this;
  }

  get said(): string {
    return endsOf(this.detected)
      .map(({ digit, how }) => (how === 'heard' ? digit : how === 'filled' ? `(${digit})` : digit))
      .join('');
  }
}

describe('row and column tones one after the other', () => {
  it('are digits, with their edges and levels; equal ones are kept apart', () => {
    const line = new Line().digits('D#1100').row('*', 960, 75, -12).column('*', 1_040, 75, -18);
    expect(textOf(line.detected)).toBe('D#1100*');
    const ends = endsOf(line.detected);
    expect(ends.map(({ startMs }) => startMs)).toEqual([0, 160, 320, 480, 640, 800, 960]);
    expect(ends.every(({ durationMs, how }) => durationMs === 155 && how === 'heard')).toBe(true);
    expect(ends.at(-1)).toMatchObject({ rowDbm0: -12, columnDbm0: -18 });
  });

  it('report each tone that begins, and a digit when its column begins', () => {
    const line = new Line().row('5', 0);
    expect(line.detected).toEqual([{ kind: 'sounds' }]);
    line.column('5', 80);
    expect(line.detected.map(({ kind }) => kind)).toEqual(['sounds', 'sounds', 'begin', 'end']);
    expect(line.detected[2]).toEqual({ kind: 'begin', digit: '5', startMs: 0 });
  });

  it.each([
    ['too early', 32],
    ['too late', 128],
  ])('are none where the column comes %s', (_, columnMs) => {
    expect(new Line().row('5', 0, columnMs - 2).column('5', columnMs).said).toBe('');
  });

  it('are none where a long pause lies between them', () => {
    expect(new Line().row('5', 0, 40).column('5', 100).said).toBe('');
  });

  it('are none in the other order', () => {
    expect(new Line().column('5', 0).row('5', 80).said).toBe('');
  });

  it.each([
    [10, '5'],
    [11, '?'],
    [-11, '?'],
  ])('%d dB apart are %s', (twistDb, expected) => {
    expect(new Line().row('5', 0, 75, -20).column('5', 80, 75, -20 + twistDb).said).toBe(expected);
  });

  it.each([130, 160, 190])('follow the pace of the unit: %d ms', (paceMs) => {
    const text = 'D#1017123456******000000';
    expect(new Line().digits(text, 0, paceMs).said).toBe(text);
  });
});

describe('a missing digit', () => {
  it.each([120, 160, 190])(
    'is the digit before it where its time has passed (pace of %d ms), and said so',
    (paceMs) => {
      const line = new Line().digits('D#10', 0, paceMs).digits('77', 5 * paceMs, paceMs);
      expect(line.said).toBe('D#10(0)77');
      const filled = endsOf(line.detected).find(({ how }) => how === 'filled');
      expect(filled).toMatchObject({ startMs: 4 * paceMs, durationMs: paceMs - 5 });
    },
  );

  it('is reported before the digit behind it begins', () => {
    const line = new Line().digits('D#1').digits('7', 640);
    const kinds = line.detected.slice(-4).map((event) => (event.kind === 'end' ? event.how : event.kind));
    expect(kinds).toEqual(['sounds', 'filled', 'begin', 'heard']);
  });

  it('is nothing behind a pause that ends a string', () => {
    // 155 of the digit, and more than 230 ms.
    expect(new Line().digits('D#1').digits('7', 320 + 155 + 231).said).toBe('D#17');
  });

  it('and is ? where one of its tones was detected', () => {
    expect(new Line().digits('D#1').row('7', 480).digits('8', 640).said).toBe('D#1?8');
    expect(new Line().digits('D#1').column('7', 560).digits('8', 640).said).toBe('D#1?8');
    // Both, but not as a digit: still one `?`.
    expect(new Line().digits('D#1').row('7', 480, 30).column('7', 612, 30).digits('8', 640).said).toBe(
      'D#1?8',
    );
  });

  it('and is two of them where the halves are of two digits', () => {
    expect(new Line().digits('D#1').row('7', 480).column('8', 720).digits('9', 800).said).toBe('D#1??9');
  });

  it('and nothing outside a string: single tones are in many sounds', () => {
    expect(new Line().row('7', 0).row('8', 300).column('1', 900).said).toBe('');
    expect(new Line().digits('1').row('7', 700).row('8', 1_200).said).toBe('1');
  });
});

describe('a tone that', () => {
  it('goes on is its digit again, for each time that passes', () => {
    const line = new Line()
      .digits('D#1')
      .row('7', 480)
      .column('7', 560, 75 + 2 * 160);
    expect(line.digits('8', 960).said).toBe('D#17778');
    expect(endsOf(line.detected).map(({ startMs }) => startMs)).toEqual([0, 160, 320, 480, 640, 800, 960]);
  });

  it('a lost frame has lengthened is one digit', () => {
    expect(
      new Line()
        .digits('D#1')
        .row('7', 480)
        .column('7', 560, 75 + 60).said,
    ).toBe('D#17');
  });

  it('a noise has torn is one tone', () => {
    const rowTorn = new Line().digits('D#').row('7', 320, 35).row('7', 365, 30).column('7', 400);
    expect(rowTorn.digits('8', 480).said).toBe('D#78');
    const columnTorn = new Line().digits('D#').row('7', 320).column('7', 400, 35).column('7', 445, 30);
    expect(columnTorn.digits('8', 480).said).toBe('D#78');
  });

  it('is no row and no column is passed over', () => {
    expect(new Line().digits('D#').tone(1_400, 320).digits('8', 320).said).toBe('D#8');
  });
});
