/** When an output with two states switches. Levels in the unit of the measurement. */
export interface BangBang {
  setpoint: number;
  /** How far beyond the setpoint, to either side, it switches; 0 and more. */
  hysteresis: number;
  /** The output's effect on the measurement. */
  direction: 'raise' | 'lower';
}

/** Whether the output should be on. Between the two levels it stays as it was. */
export function bangBang(isOn: boolean, { setpoint, hysteresis, direction }: BangBang, value: number): boolean {
  if (value < setpoint - hysteresis) return direction === 'raise';
  if (value > setpoint + hysteresis) return direction === 'lower';
  return isOn;
}
