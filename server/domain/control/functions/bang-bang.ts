/** When an output with two states switches. Levels in the unit of the measurement. */
export interface BangBang {
  setpoint: number;
  /** It switches so far beyond the setpoint, to either side; 0 and more. */
  hysteresis: number;
  /** What the output does to the measurement. */
  direction: 'raise' | 'lower';
}

/** Whether the output is to be on. Between the two levels it stays as it was. */
export function bangBang(isOn: boolean, { setpoint, hysteresis, direction }: BangBang, value: number): boolean {
  if (value < setpoint - hysteresis) return direction === 'raise';
  if (value > setpoint + hysteresis) return direction === 'lower';
  return isOn;
}
