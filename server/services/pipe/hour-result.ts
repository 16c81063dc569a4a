/** What EPANET finds for one hour, by the index of node and link from 0 as they stand in the file. */
export interface HourResult {
  /** Names of nodes and links are the same every hour. */
  nodes: ReadonlyMap<string, { pressure_m: number; head_m: number; demand: number }>;
  links: ReadonlyMap<string, { flow: number; velocity_m_s: number; head_loss_m: number }>;
}
