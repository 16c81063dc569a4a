export const safety = {
  title: 'Safety',
  text: 'What holds outputs back, whoever commands them. The emergency stop goes before all of it.',
  now: {
    title: 'Held now',
    text: 'As the control service tells it at this moment.',
    none: 'No rule and no override holds an output.',
    away: 'The control service does not answer: what is held is not known.',
  },
  limits: {
    title: 'Weather and temperature',
    text: 'Beyond these the house raises an alarm and the control service acts at once, against every command. They hold from the next reading.',
    acts: {
      wind_m_s: 'Closes roof and side vents until the wind has been below nine tenths of it for 5 minutes',
      rain: 'Closes roof and side vents until it has been dry for 5 minutes; in the unit of the sensor',
      frost_c: 'Closes vents until the house has been a degree warmer for a minute',
      over_temperature_c: 'Stops heaters until the house has been a degree cooler for a minute',
    },
  },
  control: {
    title: 'Automatic control',
    stale: 'Silent sensors',
    staleText:
      'A reading is trusted for {periods} periods of its sensor, and for {seconds} s at least. Without a trusted indoor thermometer or wind sensor, what programs drive by it goes to its safe state; a person may still switch it.',
    hold: 'A manual command holds for',
    holdText:
      'So long automatic control waits after somebody switched an output that it drives. {range}; 0: not at all.',
  },
  current: {
    title: 'Current of the site',
    name: 'Current limit',
    text: 'Nothing is switched on that would draw more than this with what is on. What is on stays on.',
    none: 'no limit',
    now: 'On or not known now: {drawn}. Counted is no output. | On or not known now: {drawn}. Counted is {n} output with a known current. | On or not known now: {drawn}. Counted are {n} outputs with a known current.',
  },
  interlocks: {
    title: 'Interlocks',
    text: 'While one output is on or open, another may not be: no heating out of an open roof.',
    none: 'No interlock yet.',
    add: 'Add interlock',
    addTitle: 'Add an interlock',
    editTitle: 'Change “{name}”',
    removeText: 'Both outputs may then be on at the same time.',
    whileOutput: 'While this output',
    above: 'stands above',
    aboveHint: '0 to 100 %; on counts as 100 %',
    forbids: 'this one may not be on',
    mutual: 'The other way round too',
    says: 'While {one} stands above {above}, {other} may not be on.',
    saysMutual: 'While {one} stands above {above}, {other} may not be on, nor {one} while {other} is on.',
    same: 'Choose two different outputs.',
    gone: 'an output that is gone',
  },
};
