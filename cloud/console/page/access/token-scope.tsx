import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Scope } from '#shared/contract/provisioning/index.ts';

/** The areas that a word of a scope opens, within the rights of the person. */
const SCOPE_WORDS: Readonly<Record<Scope, { name: MessageDescriptor; opens: MessageDescriptor }>> = {
  read: { name: msg`Reading`, opens: msg`reads in every area and changes nothing` },
  provisioning: {
    name: msg`Set-up and records`,
    opens: msg`receivers, devices, people, keys and personal data; records of alarms and calls`,
  },
  runtime: {
    name: msg`Alarms and calls under way`,
    opens: msg`commands into alarms and calls, the alarm queue, prompts`,
  },
  site: {
    name: msg`Sites and hosts`,
    opens: msg`fleet, incidents, deliveries, drain, swap, maintenance`,
  },
  capture: {
    name: msg`Messages as they were sent`,
    opens: msg`packets for Wireshark and the evidence of a record; no other scope opens them`,
  },
  listen: {
    name: msg`Copies of callbacks`,
    opens: msg`masked, while an application is made; no other scope opens them`,
  },
};

/** The scope of a token or key, in words. */
export function ScopeText({ scope }: { readonly scope: string | undefined }) {
  const { i18n } = useLingui();
  if (scope === undefined) return <Trans>all rights of its maker</Trans>;
  const words = scope.split(' ') as Scope[];
  return <span title={scope}>{words.map((word) => i18n._(SCOPE_WORDS[word]?.name ?? word)).join(', ')}</span>;
}

/** All rights of the person, or some areas of them. `chosen`: undefined for all. */
export function ScopeChoice(props: {
  readonly chosen: readonly Scope[] | undefined;
  readonly onChoose: (chosen: readonly Scope[] | undefined) => void;
}) {
  const { chosen, onChoose } = props;
  const { t, i18n } = useLingui();
  const scopes = Object.keys(SCOPE_WORDS) as Scope[];
  return (
    <fieldset className="scope">
      <legend>{t`Scope`}</legend>
      <label className="check">
        <input
          type="radio"
          name="scope"
          checked={chosen === undefined}
          onChange={() => onChoose(undefined)}
        />{' '}
        <Trans>All that you may</Trans>
      </label>
      <label className="check">
        <input type="radio" name="scope" checked={chosen !== undefined} onChange={() => onChoose(['read'])} />{' '}
        <Trans>Only these areas</Trans>
      </label>
      {chosen !== undefined &&
        scopes.map((word) => (
          <label key={word} className="check scope-word">
            <input
              type="checkbox"
              checked={chosen.includes(word)}
              onChange={(event) =>
                onChoose(
                  scopes.filter((each) =>
                    each === word ? event.currentTarget.checked : chosen.includes(each),
                  ),
                )
              }
            />{' '}
            {i18n._(SCOPE_WORDS[word].name)}: <span className="dim">{i18n._(SCOPE_WORDS[word].opens)}</span>
          </label>
        ))}
    </fieldset>
  );
}
