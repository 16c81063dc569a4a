/** EPANET's results for one hour; nodes and links keep their order in the file. */
export interface HourResult {
  /** Names of nodes and links are the same every hour. */
  nodes: ReadonlyMap<string, { pressure_m: number; head_m: number; demand: number }>;
  links: ReadonlyMap<string, { flow: number; velocity_m_s: number; head_loss_m: number }>;
}
