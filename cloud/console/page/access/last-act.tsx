import { Trans, useLingui } from '@lingui/react/macro';
import { useAnswer } from '../../client/query.ts';
import { linkTo } from '../../client/route.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { actionName, entityName, entityOf } from '../../component/wording/audit-words.ts';

/** The last change or audited reading of a key or token, and the way to all of them. `actor`: as the audit log names it. */
export function LastAct({ actor }: { readonly actor: string }) {
  const { t, i18n } = useLingui();
  const { data } = useAnswer(
    'getProvisioningAudit',
    { domain: domain.value, actor, limit: '1' },
    { enabled: mayProvision.value },
  );
  if (data === undefined) return null;
  const [last] = data.entries;
  if (last === undefined)
    return (
      <span className="dim">
        <Trans>has changed nothing yet</Trans>
      </span>
    );
  return (
    <>
      <Ago at={last.at} />
      <div>
        <a
          href={`${linkTo('audit')}?actor=${encodeURIComponent(actor)}`}
          title={t`Everything that it did, in the audit log`}
        >
          {i18n._(entityName(entityOf(last)))}: {i18n._(actionName(last.action))}
        </a>
      </div>
    </>
  );
}
