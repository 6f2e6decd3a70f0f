/** Costs of one unit of work; `npm run bench hosts-replicas` prints them in this form. */
export interface Costs {
  /** Machine, load and date of the measurement, or what stands in for it. */
  readonly measured: string;
  /** Processor time of a replica for a heartbeat, µs. */
  readonly heartbeatUs: number;
  /** Processor time of a replica without hosts, ms a second, and its memory, MB. */
  readonly idleMsPerS: number;
  readonly idleMb: number;
  /** Memory of a replica for a host, kB. */
  readonly hostKb: number;
  /** Processor time of Mosquitto for a heartbeat, µs: it comes and is passed on to the owner. */
  readonly brokerUs: number;
  /** Processor time of PostgreSQL for a replica without hosts, ms a second, and for a row that is written, µs. */
  readonly idleDatabaseMsPerS: number;
  readonly rowUs: number;
  /** Bytes of the log of PostgreSQL for a row. */
  readonly rowLogBytes: number;
  /** Space in the database for a host, and for an event, bytes. */
  readonly hostBytes: number;
  readonly eventBytes: number;
}

export const COSTS: Costs = {
  measured: '10,000 hosts at one replica, two slow cores (AMD EPYC), 2026-12-01',
  heartbeatUs: 110,
  idleMsPerS: 8.6,
  idleMb: 124,
  hostKb: 13.4,
  brokerUs: 154,
  idleDatabaseMsPerS: 17.5,
  rowUs: 388,
  rowLogBytes: 811,
  hostBytes: 14_327,
  eventBytes: 735,
};
