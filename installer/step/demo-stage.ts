import type { Programs, RunningAppliance, RunningArc } from '../program.ts';
import type { DemoApi } from './demo-online.ts';

/** The programs and addresses that an alarm of the demo uses. */
export interface DemoStage {
  readonly programs: Programs;
  readonly arc: RunningArc;
  readonly appliance: RunningAppliance;
  /** `host:port` of SIP. */
  readonly to: string;
  /** SIP password of the demo's telephones. */
  readonly telephonePassword: string;
  /** Where the records of the alarms are read. */
  readonly api: DemoApi;
}
