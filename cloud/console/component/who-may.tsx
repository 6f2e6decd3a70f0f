import { Trans, useLingui } from '@lingui/react/macro';
import { mayHandle, mayProvision, mayService } from '../client/session.ts';
import { useStore } from '../client/store.ts';

const RIGHTS = { provision: mayProvision, service: mayService, handle: mayHandle } as const;

/** Says to a person without the right who has it; nothing to a person who has. `need`: the right that the page is about. */
export function WhoMay({ need }: { readonly need: keyof typeof RIGHTS }) {
  const { t } = useLingui();
  if (useStore(RIGHTS[need])) return null;
  const who = {
    provision: t`administrators and owners`,
    service: t`technicians, administrators and owners`,
    handle: t`operators, administrators and owners`,
  };
  return (
    <p className="dim flat">
      <Trans>Your role reads here. It is changed by {who[need]}: People and keys says who they are.</Trans>
    </p>
  );
}
