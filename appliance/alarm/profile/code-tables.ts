import {
  type AlarmEvent,
  bs8521Table,
  type CodedValue,
  type CodeRow,
  type CodeTable,
  type EventRow,
  type EventTable,
  eventTable,
  ownCodeTable,
  ownEventTable,
  scaipTable,
  TT_CALLS,
} from '#shared/alarm-event/index.ts';
import {
  type CodeTableName,
  type CodeTableRow,
  codeSchema,
  EVENT_TABLES,
  type EventTableName,
  FIELD_TABLES,
  type FieldTableName,
  mergeContent,
} from '#shared/contract/profile/index.ts';
import { isBuiltInProfile, type ProtocolProfile } from '#shared/contract/provisioning/index.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { SIA_MAPPINGS, type SiaMapping } from '../protocol/dc09/index.ts';
import type { ProtocolEvent } from '../protocol/index.ts';

/** Tables of the tenant that a destination's events are read by; only those with rows of its own. */
export interface OwnCodes {
  readonly fields: Readonly<Partial<Record<FieldTableName, CodeTable>>>;
  readonly events: Readonly<Partial<Record<EventTableName, EventTable>>>;
}

/** Tables that events are put into native words by: built-in ones with the tenant's rows on them. */
export interface SendTables {
  readonly scaip: { readonly [tag in keyof typeof scaipTable]: CodeTable };
  readonly bs8521: { readonly event: EventTable; readonly location: CodeTable; readonly status: CodeTable };
  readonly ttCalls: EventTable;
}

/** Which tables say what in the events of a protocol; an element of SCAIP stands in its warnings. */
const FIELD_OF: Readonly<Record<string, readonly (readonly [FieldTableName, string])[]>> = {
  scaip: [
    ['scaip-dty', 'dty'],
    ['scaip-stc', 'stc'],
    ['scaip-lco', 'lco'],
    ['scaip-dco', 'dco'],
  ],
  bs8521: [
    ['bs8521-status', 'status'],
    ['bs8521-location', 'location'],
  ],
};
const EVENT_OF: Readonly<Record<string, readonly EventTableName[]>> = {
  bs8521: ['bs8521-event'],
  tt92: ['tt-call'],
  ttnew: ['tt-call'],
  contactId: ['contact-id-event'],
  dc09: ['sia-event', 'contact-id-event'],
  p100: ['lift-p100'],
  'cpc-antenna': ['lift-cpc'],
};
/** NOW-IP says the digits of BS 8521-1. */
const sameCodesAs = (protocol: string): string => (protocol.startsWith('nowip') ? 'bs8521' : protocol);

const BUILT_SEND: SendTables = { scaip: scaipTable, bs8521: bs8521Table, ttCalls: eventTable(TT_CALLS) };

/**
 * Code tables and mappings of codes of the tenant (protocols 2.3, 15): the built-in table, on it the tenant's row of the
 * same name, on it the one that the destination names. A row replaces the row with the same code.
 */
export class CodeTables {
  readonly #ports: Pick<TenantPorts, 'tenant'> & Pick<KernelPorts, 'log'>;
  #of: readonly ProtocolProfile[] | undefined;
  readonly #made = new Map<string, unknown>();

  constructor(ports: Pick<TenantPorts, 'tenant'> & Pick<KernelPorts, 'log'>) {
    this.#ports = ports;
  }

  /** Built-in, or the tenant's own of this name; undefined: there is none. */
  mapping(name: string): SiaMapping | undefined {
    return this.#once(`mapping ${name}`, () => {
      const { root, layers } = this.#layers('siaMapping', name);
      const built = root === undefined ? undefined : SIA_MAPPINGS[root];
      if (built === undefined) return undefined;
      const all = name === root ? layers : [...this.#layers('siaMapping', root ?? '').layers, ...layers];
      return { ...([...new Set(all)].reduce(mergeContent, built) as SiaMapping), name };
    });
  }

  /** `named`: `protocolProfile` of the bridge. */
  own(named: string | undefined): OwnCodes {
    return this.#once(`own ${named ?? ''}`, () => ({
      fields: Object.fromEntries(
        (Object.keys(FIELD_TABLES) as FieldTableName[]).flatMap((table) => {
          const rows = this.#rows(table, named);
          const compare = table.startsWith('scaip') ? 'integer' : 'text';
          return rows.length === 0 ? [] : [[table, ownCodeTable(NONE, fieldRows(rows), { compare })]];
        }),
      ),
      events: Object.fromEntries(
        EVENT_TABLES.flatMap((table) => {
          const rows = this.#rows(table, named);
          return rows.length === 0 ? [] : [[table, eventTable(eventRows(rows))]];
        }),
      ),
    }));
  }

  /** `named`: `protocolProfile` of the event sender. */
  send(named: string | undefined): SendTables {
    return this.#once(`send ${named ?? ''}`, () => {
      const field = (table: FieldTableName, built: CodeTable, compare: 'integer' | 'text') =>
        ownCodeTable(built, fieldRows(this.#rows(table, named)), { compare });
      const event = (table: EventTableName, built: EventTable) =>
        ownEventTable(built, eventRows(this.#rows(table, named)));
      const { scaip, bs8521, ttCalls } = BUILT_SEND;
      return {
        scaip: {
          dty: field('scaip-dty', scaip.dty, 'integer'),
          stc: field('scaip-stc', scaip.stc, 'integer'),
          lco: field('scaip-lco', scaip.lco, 'integer'),
          dco: field('scaip-dco', scaip.dco, 'integer'),
        },
        bs8521: {
          event: event('bs8521-event', bs8521.event),
          location: field('bs8521-location', bs8521.location, 'text'),
          status: field('bs8521-status', bs8521.status, 'text'),
        },
        ttCalls: event('tt-call', ttCalls),
      };
    });
  }

  #rows(table: CodeTableName, named: string | undefined): readonly CodeTableRow[] {
    const layers = [
      ...this.#layers('codes', table).layers,
      ...(named === undefined ? [] : this.#named(table, named)),
    ];
    const rows = new Map<string, CodeTableRow>();
    for (const layer of new Set(layers))
      for (const row of (layer as { rows: readonly CodeTableRow[] }).rows) rows.set(row.code, row);
    return [...rows.values()];
  }

  #named(table: CodeTableName, named: string): readonly unknown[] {
    const { root, layers } = this.#layers('codes', named);
    return root === table ? layers : [];
  }

  /** Contents of the rows from `name` down to a built-in one, the lowest first. */
  #layers(kind: ProtocolProfile['kind'], name: string): { root: string | undefined; layers: unknown[] } {
    const layers: unknown[] = [];
    const seen = new Set<ProtocolProfile>();
    let at = this.#ports.tenant().protocolProfile(name);
    if (at?.kind !== kind) at = undefined;
    let root = isBuiltInProfile(name, kind) ? name : undefined;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      if (isBuiltInProfile(at.extends, kind)) root = at.extends;
      const schema = codeSchema(kind, root ?? name);
      const read = schema?.safeParse(at.content);
      if (read === undefined || read.success) layers.unshift(at.content);
      else
        this.#ports.log(
          'error',
          'protocol_profile.content_ignored',
          'Ignored a protocol profile: its content did not fit its schema',
          {
            name: at.name,
          },
        );
      if (isBuiltInProfile(at.extends, kind)) break;
      at = this.#ports.tenant().protocolProfile(at.extends);
    }
    return { root, layers };
  }

  #once<Value>(key: string, make: () => Value): Value {
    const { protocolProfiles } = this.#ports.tenant();
    if (this.#of !== protocolProfiles) {
      this.#of = protocolProfiles;
      this.#made.clear();
    }
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as Value;
  }
}

const NONE: CodeTable = {
  rows: [],
  lookup: () => undefined,
  coded: (native) => ({ native, send: null, receive: null }),
  rowFor: () => undefined,
};

const fieldRows = (rows: readonly CodeTableRow[]): CodeRow[] =>
  rows.map(
    (row) => ({ key: '', meaning: '', receive: null, send: null, basis: '', ...(row as object) }) as CodeRow,
  );
const eventRows = (rows: readonly CodeTableRow[]): EventRow[] =>
  rows.map((row) => ({ meaning: '', ...(row as object) }) as EventRow);

/** An event in the words of the tenant's tables: codes without a row of its own keep what they mean. */
export function recoded<Said extends Pick<ProtocolEvent, 'event' | 'source'>>(
  said: Said,
  own: OwnCodes,
): Said {
  const protocol = sameCodesAs(said.source.protocol);
  let { event } = said;
  const settled = new Set<string>();
  for (const table of EVENT_OF[protocol] ?? []) {
    const native = event.deviceType.native;
    const row = native === null ? undefined : rowOf(own.events[table], table, native);
    const coded = row === undefined ? undefined : own.events[table]?.coded(row);
    if (native === null || coded === undefined) continue;
    const keep = (one: CodedValue): CodedValue => ({ ...one, native });
    const ended = table === 'contact-id-event' && native.startsWith('3');
    event = {
      ...event,
      deviceType: keep(coded.deviceType),
      ...(event.statusCode.native === native && !ended && { statusCode: keep(coded.statusCode) }),
      ...(coded.location !== undefined &&
        (event.location === undefined || event.location.native === native) && {
          location: keep(coded.location),
        }),
    };
    for (const part of ['event', 'callCode', 'code', 'failureCode']) settled.add(`unknownCode:${part}`);
  }
  for (const [table, part] of FIELD_OF[protocol] ?? []) {
    const field = FIELD_TABLES[table];
    const native = event[field]?.native;
    const row = native == null ? undefined : own.fields[table]?.lookup(native);
    if (native == null || row === undefined) continue;
    const { send, receive } = own.fields[table]?.coded(native) ?? { send: null, receive: null };
    event = { ...event, [field]: { native, send, receive }, ...statusOf(event, row) };
    settled.add(`unknownCode:${part}`);
  }
  if (event === said.event) return said;
  const warnings = said.source.warnings.filter((warning) => !settled.has(warning));
  return { ...said, event, source: { ...said.source, warnings } };
}

/** A device type that already says what happened. */
function statusOf(event: AlarmEvent, { receiveStatusCode }: CodeRow): Partial<AlarmEvent> {
  if (receiveStatusCode == null || event.statusCode.native !== null) return {};
  return { statusCode: { ...event.statusCode, receive: receiveStatusCode } };
}

/** Contact ID is looked up without its qualifier. */
function rowOf(table: EventTable | undefined, name: EventTableName, native: string): string | undefined {
  const code = name === 'contact-id-event' && native.length === 4 ? native.slice(1) : native;
  return table?.lookup(code) === undefined ? undefined : code;
}
