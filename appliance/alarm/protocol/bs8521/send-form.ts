import {
  type AlarmEvent,
  type Bs8521Fields,
  type Bs8521SendSetting,
  forwardedBs8521,
  type SourceAlarmEvent,
} from '#shared/alarm-event/index.ts';
import { type Failure, fail, type Result } from '#shared/result.ts';

/** The common event as the fields of a line; codes of BS 8521-1 and NOW-IP go on as they came. */
export function bs8521Form(
  event: AlarmEvent,
  context: { readonly source?: SourceAlarmEvent; readonly setting?: Bs8521SendSetting } = {},
): Result<Bs8521Fields, Failure<'notExpressible'>> {
  const made = forwardedBs8521(event, context.source, context.setting);
  return made.ok ? made : fail('notExpressible', made.error.reason, made.error.path);
}
