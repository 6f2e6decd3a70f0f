export { type Atm, atmTime, decodeAtm, encodeAtm } from './atm.ts';
export {
  answerWaitMs,
  commandFor,
  decodeCommand,
  decodeProgram,
  encodeCommand,
  type NowIpCommand,
} from './command.ts';
export { meaningOf, type NowIpMeaning } from './meaning.ts';
export { NOWIP_PROFILE, type NowIpProfile } from './profile.ts';
export {
  alarmText,
  initial,
  type NowIpEffect,
  type NowIpInput,
  type NowIpReceiver,
  type NowIpStep,
  step,
} from './receiver.ts';
export { type NowIpForm, nowIpForm } from './send-form.ts';
export {
  isAsked,
  type NowIpSendEffect,
  type NowIpSendInput,
  type NowIpSending,
  type NowIpSendSetting,
  type NowIpSendStep,
  nowIpIdle,
  nowIpSending,
  stepNowIpSending,
} from './sender.ts';
