/**
 * Sizes of equipment of which no rating is stated, for each m2 of floor: fans by minimum forced ventilation, 0.04 m3/s
 * (8 cfm/ft2, ASABE EP406); CO2 5 g/m2h and fog 150 g/m2h, as commonly installed.
 */
export const usual = { fan_m3h_m2: 0.04 * 3600, co2_kg_h_m2: 0.005, fog_kg_h_m2: 0.15 } as const;

/** Carbon dioxide as it is metered, a gas at 15 C and 101,325 Pa, kg/m3. */
export const co2Gas_kg_m3 = 1.86;

/**
 * Of the power of lamps that much is radiation, the rest warms their surroundings: .37 PAR and .22 NIR of high-pressure
 * sodium, .55 and .02 of LED (Katzin et al. 2020, GreenLight, Biosystems Engineering 194, lamp parameters).
 */
export const lampRadiantShare = 0.58;
