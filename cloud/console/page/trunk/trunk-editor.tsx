import { schema } from 'virtual:contract/trunkRequestSchema';
import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api, callTagged } from '../../client/api.ts';
import { useTagged } from '../../client/query.ts';
import { go, usePart } from '../../client/route.ts';
import { domain } from '../../client/session.ts';
import { ErrorNotice } from '../../component/error-notice.tsx';
import type { Values } from '../../component/form/schema.ts';
import { type FormSection, SchemaForm } from '../../component/form/schema-form.tsx';
import { PageLink } from '../../component/page-link.tsx';

const NEW = 'new';
type Body = Operations['putProvisioningTrunkByTrunkId']['body'];

/** One trunk, or a new one. */
export function TrunkEditor() {
  const trunkId = usePart('trunkId');
  const isNew = trunkId === NEW;
  const at = { domain: domain.value, trunkId };
  const read = useTagged('getProvisioningTrunkByTrunkId', at, !isNew);
  const stored = isNew ? {} : read.data?.value.trunk;
  return (
    <>
      <header className="page">
        <h1>{isNew ? <Trans>Create a trunk</Trans> : (read.data?.value.trunk.name ?? trunkId)}</h1>
        <PageLink page="trunk">
          <Trans>All trunks</Trans>
        </PageLink>
      </header>
      <ErrorNotice failure={read.error?.failure} />
      {stored !== undefined && (
        <Editor key={trunkId} trunkId={trunkId} stored={writable(stored)} etag={read.data?.etag ?? ''} />
      )}
    </>
  );
}

/** A trunk without the fields that the service adds. */
function writable({ id: _, maker: __, lastModified: ___, ...values }: Values): Values {
  return values;
}

function Editor(props: { readonly trunkId: string; readonly stored: Values; readonly etag: string }) {
  const { trunkId, stored, etag } = props;
  const { t } = useLingui();
  const at = { domain: domain.value, trunkId };
  // Another person has saved meanwhile: what is written then is written over hers.
  const latest = useRef(etag);
  const write = (values: Values, dryRun: Readonly<{ dryRun?: 'true' }>) => {
    const body = values as Body;
    if (trunkId === NEW) return api.call('postProvisioningTrunk', { domain: domain.value, ...dryRun, body });
    const headers = { 'If-Match': latest.current };
    return api.call('putProvisioningTrunkByTrunkId', { ...at, ...dryRun, body, headers });
  };
  const sections: readonly FormSection[] = [
    { id: 'name', title: t`Name and group`, fields: ['name', 'description', 'trunkGroupId', 'direction'] },
    { id: 'way', title: t`Way to the carrier`, fields: ['hosts', 'transport', 'optionsInterval'] },
    { id: 'sign-in', title: t`Authentication`, fields: ['username', 'password', 'register'] },
    {
      id: 'in',
      title: t`Calls from the carrier`,
      fields: ['ipAllowList', 'trunkKey', 'terminatingTrunkGroupId'],
    },
    { id: 'number', title: t`Numbers`, fields: ['numberPrefix', 'strip', 'prepend'] },
    { id: 'media', title: t`Media`, fields: ['codecs', 'srtp', 'forceRtpRelay'] },
  ];
  return (
    <SchemaForm
      draft={`trunk/${domain.value}/${trunkId}`}
      schema={schema}
      stored={stored}
      sections={sections}
      check={(values) => write(values, { dryRun: 'true' })}
      save={(values) => write(values, {})}
      {...(trunkId === NEW
        ? {}
        : {
            readAgain: async () => {
              const { answer, etag: now } = await callTagged('getProvisioningTrunkByTrunkId', at);
              latest.current = now;
              return answer.ok ? writable(answer.value.trunk) : undefined;
            },
          })}
      done={() => go('trunk')}
    />
  );
}
