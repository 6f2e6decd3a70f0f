/**
 * One coded field: what stood on the wire, and what the send list (runtime API document 2.1) and the receive
 * list (2.2) call it. null = not there, or no word in that list.
 */
export interface CodedValue {
  readonly native: string | null;
  readonly send: string | null;
  readonly receive: string | null;
}

/** The alarm event as the product holds it, whatever protocol it came by or will leave by. */
export interface AlarmEvent {
  readonly controllerId: string;
  readonly deviceId?: string;
  readonly deviceType: CodedValue;
  readonly statusCode: CodedValue;
  readonly location?: CodedValue;
  readonly deviceComponent?: CodedValue;
  readonly systemConfig?: CodedValue;
  /** Speech the device wants after the event. */
  readonly audio: 'none' | 'simplex' | 'duplex';
  /** 0 lowest to 9 highest; 0 where the protocol has none. */
  readonly priority: number;
  readonly callerId?: string;
  readonly customerSiteId?: string;
}

/** The native event beside the translated one: nothing a device said is lost. Never holds keys or passwords. */
export interface SourceAlarmEvent {
  /** Protocol value of the API: `scaip`, `bs8521`, `dc09` … */
  readonly protocol: string;
  /** Digit string, XML or frame as received. */
  readonly raw: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly check: { readonly policy: string; readonly result: string };
  readonly warnings: readonly string[];
}
