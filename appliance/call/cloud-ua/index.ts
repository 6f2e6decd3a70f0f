/** Public face of cloud SIP user agents at work. */
export { CloudUaDesk } from './cloud-ua-desk.ts';
