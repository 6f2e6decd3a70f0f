import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useNow } from '../../client/live.ts';
import { Ago, span } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { type Operation, stepWords } from '../../component/wording/operation-words.ts';

const NAMES: Readonly<Record<Operation['type'], MessageDescriptor>> = {
  commission: msg`Into service`,
  drain: msg`Drain`,
  undrain: msg`Back into service`,
  decommission: msg`Decommission`,
};

/** The operation of a host, step by step, with the possible actions. */
export function Progress(props: {
  readonly operation: Operation;
  /** Named where it does not stand on the page of its host. */
  readonly host?: ReactNode;
  readonly children?: ReactNode;
}) {
  const { t } = useLingui();
  const now = useNow();
  const { operation, host, children } = props;
  const { deadline, state, reason, type } = operation;
  const steps = stepWords(operation);
  const done = steps.filter((step) => step.state === 'done').length;
  const name = t(NAMES[type]);
  return (
    <div className={`notice ${state === 'blocked' ? 'bad' : ''}`} role="status">
      <p className="flat">
        <strong>
          {name}
          {host !== undefined && (
            <>
              {' '}
              <Trans>of {host}</Trans>
            </>
          )}
        </strong>{' '}
        <Badge word={state} />{' '}
        <Trans>
          begun <Ago at={operation.createdAt} />
        </Trans>
        {deadline !== undefined && deadline > now && `, ${t`deadline in ${span(deadline - now)}`}`}
      </p>
      <progress value={done} max={steps.length} aria-label={t`${name}: ${done} of ${steps.length} steps`} />
      {state === 'pending' && (
        <p className="flat">
          <Trans>The host has not received the request yet and begins when it does.</Trans>
        </p>
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
