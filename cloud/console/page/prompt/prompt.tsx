import { Trans, useLingui } from '@lingui/react/macro';
import './prompt.css';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { useSearchState } from '../../client/route.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { More, usePages } from '../../component/more.tsx';
import { Stale } from '../../component/notice.tsx';
import { Player } from '../../component/player/player.tsx';
import { offset } from '../../component/trace/lane.ts';
import { WhoMay } from '../../component/who-may.tsx';
import { PlayedBy } from './played-by.tsx';
import { Replacement, Upload } from './prompt-upload.tsx';

type Listed = Awaited<ReturnType<typeof readPrompts>>;
type Prompt = Extract<Listed, { readonly ok: true }>['value']['items'][number];

/** The prompts of the tenant: listened to, added, replaced and removed. */
export function PromptPage() {
  const { t } = useLingui();
  const [search, setSearch] = useSearchState();
  const paged = usePages(readPrompts, [domain.value]);
  const wanted = (search.find ?? '').toLowerCase();
  const found = paged.items.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Prompts</Trans>
        </h1>
        <p className="dim about">
          <Trans>Sound files that applications play to people. Every site has a copy of each.</Trans>
        </p>
        <input
          type="search"
          aria-label={t`Find prompts by name`}
          placeholder={t`Part of the name`}
          value={search.find ?? ''}
          onChange={(event) => setSearch({ find: event.currentTarget.value })}
        />
      </header>
      <WhoMay need="provision" />
      <Stale failure={paged.failure} at={0} />
      {!paged.loading && paged.items.length === 0 && paged.failure === undefined && (
        <EmptyState
          title={t`No prompt yet`}
          command={`curl -X PUT -H 'Content-Type: audio/wav' --data-binary @welcome.wav ${location.origin}/mediaservice/${domain.value}/promptfile/welcome.wav`}
        >
          <Trans>
            A media service plays prompts by their names: a greeting, a menu, a notice. Without one it can
            still speak by a speech service.
          </Trans>
        </EmptyState>
      )}
      {paged.items.length > 0 && found.length === 0 && (
        <p className="dim none">
          <Trans>No prompt has this name.</Trans>
        </p>
      )}
      {found.length > 0 && (
        <CardTable columns={[t`Name`, t`Length`, t`Changed`]} acts>
          <tbody>
            {found.map((prompt) => (
              <Row key={`${prompt.name} ${prompt.updatedAt}`} prompt={prompt} again={paged.again} />
            ))}
          </tbody>
        </CardTable>
      )}
      <More paged={paged} />
      {mayProvision.value && <Upload done={paged.again} />}
    </>
  );
}

function Row({ prompt, again }: { readonly prompt: Prompt; readonly again: () => void }) {
  const { t, i18n } = useLingui();
  const { name, size, durationMs, updatedAt } = prompt;
  const [isOpen, setOpen] = useState(false);
  const [isReplaced, setReplaced] = useState(false);
  const kilobytes = i18n.number(Math.ceil(size / 1_024));
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        <details>
          <summary>
            <Trans>Play it from an application</Trans>
          </summary>
          <pre>{JSON.stringify({ phrases: [{ format: 'file', fileName: name }] })}</pre>
        </details>
        <PlayedBy name={name} />
      </td>
      <td>
        {offset(durationMs)} <div className="dim">{t`${kilobytes} KB`}</div>
      </td>
      <td>
        <Ago at={updatedAt} />
      </td>
      <td>
        {isOpen && <Player name={name} />}
        <div className="acts">
          {!isOpen && (
            <button type="button" className="plain" onClick={() => setOpen(true)}>
              <Trans>Hear it</Trans>
            </button>
          )}
          {mayProvision.value && !isReplaced && (
            <button type="button" className="plain" onClick={() => setReplaced(true)}>
              <Trans>Replace</Trans>
            </button>
          )}
          {mayProvision.value && <Removal name={name} done={again} />}
        </div>
        {isReplaced && <Replacement name={name} done={again} />}
      </td>
    </tr>
  );
}

/** A removal is pressed twice: an application that plays the file then finds none. */
function Removal({ name, done }: { readonly name: string; readonly done: () => void }) {
  const { t } = useLingui();
  const [isAsked, setAsked] = useState(false);
  if (!isAsked)
    return (
      <button type="button" className="plain" onClick={() => setAsked(true)}>
        <Trans>Remove</Trans>
      </button>
    );
  return (
    <Act
      label={t`Remove ${name} from every site`}
      danger
      run={() =>
        api.call('deleteMediaserviceByDomainPromptfileByFilename', { domain: domain.value, filename: name })
      }
      done={done}
    />
  );
}

/** Uploaded files alone: recordings have a page of their own. */
async function readPrompts(next: string | undefined) {
  const answer = await api.call('getMediaserviceByDomainPromptfile', {
    domain: domain.value,
    ...(next === undefined ? {} : { next }),
  });
  if (!answer.ok) return answer;
  const { files, next: following } = answer.value;
  const items = files.filter(({ origin }) => origin === 'upload');
  return { ok: true as const, value: { items, nextToken: following ?? undefined } };
}
