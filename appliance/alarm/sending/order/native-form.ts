import type { AlarmEvent, Bs8521Fields, SourceAlarmEvent } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { ProfileTables } from '../../profile/index.ts';
import { bs8521Form } from '../../protocol/bs8521/index.ts';
import { type Dc09Said, dc09Form } from '../../protocol/dc09/index.ts';
import { type NowIpForm, nowIpForm } from '../../protocol/nowip/index.ts';
import { type ScaipRequestForm, scaipForm } from '../../protocol/scaip/index.ts';
import { type TtForm, ttForm, ttUnitForm } from '../../protocol/tt/index.ts';
import type { SendReference } from './send-order.ts';
import type { SendTarget } from './send-target.ts';

/** The event in the words of the target, made once: every try says the same. */
export type NativeForm =
  | { readonly kind: 'scaip'; readonly form: ScaipRequestForm }
  | { readonly kind: 'nowip'; readonly form: NowIpForm }
  | { readonly kind: 'bs8521'; readonly fields: Bs8521Fields }
  | { readonly kind: 'tt'; readonly name: 'tt92' | 'ttnew'; readonly form: TtForm }
  | { readonly kind: 'dc09'; readonly said: Dc09Said }
  | { readonly kind: 'callback' }
  | { readonly kind: 'voicecall' };

/** The words of a target by a tenant's profiles. */
export type FormProfiles = Pick<ProfileTables, 'codes' | 'bs8521'>;

/** Puts an event in the words of its target. `notExpressible`: the protocol has none for it. */
export function nativeForm(
  { protocol, mapper }: SendTarget,
  { event, source }: { readonly event: AlarmEvent; readonly source?: SourceAlarmEvent },
  { ref }: SendReference,
  { codes, bs8521 }: FormProfiles,
): Result<NativeForm, Failure<'notExpressible'>> {
  const from = source === undefined ? {} : { source };
  const tables = codes.send(mapper?.protocolProfile);
  switch (protocol) {
    case 'scaip': {
      const shown = mapper?.callerId === undefined ? event : { ...event, callerId: mapper.callerId };
      const made = scaipForm(shown, { ref, ...from, tables: tables.scaip });
      return made.ok ? ok({ kind: 'scaip', form: made.value }) : made;
    }
    case 'nowip': {
      const made = nowIpForm(event, { ...from, setting: { tables: tables.bs8521 } });
      return made.ok ? ok({ kind: 'nowip', form: made.value }) : made;
    }
    case 'bs8521': {
      const { nonSpeechStatus = false } = bs8521(mapper?.protocolProfile);
      const made = bs8521Form(event, { ...from, setting: { tables: tables.bs8521, nonSpeechStatus } });
      return made.ok ? ok({ kind: 'bs8521', fields: made.value }) : made;
    }
    case 'tt92':
    case 'ttnew': {
      const context = { ...from, calls: tables.ttCalls };
      const unit = ttUnitForm(event, context);
      const made = unit === undefined ? ttForm(event, context) : ok(undefined);
      return made.ok ? ok({ kind: 'tt', name: protocol, form: unit ?? { line: made.value ?? '' } }) : made;
    }
    case 'sia-dcs':
    case 'adm-cid': {
      const endpoint = mapper?.targetEndpoint;
      const name = endpoint !== undefined && 'siaMapping' in endpoint ? endpoint.siaMapping : undefined;
      const dc09 = endpoint !== undefined && 'dc09' in endpoint ? endpoint.dc09 : undefined;
      const mapping = codes.mapping(name ?? 'default');
      if (name !== undefined && mapping === undefined)
        return fail('notExpressible', `siaMapping ${name} is not known to this site`);
      const made = dc09Form(event, {
        token: protocol === 'sia-dcs' ? 'SIA-DCS' : 'ADM-CID',
        ...from,
        ...(mapping !== undefined && { mapping }),
        ...(dc09?.account !== undefined && { account: dc09.account }),
      });
      return made.ok ? ok({ kind: 'dc09', said: made.value }) : made;
    }
    case 'callback':
      return ok({ kind: 'callback' });
    case 'voicecall':
      return ok({ kind: 'voicecall' });
  }
}
