import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { Operations } from '#shared/client/index.ts';
import { Differences } from '../../component/revision/difference.tsx';
import { actionName, entityName, entityOf } from '../../component/wording/audit-words.ts';
import { detailChanges } from '../../text/field-change.ts';

export type Entry = Operations['getProvisioningAudit']['answer']['entries'][number];

/** The action, and on demand what it changed field by field with the hash that chains it. */
export function AuditEntry({ entry }: { readonly entry: Entry }) {
  const { t, i18n } = useLingui();
  const { action, detail, requestId, hash } = entry;
  const changes = detailChanges(detail);
  return (
    <DialogTrigger>
      <Button className="link">
        {i18n._(entityName(entityOf(entry)))}: {i18n._(actionName(action))}
      </Button>
      <Popover className="popover wide">
        <Dialog aria-label={t`Details of the change`}>
          {changes.length === 0 ? (
            <p className="dim">
              <Trans>The entry names no field.</Trans>
            </p>
          ) : (
            <Differences of={changes} />
          )}
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
