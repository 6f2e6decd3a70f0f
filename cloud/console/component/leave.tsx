import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import { session } from '../client/session.ts';
import { Act } from './act.tsx';

type Leave = { readonly transferTo?: string; readonly revoke?: 'true' };

/** Removes a person or a token. Where that made others, the operator chooses between taking them over and removing them. */
export function Leaving(props: {
  readonly label: string;
  readonly run: (leave: Leave) => Promise<Result<unknown, CallFailure>>;
  readonly done: () => void;
}) {
  const { t } = useLingui();
  const [inUse, setInUse] = useState(false);
  const first = async () => {
    const result = await props.run({});
    if (!result.ok && result.error.code === 'makerInUse') setInUse(true);
    return result;
  };
  const own = session.value?.person;
  return (
    <>
      <Act label={props.label} plain run={first} done={props.done} />
      {inUse && own !== undefined && !own.platformOwner && (
        <Act
          label={t`Take over its resources`}
          plain
          run={() => props.run({ transferTo: `person:${own.id}` })}
          done={props.done}
        />
      )}
      {inUse && (
        <Act
          label={t`Remove its resources too`}
          danger
          run={() => props.run({ revoke: 'true' })}
          done={props.done}
        />
      )}
    </>
  );
}
