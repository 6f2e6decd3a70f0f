/** Facts about an alarm that go with its call. */
export interface EmergencyFacts {
  /** Unique for the call; letters and digits. */
  readonly id: string;
  /** Domain of the tenant. */
  readonly domain: string;
  /** The receiver of the alarm, as its device has dialled it. */
  readonly receiver: string;
  readonly device: string;
  readonly deviceType?: string | undefined;
  readonly macAddress?: string | undefined;
  /** Site of the customer. */
  readonly site?: string | undefined;
  /** Place in the home, in words. */
  readonly place?: string | undefined;
  /** The event, in words. */
  readonly event: string;
  /** Time of the alarm, ISO 8601. */
  readonly time: string;
}
