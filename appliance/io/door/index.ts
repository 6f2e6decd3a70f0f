export { type DoorSetting, Doors } from './doors.ts';
