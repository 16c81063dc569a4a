import { measurementEndpoints } from '../../contract/measurement-query.ts';
import type { MeasurementService } from '../../services/measurement/measurement.ts';
import { defineRoute, RawJson, Reply, type Route } from '../route.ts';

export function measurementRoutes(measurements: MeasurementService): Route[] {
  return [
    defineRoute(measurementEndpoints.last, ({ query }) => measurements.last(query)),
    defineRoute(measurementEndpoints.past, async ({ query, signal }) => {
      return new RawJson(await measurements.past(query, signal));
    }),
    defineRoute(measurementEndpoints.historical, async ({ query, signal }) => {
      return new RawJson(await measurements.historical(query, signal));
    }),
    defineRoute(measurementEndpoints.multi, async ({ query, signal }) => {
      return new RawJson(await measurements.multi(query, signal));
    }),
    defineRoute(measurementEndpoints.aggregated, async ({ query, signal }) => {
      return new RawJson(await measurements.aggregated(query, signal));
    }),
    defineRoute(measurementEndpoints.create, async ({ body, actor }) => {
      const sample = await measurements.create(actor, body);
      return new Reply(201, sample, { Location: addressOf(sample) });
    }),
    defineRoute(measurementEndpoints.csv, ({ query, signal }) => {
      const { name, text } = measurements.csv(query, signal);
      // Names in any script (RFC 6266); the plain one is for what cannot read them.
      const named = `filename="measurements.csv"; filename*=UTF-8''${encodeURIComponent(name)}`;
      return new Reply(200, text, { 'Content-Disposition': `attachment; ${named}` });
    }),
  ];
}

/** The span that holds this one sample. */
function addressOf({
  device_id,
  measurement_id,
  time_ms,
}: {
  device_id: string;
  measurement_id: string;
  time_ms: number;
}) {
  const query = new URLSearchParams({
    device_id,
    measurement_id,
    from: new Date(time_ms).toISOString(),
    to: new Date(time_ms + 1).toISOString(),
  });
  return `/api/measurements/historical?${query.toString()}`;
}
