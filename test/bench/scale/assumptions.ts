/** The fleet and the prices of the model: chosen, not measured. Each one is an option of the command. */
export interface Assumptions {
  readonly heartbeatS: number;
  readonly eventsPerDay: number;
  readonly eventPeak: number;
  readonly lossesPerDay: number;
  readonly keptDays: number;
  readonly pullUs: number;
  readonly eventUs: number;
  readonly coreShare: number;
  readonly connectionsPerBroker: number;
  readonly brokerKb: number;
  readonly corePrice: number;
  readonly memoryPrice: number;
  readonly diskPrice: number;
  readonly trafficPrice: number;
  readonly requestPrice: number;
}

interface Option {
  readonly name: string;
  readonly field: keyof Assumptions;
  readonly value: number;
  readonly says: string;
}

export const OPTIONS: readonly Option[] = [
  { name: 'heartbeat', field: 'heartbeatS', value: 30, says: 'seconds between two heartbeats of a host' },
  { name: 'events', field: 'eventsPerDay', value: 20, says: 'events of a host in a day' },
  { name: 'event-peak', field: 'eventPeak', value: 10, says: 'events in the busiest hour against the mean' },
  { name: 'losses', field: 'lossesPerDay', value: 1, says: 'losses of contact of a host in a day' },
  { name: 'kept-days', field: 'keptDays', value: 730, says: 'days for which events are kept' },
  {
    name: 'pull-us',
    field: 'pullUs',
    value: 2_000,
    says: 'processor time for a look for configuration over HTTPS with client certificate, µs',
  },
  { name: 'event-us', field: 'eventUs', value: 3_000, says: 'processor time of a replica for an event, µs' },
  {
    name: 'core-share',
    field: 'coreShare',
    value: 60,
    says: 'share of its core that the largest replica may use when one is lost, %',
  },
  { name: 'connections', field: 'connectionsPerBroker', value: 100_000, says: 'hosts at one broker' },
  { name: 'broker-kb', field: 'brokerKb', value: 40, says: 'memory of a broker for a TLS connection, kB' },
  { name: 'core-price', field: 'corePrice', value: 15, says: 'price of a core for a month' },
  { name: 'memory-price', field: 'memoryPrice', value: 3, says: 'price of 1 GB of memory for a month' },
  { name: 'disk-price', field: 'diskPrice', value: 0.1, says: 'price of 1 GB of disk for a month' },
  {
    name: 'traffic-price',
    field: 'trafficPrice',
    value: 0,
    says: 'price of 1 GB of traffic of hosts; many providers charge none that comes in',
  },
  {
    name: 'request-price',
    field: 'requestPrice',
    value: 0.2,
    says: 'price of a million HTTPS requests at the load balancer',
  },
];

export const CHOSEN = Object.fromEntries(
  OPTIONS.map(({ field, value }) => [field, value]),
) as unknown as Assumptions;
