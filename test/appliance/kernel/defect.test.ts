import { expect, it } from 'vitest';
import { defectDetail, namedDefect, ofSession } from '#appliance/kernel/defect.ts';

const session = (n: number) => ({ trace: { traceId: `trace-${n}`, recordId: `record-${n}` } });
const broken = (): never => {
  throw new TypeError('x is undefined');
};
const caught = (work: () => void): unknown => {
  try {
    work();
  } catch (cause) {
    return cause;
  }
  return undefined;
};

it('a defect in the work of a session names its trace and its record, and keeps its own course', () => {
  const detail = defectDetail(caught(ofSession(() => session(1), broken)));
  expect(detail).toMatchObject({ traceId: 'trace-1', recordId: 'record-1' });
  expect(detail.cause).toMatch(/TypeError: x is undefined\n\s+at /);
});

it('the innermost session counts, and work for none stays without a name', () => {
  const inner = ofSession(() => session(2), broken);
  expect(defectDetail(caught(ofSession(() => session(1), inner)))).toMatchObject({ traceId: 'trace-2' });
  expect(ofSession(() => undefined, broken)()).toBeUndefined();
  expect(Object.keys(defectDetail(caught(broken)))).toEqual(['cause']);
  expect(defectDetail(namedDefect('a text', session(3).trace))).toMatchObject({ traceId: 'trace-3' });
});
