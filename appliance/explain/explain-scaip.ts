import { receivedForm } from '#shared/alarm-event/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { alarmEventOf, decodeRequest, decodeResponse, sourceEventOf } from '../alarm/protocol/scaip/index.ts';
import type { Explained } from './explained.ts';

const NOT_CHECKED = { policy: 'none', result: 'notChecked' } as const;

/** A SCAIP request (`mrq`) or answer (`mrs`). Fails with what a receiver would answer. */
export function explainScaip(body: Uint8Array): Result<Explained> {
  const answer = decodeResponse(body);
  if (answer.ok) {
    const fields = { ...answer.value };
    return ok({ protocol: 'scaip', fields, check: NOT_CHECKED, alarmEvent: null, warnings: [] });
  }
  const request = decodeRequest(body);
  if (!request.ok) {
    const { reason, snu, ref } = request.error;
    return fail('Malformed', `no SCAIP: ${reason}; a receiver answers snu ${snu} to ref ${ref}`);
  }
  const { fields, warnings, check } = sourceEventOf(request.value, NOT_CHECKED);
  const alarmEvent = request.value.messageType === 'PI' ? null : receivedForm(alarmEventOf(request.value));
  return ok({ protocol: 'scaip', fields, check, alarmEvent, warnings });
}
