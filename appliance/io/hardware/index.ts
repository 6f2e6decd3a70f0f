export { readHardware } from './hardware.ts';
