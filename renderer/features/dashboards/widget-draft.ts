import type { Widget } from '../../../server/contract/dashboard.ts';
import { seriesKey } from '../../../server/contract/measured.ts';
import type { WidgetKind } from './widget.ts';

/** The form of a widget, for all kinds at once: entries survive a change of kind. */
export interface WidgetDraft {
  kind: WidgetKind;
  title: string;
  /** `device_id/measurement_id` of each; a value widget uses the first. */
  sources: string[];
  span_s: number;
  /** `device_id/channel`; the id alone when the widget names no channel. */
  output: string | null;
  facility_uuid: string | null;
  map_uuid: string | null;
  category: string;
  text: string;
}

export type Place = Pick<Widget, 'id' | 'column' | 'row' | 'columns' | 'rows'>;

export const emptyDraft: WidgetDraft = {
  kind: 'value',
  title: '',
  sources: [],
  span_s: 86_400,
  output: null,
  facility_uuid: null,
  map_uuid: null,
  category: '',
  text: '',
};

export function draftOf(widget: Widget): WidgetDraft {
  const draft: WidgetDraft = { ...emptyDraft, kind: widget.kind, title: widget.title ?? '' };
  switch (widget.kind) {
    case 'value':
      return { ...draft, sources: [seriesKey(widget.source)] };
    case 'trend':
      return { ...draft, sources: widget.sources.map(seriesKey), span_s: widget.span_s };
    case 'output':
      return {
        ...draft,
        output: [widget.device_id, ...(widget.channel === undefined ? [] : [widget.channel])].join('/'),
      };
    case 'facility':
      return { ...draft, facility_uuid: widget.facility_uuid };
    case 'map':
      return { ...draft, map_uuid: widget.map_uuid };
    case 'notes':
      return { ...draft, category: widget.category ?? '' };
    case 'text':
      return { ...draft, text: widget.text };
    case 'alarms':
      return draft;
  }
}

/** The widget at its place; null while its kind lacks a required entry. */
export function widgetOf(draft: WidgetDraft, place: Place): Widget | null {
  const title = draft.title.trim();
  const base = { ...place, ...(title !== '' && { title }) };
  const sources = draft.sources.map((key) => {
    const [device_id = '', measurement_id = ''] = key.split('/');
    return { device_id, measurement_id };
  });
  const [source] = sources;
  const [device_id, channel] = draft.output?.split('/') ?? [];
  const { kind, span_s, facility_uuid, map_uuid, text } = draft;
  switch (kind) {
    case 'value':
      return source === undefined ? null : { kind, ...base, source };
    case 'trend':
      return source === undefined ? null : { kind, ...base, sources, span_s };
    case 'output':
      if (device_id === undefined) return null;
      return { kind, ...base, device_id, ...(channel !== undefined && { channel: Number(channel) }) };
    case 'facility':
      return facility_uuid === null ? null : { kind, ...base, facility_uuid };
    case 'map':
      return map_uuid === null ? null : { kind, ...base, map_uuid };
    case 'text':
      return text.trim() === '' ? null : { kind, ...base, text: text.trim() };
    case 'notes':
      return { kind, ...base, ...(draft.category.trim() !== '' && { category: draft.category.trim() }) };
    case 'alarms':
      return { kind, ...base };
  }
}
