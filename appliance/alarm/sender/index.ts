export {
  type DestinationWatch,
  destinationWatch,
  stepDestinationWatch,
  WATCH_SETTING,
  type WatchEffect,
  type WatchInput,
  type WatchSetting,
  type WatchStep,
} from './destination-watch.ts';
export { type IdentitySetting, shapedIdentity } from './identity.ts';
export {
  SENDING_SETTING,
  type SendingEffect,
  type SendingInput,
  type SendingSession,
  type SendingSetting,
  type SendingStep,
  type SendingTimer,
  type SendRoute,
  sendingSession,
  stepSendingSession,
} from './sending-session.ts';
