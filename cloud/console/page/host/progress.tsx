import type { ReactNode } from 'react';
import { useNow } from '../../client/live.ts';
import { Ago, span } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { type Operation, stepWords } from '../../component/wording/operation-words.ts';

const NAMES: Readonly<Record<Operation['type'], string>> = {
  commission: 'Into service',
  drain: 'Drain',
  undrain: 'Back into service',
  decommission: 'Decommission',
};

/** The operation of a host, step by step, with the possible actions. */
export function Progress(props: {
  readonly operation: Operation;
  /** Named where it does not stand on the page of its host. */
  readonly host?: ReactNode;
  readonly children?: ReactNode;
}) {
  const now = useNow();
  const { operation, host, children } = props;
  const { deadline, state, reason, type } = operation;
  const steps = stepWords(operation);
  const done = steps.filter((step) => step.state === 'done').length;
  const name = NAMES[type];
  return (
    <div className={`notice ${state === 'blocked' ? 'bad' : ''}`} role="status">
      <p className="flat">
        <strong>
          {name}
          {host !== undefined && <> of {host}</>}
        </strong>{' '}
        <Badge word={state} /> begun <Ago at={operation.createdAt} />
        {deadline !== undefined && deadline > now && `, deadline in ${span(deadline - now)}`}
      </p>
      <progress value={done} max={steps.length} aria-label={`${name}: ${done} of ${steps.length} steps`} />
      {state === 'pending' && (
        <p className="flat">The host has not received the request yet and begins when it does.</p>
      )}
      {reason !== undefined && <p className="flat">{reason}</p>}
      <ol className="steps">
        {steps.map((step) => (
          <li key={step.title}>
            {step.title} <Badge word={step.state} />
            {step.facts.length > 0 && (
              <ul>
                {step.facts.map((fact) => (
                  <li key={fact}>{fact}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
      {children}
    </div>
  );
}
