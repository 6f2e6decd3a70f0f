import { type Bs8521Fields, decodeBs8521 } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { Atm } from './atm.ts';
import { decodeCommand, decodeProgram, type NowIpCommand } from './command.ts';

/** The meaning of a message, by its type. */
export type NowIpMeaning =
  | { readonly kind: 'heartbeat'; readonly controllerId: string; readonly unitId: string }
  | { readonly kind: 'alarm'; readonly fields: Bs8521Fields }
  | { readonly kind: 'command'; readonly command: NowIpCommand }
  /** 5: the device does not do it. */
  | { readonly kind: 'rejected' }
  /** 6: ask again after a second. */
  | { readonly kind: 'busy' }
  /** 7 and 9: digits as in the answer of BS 8521-1; null = a quick command failed. */
  | { readonly kind: 'response'; readonly digits: string | null }
  | { readonly kind: 'acknowledge' };

/** Data of a quick command that failed. */
export const FAILED = '99999';

export function meaningOf({ type, data }: Atm): Result<NowIpMeaning, Failure<'Malformed'>> {
  switch (type) {
    case '0': {
      const [, controllerId = '', unitId = ''] = /^(\d{8})(\d{4})$/.exec(data) ?? [];
      return controllerId === ''
        ? fail('Malformed', 'a heartbeat is not controller and unit', '/data')
        : ok({ kind: 'heartbeat', controllerId, unitId });
    }
    case '1': {
      const fields = decodeBs8521(data);
      return fields.ok ? ok({ kind: 'alarm', fields: fields.value }) : fields;
    }
    case '2': {
      const command = decodeCommand(data);
      return command.ok ? ok({ kind: 'command', command: command.value }) : command;
    }
    case '8': {
      const command = decodeProgram(data);
      return command.ok ? ok({ kind: 'command', command: command.value }) : command;
    }
    case '5':
      return ok({ kind: 'rejected' });
    case '6':
      return ok({ kind: 'busy' });
    case '7':
    case '9':
      return ok({ kind: 'response', digits: data === FAILED ? null : data });
    case 'A':
      return ok({ kind: 'acknowledge' });
    default:
      return fail('Malformed', `type ${type} is not known`, '/type');
  }
}
