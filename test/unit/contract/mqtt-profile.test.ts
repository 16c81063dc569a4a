import { describe, expect, it } from 'vitest';
import { mqtt } from '../../../server/contract/drivers/mqtt.ts';
import { mqttOptions } from '../../../server/contract/drivers/mqtt-options.ts';
import { mqttProfiles, optionsOfProfile } from '../../../server/contract/drivers/mqtt-profile.ts';

describe.each(mqttProfiles.map((profile) => [profile.id, profile] as const))('the profile %s', (_, profile) => {
  const filled = optionsOfProfile(profile, 'bench');
  const options = mqttOptions.safeParse({ host: 'broker', ...filled });

  it('gives options that the driver takes, for the topic of one device', () => {
    expect(options.error).toBeUndefined();
    expect(JSON.stringify(filled)).not.toContain('{topic}');
    expect(JSON.stringify(filled)).toContain('bench');
  });

  it('says what its channels are, and where that was read', () => {
    const offers = profile.kind === 'input' ? mqtt.input : mqtt.output;
    const channels = options.success ? offers(options.data).map(({ channel }) => String(channel)) : [];
    expect(channels.length).toBeGreaterThan(0);
    expect(channels).toEqual(expect.arrayContaining(Object.keys(profile.channels)));
    expect(profile.source).toMatch(/^https:\/\//);
  });
});

it('a topic with signs of its own is taken as it is', () => {
  const [relay] = mqttProfiles;
  expect(relay && optionsOfProfile(relay, "a$&b$'").actuators?.[0]?.command_topic).toBe("cmnd/a$&b$'/POWER");
});
