import { refusePlainly } from '../../contract/errors.ts';
import { mostRowsAtOnce, parcelEndpoints } from '../../contract/parcel.ts';
import type { ParcelService } from '../../services/parcel/parcel.ts';
import type { JobRunner } from '../../services/record/job.ts';
import { defineFileRoute, defineRoute, Reply, type Route } from '../route.ts';

export interface ParcelServices {
  parcels: ParcelService;
  jobs: JobRunner;
}

export function parcelRoutes({ parcels, jobs }: ParcelServices): Route[] {
  return [
    defineRoute(parcelEndpoints.fromAddress, ({ body }) => parcels.fromAddress(body.address)),
    defineRoute(parcelEndpoints.at, ({ body }) => parcels.at(body)),
    defineRoute(parcelEndpoints.merge, ({ body }) => parcels.merge(body)),
    defineFileRoute(parcelEndpoints.fromCsv, async ({ query, body, actor, signal }) => {
      const table = await parcels.openTable(body.file);
      if (query.async !== true) {
        if (table.lookUps > mostRowsAtOnce) {
          throw refusePlainly('invalid_field', 'async', `must be true for more than ${mostRowsAtOnce} rows to look up`);
        }
        return table.run(undefined, signal);
      }
      const job_id = jobs.begin(actor, { kind: 'parcel.from_csv', total: table.total, run: table.run });
      return new Reply(201, { job_id }, { Location: `/api/jobs/${job_id}` });
    }),
    defineRoute(parcelEndpoints.saveAsSite, ({ body, actor }) => parcels.saveAsSite(body, actor)),
  ];
}
