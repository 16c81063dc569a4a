import { outsideFilm_w_m2k } from '../capacity/cooling.ts';
import { zeroCelsius_k } from '../climate/air.ts';

const stefanBoltzmann_w_m2k4 = 5.670374e-8;
/** Of glass and of plastics for long waves. */
const emittance = 0.9;
/**
 * No sky over a greenhouse sends down as little, and no net reading comes to as much, W/m2: so each says which it is.
 */
const mostNet_w_m2 = 60;

/**
 * Air that would cool a roof as the air outside and the sky together do, C: colder than the air under a clear sky. The
 * sol-air temperature without its sun, t_o - epsilon dR / h_o (ASHRAE Handbook, Fundamentals 2017, chapter 18, eq. 30).
 * @param sky_w_m2 as a pyrgeometer reads it, from the sky or net of what a surface as warm as the air sends up
 */
export function feltOutside_c(outdoor_c: number, sky_w_m2: number | null): number {
  if (sky_w_m2 === null) return outdoor_c;
  const sent_w_m2 = stefanBoltzmann_w_m2k4 * (outdoor_c + zeroCelsius_k) ** 4;
  const lost_w_m2 = sky_w_m2 < mostNet_w_m2 ? -sky_w_m2 : sent_w_m2 - sky_w_m2;
  return outdoor_c - (emittance * lost_w_m2) / outsideFilm_w_m2k;
}
