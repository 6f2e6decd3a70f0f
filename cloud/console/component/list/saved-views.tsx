import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { useSearchState } from '../../client/route.ts';
import { domain, session } from '../../client/session.ts';
import { type SavedView, viewKey, viewsOf, withoutView, withView } from './saved-view.ts';

/** The views of this list that the person has named, in this browser: each is filters, time and columns under a name. */
export function SavedViews({ list }: { readonly list: string }) {
  const { t } = useLingui();
  const key = viewKey(session.value?.person.id ?? '', domain.value, list);
  const [views, setViews] = useState(() => viewsOf(localStorage.getItem(key)));
  const [search, change] = useSearchState();
  const keep = (next: readonly SavedView[]): void => {
    localStorage.setItem(key, JSON.stringify(next));
    setViews(next);
  };
  const show = (view: SavedView): void =>
    change({ ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])), ...view.search });
  return (
    <DialogTrigger>
      <Button className="plain">
        <Trans>Views</Trans>
      </Button>
      <Popover className="popover" placement="bottom end">
        <Dialog aria-label={t`Saved views`}>
          {({ close }) => (
            <>
              {views.length === 0 && (
                <p className="dim flat">
                  <Trans>
                    No view is saved. A view is the filters, time and columns of this list under a name.
                  </Trans>
                </p>
              )}
              <ul className="option-list">
                {views.map((view) => (
                  <li key={view.name} className="view-row">
                    <button
                      type="button"
                      className="option"
                      onClick={() => {
                        show(view);
                        close();
                      }}
                    >
                      {view.name}
                    </button>
                    <button
                      type="button"
                      className="link"
                      aria-label={t`Remove the view ${view.name}`}
                      onClick={() => keep(withoutView(views, view.name))}
                    >
                      ×
                    </button>
                  </li>
                ))}
              </ul>
              <NewView
                save={(name) => {
                  keep(withView(views, { name, search }));
                  close();
                }}
              />
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function NewView({ save }: { readonly save: (name: string) => void }) {
  const [name, setName] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') save(name.trim());
      }}
    >
      <label>
        <Trans>Name of the view</Trans>
        <input value={name} maxLength={60} onChange={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" disabled={name.trim() === ''}>
        <Trans>Save this view</Trans>
      </button>
    </form>
  );
}
