import { useRefHistory } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import {
  dashboardEndpoints,
  type Dashboard,
  type DashboardPatch,
  type Widget,
} from '../../../server/contract/dashboard.ts';
import { useCall } from '../../client/client.ts';

interface UsedDashboard {
  dashboard: ShallowRef<Dashboard | null>;
  error: ShallowRef<unknown>;
  /** Reads it anew; an edit that goes on stays. */
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
  /** Says that the grid moved what overlapped as it was made: nobody's step, so nothing is undone beyond it. */
  settled: () => void;
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
    try {
      const found = await call(dashboardEndpoints.get, { params: { dashboard_id: asked } });
      if (asked !== id()) return;
      error.value = null;
      if (!isEditing.value && !isSame(found, dashboard.value)) show(found);
    } catch (thrown) {
      if (asked === id()) error.value = thrown;
    }
  }

  /** Changes it; null where another was opened meanwhile. */
  async function change(body: DashboardPatch): Promise<Dashboard | null> {
    const asked = id();
    const written = await call(dashboardEndpoints.change, { params: { dashboard_id: asked }, body });
    return asked === id() ? written : null;
  }

  /** Forgets one, with its edit, before another is read. */
  function open(): void {
    dashboard.value = null;
    isEditing.value = false;
    widgets.value = [];
    error.value = null;
    void load();
  }

  function turn(step: () => void): void {
    step();
    turns.value += 1;
  }

  watch(id, open, { immediate: true });
  return {
    dashboard,
    error,
    load,
    widgets,
    isEditing,
    isChanged,
    turns,
    canUndo: history.canUndo,
    canRedo: history.canRedo,
    undo: () => turn(history.undo),
    redo: () => turn(history.redo),
    begin: () => {
      isEditing.value = true;
      turns.value = 0;
      history.clear();
    },
    settled: () => {
      if (turns.value === 0) history.clear();
    },
    discard: () => dashboard.value !== null && show(dashboard.value),
    save: async () => {
      const written = await change({ widgets: [...widgets.value] });
      if (written !== null) show(written);
    },
    rename: async (name) => {
      const written = await change({ name });
      if (written !== null && dashboard.value !== null) dashboard.value = { ...dashboard.value, name: written.name };
    },
  };
}

const isSame = (one: Dashboard, other: Dashboard | null): boolean =>
  one.unique_id === other?.unique_id && one.updated_at === other.updated_at;
