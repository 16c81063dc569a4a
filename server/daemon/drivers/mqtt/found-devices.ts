import {
  mqttActuator,
  mqttTopic,
  type MqttActuator,
  type MqttOptions,
} from '../../../contract/drivers/mqtt-options.ts';
import { mqttFound, type MqttFound } from '../../../contract/drivers/mqtt-found.ts';
import type { Entity } from './announcement.ts';
import { measurementOf } from './found-measurement.ts';

/** Maximum channels of a device. */
const mostChannels = 256;
const fullBrightness = 255;
const knownTruths = ['on', 'off', 'true', 'false', '1', '0'];

/** Groups what can be read or switched by device, and counts the rest. */
export function foundDevices(entities: readonly Entity[]): { devices: MqttFound[]; left_out: number } {
  const groups = new Map<string, MqttFound>();
  let left_out = 0;
  for (const entity of entities) {
    const part = partOf(entity);
    if (part === null || !join(groups, entity, part)) left_out += 1;
  }
  return { devices: [...groups.values()].flatMap((one) => mqttFound.safeParse(one).data ?? []), left_out };
}

type Part =
  | { kind: 'input'; topic: string; path?: string }
  | { kind: 'output'; actuator: Omit<MqttActuator, 'channel'> };

/** False when the device has no room for it. */
function join(groups: Map<string, MqttFound>, entity: Entity, part: Part): boolean {
  const availability = availabilityOf(entity);
  const { identifiers, connections, name } = entity.device ?? {};
  const key = JSON.stringify([identifiers ?? connections ?? entity.topic, part.kind, availability]);
  const title = (name ?? entity.name ?? entity.topic).slice(0, 200);
  const group = groups.get(key) ?? { name: title, kind: part.kind, options: { availability }, channels: [] };
  if (group.channels.length >= mostChannels) return false;
  groups.set(key, group);
  const channel = group.channels.length;
  const named = { channel, name: (entity.name ?? title).slice(0, 200) };
  const { options } = group;
  if (part.kind === 'output') {
    options.actuators = [...(options.actuators ?? []), { ...part.actuator, channel }];
    group.channels.push(named);
    return true;
  }
  const { topic, path } = part;
  options.values = [...(options.values ?? []), { channel, topic, path }];
  group.channels.push({ ...named, ...measurementOf(entity.device_class, entity.unit_of_measurement) });
  const { expire_after = 0 } = entity;
  if (expire_after >= 1)
    options.expire_after_s = Math.max(options.expire_after_s ?? 0, Math.min(expire_after, 604_800));
  return true;
}

function partOf(entity: Entity): Part | null {
  if (entity.component === 'sensor' || entity.component === 'binary_sensor') return valueOf(entity);
  const actuator = mqttActuator.omit({ channel: true }).safeParse(actuatorOf(entity)).data;
  return actuator ? { kind: 'output', actuator } : null;
}

function valueOf({
  component,
  state_topic,
  value_template,
  payload_on = 'ON',
  payload_off = 'OFF',
}: Entity): Part | null {
  const topic = mqttTopic.safeParse(state_topic).data;
  const at = placeOf(value_template);
  if (topic === undefined || at === null) return null;
  const words = [payload_on, payload_off].map((word) => word.toLowerCase());
  if (component === 'binary_sensor' && !words.every((word) => knownTruths.includes(word))) return null;
  return { kind: 'input', topic, ...at };
}

function actuatorOf(entity: Entity): unknown {
  switch (entity.component) {
    case 'switch':
    case 'fan':
      return switchOf(entity);
    case 'light':
      return entity.schema === 'json' ? jsonLightOf(entity) : switchOf(entity);
    case 'cover':
      return coverOf(entity);
    default:
      return null;
  }
}

function switchOf(entity: Entity): unknown {
  const { command_topic, command_template, state_topic, state_on, state_off } = entity;
  const { payload_on = 'ON', payload_off = 'OFF' } = entity;
  const at = placeOf(entity.value_template);
  if (at === null || command_template !== undefined) return null;
  return {
    kind: 'switch',
    command_topic,
    on_payload: payload_on,
    off_payload: payload_off,
    state_topic,
    state_path: at.path,
    state_on,
    state_off,
  };
}

/** Lights of the schema json: https://www.home-assistant.io/integrations/light.mqtt/#json-schema. */
function jsonLightOf({ command_topic, state_topic, brightness, brightness_scale = fullBrightness }: Entity): unknown {
  const shared = { command_topic, state_topic, state_path: 'state', state_on: 'ON', state_off: 'OFF' };
  const off_payload = JSON.stringify({ state: 'OFF' });
  if (brightness !== true)
    return { ...shared, kind: 'switch', on_payload: JSON.stringify({ state: 'ON' }), off_payload };
  const value_payload = '{"state":"ON","brightness":{value}}';
  return {
    ...shared,
    kind: 'dimmer',
    off_payload,
    value_payload,
    value_max: brightness_scale,
    value_path: 'brightness',
  };
}

/** Only covers that take a position and whose scale is not inverted. */
function coverOf(entity: Entity): unknown {
  const { set_position_topic, set_position_template, position_topic, position_template } = entity;
  const { position_open = 100, position_closed = 0 } = entity;
  const at = placeOf(position_template ?? entity.value_template);
  if (set_position_topic === undefined || set_position_template !== undefined) return null;
  if (at === null || position_closed !== 0) return null;
  return {
    kind: 'dimmer',
    command_topic: set_position_topic,
    value_max: position_open,
    state_topic: position_topic,
    state_path: at.path,
  };
}

/** The last of several topics: bridges list their own first and the device's after it. */
function availabilityOf(entity: Entity): MqttOptions['availability'] {
  const { availability_topic, availability_template, payload_available, payload_not_available } = entity;
  const single =
    availability_topic === undefined ? undefined : { topic: availability_topic, value_template: availability_template };
  const named = entity.availability?.at(-1) ?? (single && { ...single, payload_available, payload_not_available });
  const topic = mqttTopic.safeParse(named?.topic).data;
  const at = placeOf(named?.value_template);
  if (named === undefined || topic === undefined || at === null) return undefined;
  return { topic, ...at, online: named.payload_available, offline: named.payload_not_available };
}

const step = String.raw`(?:\.(\w+)|\[\s*(?:'([^'\]]*)'|"([^"\]]*)"|(\d+))\s*\])`;
const filters = String.raw`(?:\s*\|\s*(?:float|int|round|is_defined)(?:\([^()]*\))?)*`;
const plainTemplate = new RegExp(String.raw`^\{\{-?\s*value_json(${step}+)${filters}\s*-?\}\}$`);
const wholeTemplate = new RegExp(String.raw`^\{\{-?\s*value${filters}\s*-?\}\}$`);

/** The place in the message that a template reads, as a JSON pointer; null for one that does more than read. */
function placeOf(template: string | undefined): { path?: string } | null {
  const trimmed = template?.trim();
  if (trimmed === undefined || trimmed === '' || wholeTemplate.test(trimmed)) return {};
  const steps = plainTemplate.exec(trimmed)?.[1];
  if (steps === undefined) return null;
  const names = [...steps.matchAll(new RegExp(step, 'g'))].map(([, ...forms]) => forms.find(Boolean) ?? '');
  return { path: names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('') };
}
