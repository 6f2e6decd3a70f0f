/** The meaning of one event code; words of either list of the API. */
export interface LacsMeaning {
  readonly deviceType?: string;
  readonly statusCode?: string;
  readonly location?: string;
  readonly audio?: 'none' | 'simplex' | 'duplex';
}

/** LACS (profile kind `xml`): no schema is public, so everything is the customer's to say. Off until it is said. */
export interface LacsProfile {
  /** Root element of a request; '' = any. */
  readonly requestRoot: string;
  readonly contentTypesAccepted: readonly string[];
  /** Names of elements from the root's children down, separated by `/`; '' = the request does not say it. */
  readonly fieldPaths: {
    readonly controllerId: string;
    readonly deviceId: string;
    readonly eventCode: string;
    readonly reference: string;
    readonly time: string;
    readonly location: string;
    readonly callback: string;
  };
  readonly events: Readonly<Record<string, LacsMeaning>>;
  readonly reply: {
    /** Root element of the answer, where `template` is empty; both empty = no answer. */
    readonly root: string;
    /** XML of the answer: `{{field}}` is a field of the request, `{{callback}}` the number to call. */
    readonly template: string;
    readonly contentType: string;
  };
  readonly responseMode: 'message' | 'in200' | 'both';
  /** How long a device waits for the answer, ms: later none is sent, the repeat gets it. */
  readonly ackWithinMs: number;
}

export const LACS_PROFILE: LacsProfile = Object.freeze({
  requestRoot: '',
  contentTypesAccepted: Object.freeze(['*']),
  fieldPaths: Object.freeze({
    controllerId: '',
    deviceId: '',
    eventCode: '',
    reference: '',
    time: '',
    location: '',
    callback: '',
  }),
  events: Object.freeze({}),
  reply: Object.freeze({ root: '', template: '', contentType: 'application/xml' }),
  responseMode: 'message',
  // Chosen: as for SCAIP.
  ackWithinMs: 10_000,
});
