export const safety = {
  title: 'Safety',
  text: 'Rules that hold outputs, whoever commands them. The emergency stop overrides them all.',
  now: {
    title: 'Held now',
    text: 'What the control service reports at this moment.',
    none: 'No rule and no override holds an output.',
    away: 'The control service does not answer, so what it holds is unknown.',
  },
  limits: {
    title: 'Weather and temperature',
    text: 'Beyond these limits the house raises an alarm and the control service acts at once, whatever is commanded. A new limit applies from the next reading.',
    acts: {
      wind_m_s: 'Closes roof and side vents until the wind has stayed below 90 % of this limit for 5 minutes',
      rain: 'Closes roof and side vents until it has been dry for 5 minutes. Enter it in the unit of the sensor',
      frost_c: 'Closes vents until the house has been a degree warmer for a minute',
      over_temperature_c: 'Stops heaters until the house has been a degree cooler for a minute',
    },
  },
  control: {
    title: 'Automatic control',
    stale: 'Silent sensors',
    staleText:
      'A reading counts for {periods} measuring periods of its sensor, but at least {seconds} s. When the indoor thermometer or the wind sensor falls silent, the equipment that programs control by it goes to its safe state. People can still switch it.',
    hold: 'Manual commands last',
    holdText:
      'After someone switches an actuator by hand, automatic control leaves it alone for this long. {range}; 0 means not at all.',
  },
  current: {
    title: 'Current of the site',
    name: 'Current limit',
    text: 'Nothing is turned on that would take the total current above this. What is already on stays on.',
    none: 'no limit',
    now: 'Now {drawn}: no output has its current entered. | Now {drawn} from {n} output with a known current. Outputs in an unknown state count as on. | Now {drawn} from {n} outputs with a known current. Outputs in an unknown state count as on.',
  },
  interlocks: {
    title: 'Interlocks',
    text: 'Keep one actuator off while another is on or open, for example no heating while the roof is open.',
    none: 'No interlock yet.',
    add: 'Add interlock',
    addTitle: 'Add an interlock',
    editTitle: 'Change “{name}”',
    removeText: 'Both actuators can then be on at the same time.',
    whileOutput: 'While this actuator',
    above: 'is above',
    aboveHint: '0 to 100 %. On counts as 100 %',
    forbids: 'this one must stay off',
    mutual: 'And the other way round',
    says: 'While {one} is above {above}, {other} stays off.',
    saysMutual: 'While {one} is above {above}, {other} stays off. While {other} is on, {one} stays off.',
    same: 'Choose two different actuators.',
    gone: 'a deleted actuator',
  },
};
