import type { z } from 'zod';
import {
  callAnsweredSchema,
  callEventSchema,
  callFailedSchema,
  callHungupSchema,
  callNotifySchema,
  getIvrCommandSchema,
  mediaRecordingReadySchema,
  newCallSchema,
  newRemoteCallSchema,
  platformAlarmSchema,
  sessionCompletedSchema,
} from '#shared/contract/callback/index.ts';

const CONTRACT: Readonly<Record<string, z.ZodType | undefined>> = {
  '/newCall': newCallSchema.strict(),
  '/callEvent': callEventSchema.strict(),
  '/getIvrCommand': getIvrCommandSchema.strict(),
  '/callNotify': callNotifySchema.strict(),
  '/callAnswered': callAnsweredSchema.strict(),
  '/sessionCompleted': sessionCompletedSchema.strict(),
  '/newRemoteCall': newRemoteCallSchema.strict(),
  '/callFailed': callFailedSchema.strict(),
  '/callHungup': callHungupSchema.strict(),
  '/recordingReady': mediaRecordingReadySchema,
};

/**
 * The difference between a callback and its contract: a field that the description of the API does not have is one that no
 * receiver could look up. Undefined: none.
 */
export function contractFault(path: string, body: Readonly<Record<string, unknown>>): string | undefined {
  // A body that the mapping rules of a tenant have made goes to the bare address of its endpoint, too.
  const isPlatformAlarm = path === '' && 'domain' in body && 'time' in body;
  const contract = isPlatformAlarm ? platformAlarmOf(body.type) : CONTRACT[path];
  const fault = contract?.safeParse(body).error;
  return fault && `${path || 'platform alarm'} ${String(body.type ?? '')}: ${fault.message}`;
}

function platformAlarmOf(type: unknown): z.ZodType {
  const kind = platformAlarmSchema.options.find(({ shape }) => shape.type.value === type);
  return kind?.strict() ?? platformAlarmSchema;
}
