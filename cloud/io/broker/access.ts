import type { HostPlace } from '#shared/contract/feed/index.ts';

/** The connected client: a host, known by uid, the owner of a shard, or the probe of this process. */
export type Party =
  | { readonly kind: 'host'; readonly place: HostPlace }
  | { readonly kind: 'owner'; readonly sh: string }
  | { readonly kind: 'probe'; readonly id: string };

export type Act =
  | { readonly kind: 'publish'; readonly topic: string; readonly qos: number; readonly retain: boolean }
  | { readonly kind: 'subscribe'; readonly filter: string; readonly qos: number }
  | { readonly kind: 'receive'; readonly topic: string };

interface Rule {
  readonly party: Party['kind'];
  readonly may: Act['kind'];
  /** `{…}` stands for the party's own value, `+` for one level, `#` for one or more. */
  readonly topic: string;
  readonly retain?: true;
}

const HOST = 'carillon/1/{sh}/{tenant}/{siteId}/{uid}';
const ANY_HOST = 'carillon/1/{sh}/+/+/+';
const OWNER = 'carillon/1/{sh}/cp/state';
/** No shard is called so: neither hosts nor owners hear anything of it. */
const PROBE = 'carillon/1/probe/{id}/#';

/**
 * Everything that is allowed; nothing else is. A will is a publish, a retained message is received like any other.
 * A filter must be written as it stands here: `$share`, `$SYS` and wider wildcards are in no row.
 */
const RULES: readonly Rule[] = [
  { party: 'host', may: 'publish', topic: `${HOST}/up/state`, retain: true },
  { party: 'host', may: 'publish', topic: `${HOST}/up/#` },
  { party: 'host', may: 'subscribe', topic: `${HOST}/dn/+` },
  { party: 'host', may: 'subscribe', topic: `${HOST}/dn/twin` },
  { party: 'host', may: 'subscribe', topic: `${HOST}/dn/ack` },
  { party: 'host', may: 'subscribe', topic: `${HOST}/dn/req` },
  { party: 'host', may: 'subscribe', topic: `${HOST}/up/state` },
  { party: 'host', may: 'subscribe', topic: OWNER },
  { party: 'host', may: 'receive', topic: `${HOST}/dn/+` },
  { party: 'host', may: 'receive', topic: `${HOST}/up/state` },
  { party: 'host', may: 'receive', topic: OWNER },

  { party: 'owner', may: 'publish', topic: OWNER, retain: true },
  { party: 'owner', may: 'publish', topic: `${ANY_HOST}/dn/+`, retain: true },
  // To clear the last word of a host that is no more.
  { party: 'owner', may: 'publish', topic: `${ANY_HOST}/up/state`, retain: true },
  { party: 'owner', may: 'subscribe', topic: `${ANY_HOST}/up/#` },
  { party: 'owner', may: 'receive', topic: `${ANY_HOST}/up/#` },

  { party: 'probe', may: 'publish', topic: PROBE, retain: true },
  { party: 'probe', may: 'subscribe', topic: PROBE },
  { party: 'probe', may: 'receive', topic: PROBE },
];

/** Why the party must not do this, or undefined when it may. */
export function refusalOf(party: Party, act: Act): string | undefined {
  if ('qos' in act && act.qos > 1) return `${act.kind} with QoS 2`;
  const rules = ownRules(party).filter(({ rule }) => rule.may === act.kind);
  if (act.kind === 'subscribe') {
    return rules.some(({ form }) => form === act.filter) ? undefined : `subscribe ${act.filter}`;
  }
  const levels = act.topic.split('/');
  const matching = rules.filter(({ wanted }) => covers(wanted, levels));
  if (matching.length === 0) return `${act.kind} ${act.topic}`;
  if (act.kind === 'publish' && act.retain && !matching.some(({ rule }) => rule.retain === true))
    return `publish ${act.topic} retained`;
  return undefined;
}

/** A row as it stands for one party. */
interface OwnRule {
  readonly rule: Rule;
  readonly form: string;
  /** Its levels. */
  readonly wanted: readonly string[];
}

const known = new WeakMap<Party, readonly OwnRule[]>();

/** Written out once for each party: each of its messages is looked up in them. */
function ownRules(party: Party): readonly OwnRule[] {
  const before = known.get(party);
  if (before !== undefined) return before;
  const made = RULES.filter((rule) => rule.party === party.kind).map((rule) => {
    const form = ownForm(rule, party);
    return { rule, form, wanted: form.split('/') };
  });
  known.set(party, made);
  return made;
}

function ownForm({ topic }: Rule, party: Party): string {
  const own: Record<string, string> = party.kind === 'host' ? { ...party.place } : { ...party };
  return topic.replaceAll(/\{(\w+)\}/g, (_, name: string) => own[name] ?? '');
}

const LEVEL = /^[a-z0-9-]+$/;

function covers(wanted: readonly string[], levels: readonly string[]): boolean {
  const tail = wanted.at(-1) === '#';
  const fixed = tail ? wanted.length - 1 : wanted.length;
  if (tail ? levels.length <= fixed : levels.length !== fixed) return false;
  return (
    wanted.every((want, at) => at >= fixed || want === '+' || want === levels[at]) &&
    levels.every((level) => LEVEL.test(level))
  );
}
