import { describe, expect, it } from 'vitest';
import { mqttFound } from '../../../../server/contract/drivers/mqtt-found.ts';
import { entitiesIn } from '../../../../server/daemon/drivers/mqtt/announcement.ts';
import { foundDevices } from '../../../../server/daemon/drivers/mqtt/found-devices.ts';

type Announcement = readonly [topic: string, config: unknown];

function found(...announcements: Announcement[]) {
  const sent = ([topic, config]: Announcement) => entitiesIn(topic, Buffer.from(JSON.stringify(config)));
  const { devices, left_out } = foundDevices(announcements.flatMap(sent));
  for (const device of devices) expect(mqttFound.safeParse(device).error).toBeUndefined();
  return { devices, left_out };
}

/** One entity, as what it becomes; undefined where it is left out. */
const one = (component: string, config: unknown) => found([`homeassistant/${component}/x/config`, config]).devices[0];
const valueOf = (config: unknown) => one('sensor', config)?.options.values?.[0];
const actuatorOf = (component: string, config: unknown) => one(component, config)?.options.actuators?.[0];

const device = { ids: ['esp-1'], name: 'Bench' };

describe('devices that announce themselves', () => {
  it('are one input and one output each, in long and in short words', () => {
    const lwt = { avty_t: '~status', dev: device };
    expect(
      found(
        [
          'homeassistant/sensor/bench/t/config',
          {
            '~': 'bench/',
            name: 'Air',
            stat_t: '~t/state',
            dev_cla: 'temperature',
            unit_of_meas: '°C',
            exp_aft: 60,
            ...lwt,
          },
        ],
        [
          'homeassistant/sensor/bench/h/config',
          {
            name: 'RH',
            state_topic: 'bench/h',
            device_class: 'humidity',
            unit_of_measurement: '%',
            availability_topic: 'bench/status',
            device: { identifiers: ['esp-1'], name: 'Bench' },
          },
        ],
        [
          'homeassistant/switch/bench/pump/config',
          { '~': 'bench/', name: 'Pump', cmd_t: '~pump/command', stat_t: '~pump/state', ...lwt },
        ],
      ),
    ).toEqual({
      left_out: 0,
      devices: [
        {
          name: 'Bench',
          kind: 'input',
          options: {
            availability: { topic: 'bench/status' },
            expire_after_s: 60,
            values: [
              { channel: 0, topic: 'bench/t/state' },
              { channel: 1, topic: 'bench/h' },
            ],
          },
          channels: [
            { channel: 0, name: 'Air', measurement: 'temperature' },
            { channel: 1, name: 'RH', measurement: 'humidity' },
          ],
        },
        {
          name: 'Bench',
          kind: 'output',
          options: {
            availability: { topic: 'bench/status' },
            actuators: [
              {
                channel: 0,
                kind: 'switch',
                command_topic: 'bench/pump/command',
                state_topic: 'bench/pump/state',
                on_payload: 'ON',
                off_payload: 'OFF',
              },
            ],
          },
          channels: [{ channel: 0, name: 'Pump' }],
        },
      ],
    });
  });

  it('may say of what is not there that it is null', () => {
    const config = { cmd_t: 'c', stat_t: 's', name: null, val_tpl: null, dev: { ...device, name: 'Lamp' } };
    expect(one('switch', config)).toMatchObject({ name: 'Lamp', channels: [{ channel: 0, name: 'Lamp' }] });
    const light = { schema: 'json', cmd_t: 'c', brightness: true, bri_scl: null };
    expect(actuatorOf('light', light)).toMatchObject({ value_max: 255 });
  });

  it('may announce all that they have at once', () => {
    const components = {
      a: { p: 'sensor', stat_t: 'bench/s', val_tpl: '{{ value_json.a }}', dev_cla: 'power', unit_of_meas: 'kW' },
      b: { p: 'switch', cmd_t: 'bench/set' },
      c: { p: 'button', cmd_t: 'bench/press' },
    };
    const { devices, left_out } = found(['homeassistant/device/bench/config', { dev: device, cmps: components }]);
    expect(devices.map(({ kind }) => kind)).toEqual(['input', 'output']);
    expect(devices[0]?.channels[0]).toMatchObject({ measurement: 'power', raw_unit: 'kW' });
    expect(left_out).toBe(1);
  });

  it.each([
    ['{{ value_json.ENERGY.Power }}', '/ENERGY/Power'],
    ["{{value_json['DS18B20-1'].Temperature | float | round(1)}}", '/DS18B20-1/Temperature'],
    ['{{ value_json["a/b"][0] }}', '/a~1b/0'],
    ['{{ value | float }}', undefined],
    ['', undefined],
  ])('with the template %s are looked up', (template, path) => {
    expect(valueOf({ stat_t: 's', val_tpl: template })).toEqual({ channel: 0, topic: 's', ...(path && { path }) });
  });

  it.each([
    ['computes', 'sensor', { stat_t: 's', val_tpl: '{{ value_json.a * 2 }}' }],
    ['decides', 'sensor', { stat_t: 's', val_tpl: "{% if value == 'x' %}1{% endif %}" }],
    ['runs code', 'sensor', { stat_t: 's', val_tpl: "{{ value_json.__class__.__init__('x') }}" }],
    ['has no topic', 'sensor', {}],
    ['has a topic with wildcards', 'sensor', { stat_t: 'a/#' }],
    ['has words that are no truth', 'binary_sensor', { stat_t: 's', pl_on: 'open', pl_off: 'closed' }],
    ['has a command of its own', 'switch', { cmd_t: 'c', command_template: '{{ value }}!' }],
    ['moves without a position', 'cover', { cmd_t: 'c' }],
    ['is turned round', 'cover', { set_pos_t: 'c', pos_open: 0, pos_clsd: 100 }],
    ['is no such thing', 'climate', { cmd_t: 'c' }],
  ])('what %s is left out', (_, component, config) => {
    expect(found([`homeassistant/${component}/x/config`, config])).toEqual({ devices: [], left_out: 1 });
  });

  it('of two places where they are said to be there the last is theirs', () => {
    const avty = [{ t: 'bridge/state' }, { t: 'lamp/availability', val_tpl: '{{ value_json.state }}', pl_avail: 'up' }];
    expect(one('switch', { cmd_t: 'c', avty })?.options.availability).toEqual({
      topic: 'lamp/availability',
      path: '/state',
      online: 'up',
    });
  });

  it('as lights and covers are positions', () => {
    expect(actuatorOf('light', { schema: 'json', cmd_t: 'c', stat_t: 's', brightness: true })).toMatchObject({
      kind: 'dimmer',
      value_max: 255,
      value_payload: '{"state":"ON","brightness":{value}}',
      off_payload: '{"state":"OFF"}',
      state_path: 'state',
      state_off: 'OFF',
      value_path: 'brightness',
    });
    expect(actuatorOf('cover', { set_pos_t: 'c', pos_t: 'p', pos_tpl: '{{ value_json.position }}' })).toEqual({
      channel: 0,
      kind: 'dimmer',
      command_topic: 'c',
      value_max: 100,
      state_topic: 'p',
      state_path: '/position',
    });
  });

  it.each([
    ['no JSON', Buffer.from('{')],
    ['a list', Buffer.from('[1]')],
    ['nothing', Buffer.alloc(0)],
    ['a deep nesting', Buffer.from(`${'{"device":'.repeat(9_000)}1${'}'.repeat(9_000)}`)],
    ['names of objects', Buffer.from('{"__proto__":{"state_topic":"x"},"constructor":{"name":1}}')],
  ])('harm nobody by %s', (_, payload) => {
    const entities = entitiesIn('homeassistant/sensor/x/config', payload);
    expect(foundDevices(entities).devices).toEqual([]);
  });
});
