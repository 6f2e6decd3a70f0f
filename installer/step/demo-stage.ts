import type { Programs, RunningAppliance, RunningArc } from '../program.ts';

/** What an alarm of the demo plays on. */
export interface DemoStage {
  readonly programs: Programs;
  readonly arc: RunningArc;
  readonly appliance: RunningAppliance;
  /** `host:port` of SIP. */
  readonly to: string;
  /** SIP password of the demo's telephones. */
  readonly telephonePassword: string;
}
