import { z } from 'zod';

/**
 * How devices announce themselves to Home Assistant, https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery:
 * one retained message for each entity on `homeassistant/COMPONENT/[NODE/]OBJECT/config`, or one for each device on
 * `homeassistant/device/OBJECT/config`.
 */
export const announcements = ['homeassistant/+/+/config', 'homeassistant/+/+/+/config'];

/** The short forms of the keys that are read here; the same page lists all. */
const longForms: Readonly<Record<string, string>> = {
  avty: 'availability',
  avty_t: 'availability_topic',
  avty_tpl: 'availability_template',
  pl_avail: 'payload_available',
  pl_not_avail: 'payload_not_available',
  exp_aft: 'expire_after',
  bri_scl: 'brightness_scale',
  cmd_t: 'command_topic',
  cmps: 'components',
  dev: 'device',
  dev_cla: 'device_class',
  ids: 'identifiers',
  cns: 'connections',
  p: 'platform',
  pl_on: 'payload_on',
  pl_off: 'payload_off',
  pos_clsd: 'position_closed',
  pos_open: 'position_open',
  pos_t: 'position_topic',
  pos_tpl: 'position_template',
  set_pos_t: 'set_position_topic',
  stat_on: 'state_on',
  stat_off: 'state_off',
  stat_t: 'state_topic',
  t: 'topic',
  unit_of_meas: 'unit_of_measurement',
  uniq_id: 'unique_id',
  val_tpl: 'value_template',
};

/** null counts as absent: Zigbee2MQTT sends it for an entity named like its device. */
const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).optional().catch(undefined);
const number = text
  .transform((written) => (written ? Number(written) : undefined))
  .pipe(z.number().optional().catch(undefined));
const available = z.object({
  topic: z.string(),
  value_template: text,
  payload_available: text,
  payload_not_available: text,
});

const entity = z.object({
  name: text,
  device_class: text,
  unit_of_measurement: text,
  expire_after: number,
  schema: text,
  state_topic: text,
  value_template: text,
  state_on: text,
  state_off: text,
  command_topic: text,
  command_template: text,
  payload_on: text,
  payload_off: text,
  set_position_topic: text,
  set_position_template: text,
  position_topic: text,
  position_template: text,
  position_open: number,
  position_closed: number,
  brightness: z.boolean().optional().catch(undefined),
  brightness_scale: number,
  availability_topic: text,
  availability_template: text,
  payload_available: text,
  payload_not_available: text,
  availability: z
    .union([available.transform((one) => [one]), z.array(available)])
    .optional()
    .catch(undefined),
  device: z
    .object({ name: text, identifiers: z.json().optional(), connections: z.json().optional() })
    .optional()
    .catch(undefined),
});

/** An announced entity that can be read or switched. */
export interface Entity extends z.infer<typeof entity> {
  component: string;
  /** The topic of the announcement. */
  topic: string;
}

const fields = z.record(z.string(), z.unknown());

/** The entities of one announcement; none when it is not valid. */
export function entitiesIn(topic: string, payload: Buffer): Entity[] {
  const [, component = '', object = ''] = topic.split('/');
  const sent = parsed(payload);
  if (sent === undefined) return [];
  if (component !== 'device') return entityOf(sent, { component, topic });
  const { components, ...shared } = sent;
  return Object.entries(fields.safeParse(components).data ?? {}).flatMap(([name, one]) => {
    const own = fields.safeParse(one).data ?? {};
    return entityOf({ ...shared, ...own }, { component: String(own['platform']), topic: `${object}/${name}` });
  });
}

function parsed(payload: Buffer): Record<string, unknown> | undefined {
  try {
    return fields.safeParse(spelledOut(JSON.parse(payload.toString('utf8')), '', 0)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const deepest = 6;

/** With long keys, and with `~` replaced in topics. */
function spelledOut(value: unknown, outerBase: string, depth: number): unknown {
  if (depth > deepest) return undefined;
  if (Array.isArray(value)) return value.map((one) => spelledOut(one, outerBase, depth + 1));
  if (typeof value === 'string') {
    if (value.startsWith('~')) return outerBase + value.slice(1);
    return value.endsWith('~') ? value.slice(0, -1) + outerBase : value;
  }
  const group = fields.safeParse(value).data;
  if (group === undefined) return value;
  const base = typeof group['~'] === 'string' ? group['~'] : outerBase;
  const entries = Object.entries(group).map(([key, inner]) => {
    const long = Object.hasOwn(longForms, key) ? (longForms[key] ?? key) : key;
    return [long, key === '~' ? inner : spelledOut(inner, base, depth + 1)] as const;
  });
  return Object.fromEntries(entries);
}

function entityOf(sent: unknown, about: Pick<Entity, 'component' | 'topic'>): Entity[] {
  const read = entity.safeParse(sent).data;
  return read === undefined ? [] : [{ ...read, ...about }];
}
