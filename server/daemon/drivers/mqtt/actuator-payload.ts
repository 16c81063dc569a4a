import type { MqttActuator } from '../../../contract/drivers/mqtt-options.ts';
import type { OutputValue } from '../driver.ts';
import { numberAt, textAt } from '../payload.ts';

const on = 'ON';
const off = 'OFF';
const full = 100;
/** A range with fewer steps than percent, such as 0 to 1, is expressed in fractions. */
const decimals = 3;

type Meaning = { kind: 'switch'; isOn: boolean } | { kind: 'dimmer'; raw: number };

/** A value in the device's own numbers. */
function meaningOf({ kind, value_max = full }: MqttActuator, value: OutputValue): Meaning {
  const pct = value === 'on' ? full : value === 'off' ? 0 : value;
  if (kind === 'switch') return { kind, isOn: pct > 0 };
  const factor = value_max >= full ? 1 : 10 ** decimals;
  return { kind, raw: Math.round(((pct * value_max) / full) * factor) / factor };
}

/** The payload that brings a device to a value. */
export function commandOf(actuator: MqttActuator, value: OutputValue): string {
  const { on_payload = on, off_payload, value_payload = '{value}' } = actuator;
  const meaning = meaningOf(actuator, value);
  if (meaning.kind === 'switch') return meaning.isOn ? on_payload : (off_payload ?? off);
  if (meaning.raw === 0 && off_payload !== undefined) return off_payload;
  return value_payload.replaceAll('{value}', String(meaning.raw));
}

/** The state that a message reports; null when it is not understood, undefined when the message does not mention it. */
export function stateIn(actuator: MqttActuator, payload: Buffer): OutputValue | null | undefined {
  const { kind, state_path, value_path, value_max = full } = actuator;
  const { state_on = actuator.on_payload ?? on, state_off = actuator.off_payload ?? off } = actuator;
  const word = textAt(payload, state_path);
  if (word === state_off) return 'off';
  if (kind === 'switch') return word === state_on ? 'on' : word === undefined ? undefined : null;
  const number = numberAt(payload, value_path ?? state_path);
  if (number === undefined || number === null) return number;
  if (number < 0 || number > value_max) return null;
  return number === 0 ? 'off' : (number * full) / value_max;
}

/** Whether a device reached the value that was sent, as exactly as its own numbers can express. */
export function isThere(actuator: MqttActuator, state: OutputValue, told: OutputValue): boolean {
  const [is, shouldBe] = [meaningOf(actuator, state), meaningOf(actuator, told)];
  if (is.kind === 'switch') return shouldBe.kind === 'switch' && is.isOn === shouldBe.isOn;
  return shouldBe.kind === 'dimmer' && is.raw === shouldBe.raw;
}
