import { nextTick, onScopeDispose, reactive, shallowRef, watch, type Ref } from 'vue';
import type { Feature, Geometry } from '../../../server/contract/overlay.ts';
import { useText } from '../../i18n/index.ts';
import { freeNames } from '../../map/free-names.ts';
import { pathsOf } from '../../map/geometry.ts';
import type { PreviewLine } from '../../map/preview-lines.ts';
import type { Covered } from '../../map/sight.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useNotice } from '../../stores/notice.ts';
import type { MapDesk } from './map-desk.ts';
import { shapeTool, type ShapeAction } from './shape-tools/list.ts';
import { idsOf, soundAll, type ToolResult, type ToolWork } from './shape-tools/shape-tool.ts';

interface ShapeToolOptions {
  holdsHouse: (id: string) => boolean;
  /** How much of the map lies under its tools and the open form. */
  covered: () => Covered;
  selectedFeatures: Readonly<Ref<readonly Feature[]>>;
  selectAll: (ids: readonly string[]) => void;
  setTool: (tool: 'select' | 'shape') => void;
}

/** More shapes than this are not drawn while numbers are being typed. */
const mostPreviewed = 1_000;

/** The tools for the selection: started, previewed, applied or cancelled. */
export function useShapeTools(
  desk: MapDesk,
  { holdsHouse, covered, selectedFeatures, selectAll, setTool }: ShapeToolOptions,
) {
  const { t } = useText();
  const store = useOpenMap();
  const notice = useNotice();
  const { map, shapeAction, isTouch } = desk;
  const values = reactive<Record<string, number | null>>({});
  const isBusy = shallowRef(false);
  /** Of the look that was asked for last; an earlier one comes too late. */
  let look = 0;

  function work(drawn: Geometry | undefined, nextName: ToolWork['nextName']): ToolWork {
    const entered = Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]));
    return {
      shapes: selectedFeatures.value,
      values: Object.fromEntries(entered),
      drawn,
      newId: () => crypto.randomUUID(),
      holdsHouse,
      nextName,
    };
  }

  function begin(action: ShapeAction): void {
    const tool = shapeTool(action);
    const shapes = selectedFeatures.value;
    if (!tool.fits(shapes))
      return notice.problem(t(shapes.length === 0 ? 'map.shape.selectFirst' : 'map.shape.doesNotFit'));
    setTool('shape');
    shapeAction.value = action;
    for (const key of Object.keys(values)) Reflect.deleteProperty(values, key);
    for (const { key, start } of tool.fields) values[key] = typeof start === 'number' ? start : start(shapes);
    if (tool.draws !== undefined)
      map.value?.hand.draw(tool.draws, { isTouch: isTouch.value, crossesText: t('map.draw.crosses') });
    else if (tool.drag !== undefined) map.value?.hand.drag({ moved: dragged, ended: dropped }, 'move', idsOf(shapes));
  }

  function dragged(from: number[], to: number[]): void {
    if (shapeAction.value === null) return;
    const meant = shapeTool(shapeAction.value).drag?.(selectedFeatures.value, from, to) ?? {};
    for (const [key, value] of Object.entries(meant)) values[key] = Number(value.toFixed(4));
  }

  function dropped(from: number[], to: number[]): void {
    dragged(from, to);
    // A press that did not move is no wish to end the tool.
    if (String(from) !== String(to)) void apply();
  }

  /** What it makes of the selection, as the service accepts it. */
  async function made(action: ShapeAction, drawn?: Geometry): Promise<ToolResult> {
    const nextName = freeNames(store.features.map(({ properties }) => properties.name));
    const result = await shapeTool(action).run(work(drawn, nextName));
    if ('fault' in result) return result;
    const put = await soundAll(result.edit.put);
    return put === null ? { fault: 'outOfRange' } : { ...result, edit: { ...result.edit, put } };
  }

  /** Applies it, or says why not and stays open. */
  async function apply(drawn?: Geometry): Promise<void> {
    if (shapeAction.value === null || isBusy.value || !isComplete()) return;
    const action = shapeAction.value;
    const shapes = selectedFeatures.value;
    isBusy.value = true;
    let result: ToolResult;
    try {
      result = await made(action, drawn);
    } finally {
      isBusy.value = false;
    }
    const now = selectedFeatures.value;
    if (shapeAction.value !== action || idsOf(shapes).join() !== idsOf(now).join()) return;
    // Someone else's save changed a shape meanwhile, which this would overwrite.
    if (shapes.some((shape, at) => shape !== now[at])) return apply(drawn);
    if ('fault' in result) {
      notice.problem(t(`map.shape.faults.${result.fault}`));
      if (drawn !== undefined) begin(action);
      return;
    }
    const refused = store.change(result.edit);
    if (refused !== null) return notice.problem(t(`map.faults.${refused.kind}`));
    setTool('select');
    selectAll(result.select);
    if (result.isSpread !== true) return;
    const places = [...shapes, ...result.edit.put].flatMap(({ geometry }) =>
      pathsOf(geometry).flatMap(({ positions }) => positions),
    );
    await nextTick(); // the form of the selection is open
    map.value?.bringAllIntoSight(places, covered());
  }

  function isComplete(): boolean {
    if (shapeAction.value === null) return false;
    return shapeTool(shapeAction.value).fields.every(({ key, kind, least, most }) => {
      const value = values[key] ?? null;
      return value !== null && value >= least && value <= most && (kind === 'number' || Number.isInteger(value));
    });
  }

  let frame = 0;

  /** Drawn once a frame, however many movements and keys fall into it. */
  function askPreview(): void {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      void preview();
    });
  }
  onScopeDispose(() => cancelAnimationFrame(frame));

  async function preview(): Promise<void> {
    look += 1;
    const mine = look;
    const action = shapeAction.value;
    const isShown = action !== null && shapeTool(action).draws === undefined && isComplete();
    if (!isShown || selectedFeatures.value.length > mostPreviewed) {
      map.value?.showPreview([]);
      return;
    }
    const result = await shapeTool(action).run(work(undefined, (name) => name)); // nobody reads names there
    if (mine === look)
      map.value?.showPreview('edit' in result ? result.edit.put.slice(0, mostPreviewed).flatMap(linesOf) : []);
  }

  watch([shapeAction, () => ({ ...values }), selectedFeatures], (_now, [before]) => {
    if (shapeAction.value !== null || before !== null) askPreview();
  });

  return {
    shapeValues: values,
    isShapeBusy: isBusy,
    beginShapeTool: begin,
    applyShapeTool: apply,
    isShapeToolComplete: isComplete,
  };
}

function linesOf({ geometry }: Feature): PreviewLine[] {
  return pathsOf(geometry).flatMap(({ positions, isClosed }) => {
    const [first] = positions;
    if (first === undefined || positions.length < 2) return [];
    return [{ positions: isClosed ? [...positions, first] : positions, isMain: false }];
  });
}
