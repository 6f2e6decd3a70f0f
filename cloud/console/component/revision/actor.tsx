import { Trans } from '@lingui/react/macro';
import { actorOf, useName } from '../../client/name.ts';
import { ObjectLink } from '../object-link.tsx';

/**
 * The person, token, key or host that acted, by its name. `of`: as the audit log has it (`person:…`). `isPlain`: without a link, inside of
 * something that is pressed.
 */
export function Actor({ of, isPlain = false }: { readonly of: string; readonly isPlain?: boolean }) {
  if (of === 'system') return <Trans>the program</Trans>;
  if (of === 'person:platform-owner') return <Trans>the owner of the platform</Trans>;
  if (of.startsWith('host:'))
    return (
      <span title={of}>
        <Trans>a host</Trans>
      </span>
    );
  return <Named of={of} isPlain={isPlain} />;
}

function Named({ of, isPlain }: { readonly of: string; readonly isPlain: boolean }) {
  const actor = actorOf(of);
  const name = useName(actor?.kind ?? 'record', actor?.id ?? of);
  if (actor === undefined) return of;
  return isPlain ? <span title={of}>{name ?? of}</span> : <ObjectLink {...actor} name={name} />;
}
