import { i18n } from '@lingui/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { type SelfTestRecord, selfTestTexts } from '#shared/self-test/index.ts';
import type { Detail } from '../../client/host-detail.ts';
import { Badge } from '../../component/badge.tsx';
import { MOMENT } from '../../component/wording/figure.ts';

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
        <Badge word={record.passed ? 'passed' : 'failed'} /> <Trans>release {record.release}</Trans>,{' '}
        {i18n.date(record.at, MOMENT)}
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
  const { names, advice } = useTexts();
  const said = code === undefined ? undefined : advice[code];
  const isSkipped = verdict === 'skipped';
  return (
    <li>
      <Badge word={WORDS[verdict]} /> {names[id] ?? id}{' '}
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

/** Names and advice in the language of the person; a newer release may know points and codes that this console does not. */
function useTexts(): Readonly<Record<'names' | 'advice', Readonly<Record<string, string>>>> {
  const { i18n } = useLingui();
  const { points, codes } = selfTestTexts[i18n.locale as keyof typeof selfTestTexts];
  return { names: points, advice: codes };
}
