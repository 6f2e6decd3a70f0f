import { type SelfTestRecord, selfTestEnglish } from '#shared/self-test/index.ts';
import { Badge } from '../../component/badge.tsx';
import type { Detail } from './host-detail.ts';

/** A newer release may know points and codes that this console does not. */
const NAMES: Readonly<Record<string, string>> = selfTestEnglish.points;
const ADVICE: Readonly<Record<string, string>> = selfTestEnglish.codes;
const WORDS: Readonly<Record<ShownPoint['verdict'], string>> = {
  ok: 'passed',
  warning: 'warning',
  failure: 'failed',
  skipped: 'not measured',
};

type ShownRecord = NonNullable<Detail['selfTest']> | SelfTestRecord;
type ShownPoint = ShownRecord['points'][number];

/** The answer of a host about a self-test is this, unless its release is older. */
export const isRecord = (value: unknown): value is SelfTestRecord =>
  typeof value === 'object' && value !== null && Array.isArray((value as Partial<SelfTestRecord>).points);

/** The technician's acceptance record: each point, what was found, and what to do about it. */
export function SelfTest({ record }: { readonly record: ShownRecord }) {
  return (
    <>
      <p className="flat">
        <Badge word={record.passed ? 'passed' : 'failed'} /> release {record.release},{' '}
        {new Date(record.at).toLocaleString()}
      </p>
      <ul className="plain-list">
        {record.points.map((point, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a record keeps its order, and a point may be judged twice
          <Point key={`${point.id} ${index}`} point={point} />
        ))}
      </ul>
    </>
  );
}

function Point({ point: { id, verdict, found, code } }: { readonly point: ShownPoint }) {
  const said = code === undefined ? undefined : ADVICE[code];
  const isSkipped = verdict === 'skipped';
  return (
    <li>
      <Badge word={WORDS[verdict]} /> {NAMES[id] ?? id}{' '}
      <span className="dim">{isSkipped ? (said ?? found) : found}</span>
      {!isSkipped && said !== undefined && (
        <>
          <br />
          {said}
        </>
      )}
    </li>
  );
}
