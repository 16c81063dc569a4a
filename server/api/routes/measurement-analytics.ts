import { measurementAnalyticsEndpoints as endpoints } from '../../contract/measurement-analytics.ts';
import type { AnalyticsService } from '../../services/measurement/analytics.ts';
import { defineRoute, type Route } from '../route.ts';

export function measurementAnalyticsRoutes(analytics: AnalyticsService): Route[] {
  return [
    defineRoute(endpoints.states, ({ query, signal }) => analytics.states(query, signal)),
    defineRoute(endpoints.switches, ({ query, signal }) => analytics.switches(query, signal)),
    defineRoute(endpoints.degreeTime, ({ query, signal }) => analytics.degreeTime(query, signal)),
    defineRoute(endpoints.lightSum, ({ query, signal }) => analytics.lightSum(query, signal)),
    defineRoute(endpoints.deficitTime, ({ query, signal }) => analytics.deficitTime(query, signal)),
    defineRoute(endpoints.stateTime, ({ query, signal }) => analytics.stateTime(query, signal)),
    defineRoute(endpoints.energy, ({ query, signal }) => analytics.energy(query, signal)),
  ];
}
