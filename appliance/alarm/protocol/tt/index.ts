export { CLEAR_UNIT, type CommandContext, encodeCommand } from './command.ts';
export {
  isTtOccupied,
  stepTtControllerCall,
  type TtControllerEffect,
  type TtControllerInput,
  ttControllerCall,
} from './controller-call.ts';
export {
  decodeGroupAlarm,
  decodeSelected,
  encodeGroupAlarm,
  type GroupAlarm,
  isCleared,
  selectUnit,
} from './group.ts';
export {
  decodeLine,
  encodeLine,
  groupEvent,
  isGroup,
  switchesSpeech,
  type TtFields,
  type TtLine,
  ttProtocol,
} from './line.ts';
export { TT92_COMBINED, TT92_PROFILE, TTNEW_PROFILE, type TtProfile } from './profile.ts';
export { stepTtScheme, type TtScheme, type TtSchemeTimer, ttScheme } from './scheme.ts';
export { type TtForm, type TtSendContext, ttForm, ttUnitForm } from './send-form.ts';
export {
  stepTtSending,
  type TtSendEffect,
  type TtSendInput,
  type TtSending,
  type TtSendStep,
  ttAlarmString,
  ttIdle,
  ttSending,
} from './sender.ts';
