import { useRefHistory } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import { dashboardEndpoints, type Dashboard, type Widget } from '../../../server/contract/dashboard.ts';
import { useCall } from '../../client/client.ts';

interface UsedDashboard {
  dashboard: ShallowRef<Dashboard | null>;
  error: ShallowRef<unknown>;
  load: () => Promise<void>;
  /** The widgets as they are edited; those that are kept while nothing is. */
  widgets: ShallowRef<readonly Widget[]>;
  isEditing: ShallowRef<boolean>;
  isChanged: ComputedRef<boolean>;
  canUndo: Ref<boolean>;
  canRedo: Ref<boolean>;
  undo: () => void;
  redo: () => void;
  /** Counts what was undone and redone: by it a grid knows that all may lie elsewhere. */
  turns: ShallowRef<number>;
  begin: () => void;
  /** Ends editing with what is kept. */
  discard: () => void;
  /** Rejects with what the service says; the edit stays then. */
  save: () => Promise<void>;
  rename: (name: string) => Promise<void>;
}

const mostUndone = 100;

/** A dashboard of one's own, and an edit of it that is kept only when it is saved. */
export function useDashboard(id: () => string): UsedDashboard {
  const call = useCall();
  const dashboard = shallowRef<Dashboard | null>(null);
  const error = shallowRef<unknown>(null);
  const widgets = shallowRef<readonly Widget[]>([]);
  const isEditing = shallowRef(false);
  const turns = shallowRef(0);
  const history = useRefHistory(widgets, { capacity: mostUndone, flush: 'sync' });
  const params = () => ({ dashboard_id: id() });
  const isChanged = computed(
    () => isEditing.value && JSON.stringify(widgets.value) !== JSON.stringify(dashboard.value?.widgets),
  );

  function show(found: Dashboard): void {
    dashboard.value = found;
    isEditing.value = false;
    widgets.value = found.widgets;
    history.clear();
  }

  async function load(): Promise<void> {
    const asked = id();
    error.value = null;
    try {
      const found = await call(dashboardEndpoints.get, { params: params() });
      if (asked === id()) show(found);
    } catch (thrown) {
      if (asked === id()) error.value = thrown;
    }
  }

  function turn(step: () => void): void {
    step();
    turns.value += 1;
  }

  watch(id, load, { immediate: true });
  return {
    ...{ dashboard, error, load, widgets, isEditing, isChanged, turns },
    ...{ canUndo: history.canUndo, canRedo: history.canRedo },
    undo: () => turn(history.undo),
    redo: () => turn(history.redo),
    begin: () => {
      isEditing.value = true;
      history.clear();
    },
    discard: () => dashboard.value !== null && show(dashboard.value),
    save: async () =>
      show(await call(dashboardEndpoints.change, { params: params(), body: { widgets: [...widgets.value] } })),
    rename: async (name) => {
      const { name: written } = await call(dashboardEndpoints.change, { params: params(), body: { name } });
      if (dashboard.value !== null) dashboard.value = { ...dashboard.value, name: written };
    },
  };
}
