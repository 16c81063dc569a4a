export const simulation = {
  open: 'Simulate this house',
  title: 'Simulate “{name}”',
  text: 'The house gets simulated sensors and actuators that behave like the house as drawn: its size, covering, openings, curtains and fans. Change the drawing later and the simulation changes with it. Nothing real is switched.',
  textOn:
    'The values of this house come from a model of it. When its drawing or the ratings of its equipment change, the model changes with them.',
  others: 'A house is either all real or all simulated. Remove these devices from the house first: {names}.',
  equipment: 'Equipment',
  sensors: 'Always included: indoor climate and weather station.',
  crop: 'Crop in the house',
  speed: 'Speed',
  speeds: { one: 'Real time', some: '{n} times faster' },
  speedHint:
    'Faster than real time, an hour passes in minutes. Climate programs follow the real clock: choose real time for them.',
  weather: 'Weather',
  made: 'Typical for the place',
  make: 'Simulate',
  done: '“{name}” is simulated.',
  changed: 'The simulation is changed.',
  remove: 'Remove simulation',
  removeText:
    'Its simulated devices are deleted and no longer bound to the house. The drawing and the climate program stay.',
  removed: 'The simulation is removed.',
};
