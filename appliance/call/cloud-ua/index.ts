/** Public face of cloud SIP user agents at work. */
export { CloudUserAgents } from './cloud-user-agents.ts';
