import { describe, expect, it } from 'vitest';
import { draftOf, emptyDraft, widgetOf } from '../../../../../renderer/features/dashboards/widget-draft.ts';
import { widget, type Widget } from '../../../../../server/contract/dashboard.ts';

const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const place = { id: 'w', column: 3, row: 2, columns: 6, rows: 4 };
const source = { device_id: id(1), measurement_id: id(2) };

const every: Widget[] = [
  { kind: 'value', ...place, title: 'Warm', source },
  { kind: 'trend', ...place, sources: [source, { ...source, measurement_id: id(3) }], span_s: 3_600 },
  { kind: 'output', ...place, device_id: id(4), channel: 2 },
  { kind: 'output', ...place, device_id: id(4) },
  { kind: 'facility', ...place, facility_uuid: id(5) },
  { kind: 'map', ...place, map_uuid: id(6) },
  { kind: 'alarms', ...place },
  { kind: 'notes', ...place, category: 'harvest' },
  { kind: 'text', ...place, text: 'Ask first' },
];

describe('what is entered of a widget', () => {
  it.each(every)('is that of a $kind, and comes back as it was', (one) => {
    const again = widgetOf(draftOf(one), one);
    expect(again).toEqual(one);
    expect(widget.safeParse(again).error).toBeUndefined();
  });

  it.each(['value', 'trend', 'output', 'facility', 'map', 'text'] as const)(
    'is none while a %s lacks what it shows',
    (kind) => {
      expect(widgetOf({ ...emptyDraft, kind, text: '  ' }, place)).toBeNull();
    },
  );
});
