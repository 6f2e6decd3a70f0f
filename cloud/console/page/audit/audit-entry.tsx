import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { Operations } from '#shared/client/index.ts';

export type Entry = Operations['getProvisioningAudit']['answer']['entries'][number];

/** The change, and on demand every detail of it with the hash that chains it. */
export function AuditEntry({ entry }: { readonly entry: Entry }) {
  const { t } = useLingui();
  const { action, entity, entityId, detail, requestId, hash } = entry;
  return (
    <DialogTrigger>
      <Button className="link">
        {action} {entity} <strong>{entityId}</strong>
      </Button>
      <Popover className="popover">
        <Dialog aria-label={t`Details of the change`}>
          <pre>{JSON.stringify(detail, null, 2)}</pre>
          <p className="dim">
            <Trans>
              Request {requestId}, hash <code>{hash.slice(0, 16)}…</code>
            </Trans>
          </p>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
