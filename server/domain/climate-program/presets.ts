import type { ClimatePreset } from '../../contract/climate-preset.ts';
import type { ClimatePeriod } from '../../contract/climate-settings.ts';

/** Sources of the numbers. */
const greenLight =
  'Katzin, van Mourik, Kempkes, van Henten (2020), Biosystems Engineering 194, GreenLight: settings of a tomato house';
const hoogendoorn = 'Hoogendoorn, iSii compact knowledge base: vents open 1 K above heating';
const ownChoice = 'Orangery: chosen so that the pipes follow; no published number was found';
const rutgers = 'Rutgers, floating hydroponics greenhouse (Both): environment control, lettuce';
const cornell = 'Brechner & Both, Hydroponic Lettuce Handbook, Cornell CEA: 17 mol/m2 a day';
const ohio = 'Ohio State University, indoorberry, Environment: 20 to 24 C by day, 10 to 12 C by night';
const seedlings = 'Olympios & Hanan (1992), Acta Horticulturae 303: 25/19 C, the fastest growth of young plants';
const orchids = 'American Orchid Society, Phalaenopsis: above 60 F by night, 75 to 85 F by day, 50 to 80 % humidity';

/** A number with its source. */
type Sourced = readonly [value: number, source: string];
type SourcedSetpoints = Partial<Record<'heating_c' | 'ventilation_c' | 'humidity_pct' | 'co2_ppm', Sourced>> & {
  heating_c: Sourced;
  ventilation_c: Sourced;
};

const ramp_k_per_h = 1;

function presetOf(
  crop: ClimatePreset['crop'],
  { day, night, lamps }: { day: SourcedSetpoints; night: SourcedSetpoints; lamps?: { sum_mol_m2: Sourced } },
): ClimatePreset {
  const periods = [
    periodOf({ name: 'Day', event: 'sunrise' }, day),
    periodOf({ name: 'Night', event: 'sunset' }, night),
  ];
  const sources = [day, night].flatMap((setpoints, index) => [
    { path: `periods[${index}].ramp.k_per_h`, source: ownChoice },
    ...Object.entries(setpoints).map(([name, [, source]]) => ({
      path: `periods[${index}].setpoints.${name}`,
      source,
    })),
  ]);
  if (lamps === undefined) return { crop, program: { periods }, sources };
  const [sum_mol_m2, source] = lamps.sum_mol_m2;
  return {
    crop,
    program: { periods, lamps: { sum_mol_m2 } },
    sources: [...sources, { path: 'lamps.sum_mol_m2', source }],
  };
}

function periodOf(
  { name, event }: { name: string; event: 'sunrise' | 'sunset' },
  { heating_c, ventilation_c, humidity_pct, co2_ppm }: SourcedSetpoints,
): ClimatePeriod {
  return {
    name,
    start: { event },
    ramp: { k_per_h: ramp_k_per_h },
    setpoints: {
      heating_c: heating_c[0],
      ventilation_c: ventilation_c[0],
      ...(humidity_pct && { humidity_pct: humidity_pct[0] }),
      ...(co2_ppm && { co2_ppm: co2_ppm[0] }),
    },
  };
}

/** Programs by crop. Sweet pepper is left out because no source was found. */
export const climatePresets: readonly ClimatePreset[] = [
  presetOf('tomato', {
    day: {
      heating_c: [19.5, greenLight],
      ventilation_c: [24.5, greenLight],
      humidity_pct: [87, greenLight],
      co2_ppm: [1000, greenLight],
    },
    night: { heating_c: [18.5, greenLight], ventilation_c: [23.5, greenLight], humidity_pct: [87, greenLight] },
  }),
  presetOf('cucumber', {
    day: { heating_c: [25, seedlings], ventilation_c: [26, hoogendoorn] },
    night: { heating_c: [19, seedlings], ventilation_c: [20, hoogendoorn] },
  }),
  presetOf('strawberry', {
    day: { heating_c: [20, ohio], ventilation_c: [24, ohio] },
    night: { heating_c: [10, ohio], ventilation_c: [12, ohio] },
  }),
  presetOf('lettuce', {
    day: { heating_c: [24, rutgers], ventilation_c: [25, hoogendoorn], co2_ppm: [1000, rutgers] },
    night: { heating_c: [19, rutgers], ventilation_c: [20, hoogendoorn] },
    lamps: { sum_mol_m2: [17, cornell] },
  }),
  presetOf('orchid', {
    day: { heating_c: [24, orchids], ventilation_c: [29.5, orchids], humidity_pct: [80, orchids] },
    night: { heating_c: [16, orchids], ventilation_c: [24, orchids], humidity_pct: [80, orchids] },
  }),
];
