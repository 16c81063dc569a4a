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
  /** Reloads it; a running edit stays. */
  load: () => Promise<void>;
  /** The widgets being edited; otherwise the stored ones. */
  widgets: ShallowRef<readonly Widget[]>;
  isEditing: ShallowRef<boolean>;
  isChanged: ComputedRef<boolean>;
  canUndo: Ref<boolean>;
  canRedo: Ref<boolean>;
  undo: () => void;
  redo: () => void;
  /** Counts undo and redo steps: a change tells the grid to rebuild. */
  turns: ShallowRef<number>;
  begin: () => void;
  /** Reports that the new grid moved overlapping widgets: no user's step, so undo must not go past it. */
  settled: () => void;
  /** Ends editing and returns to what is stored. */
  discard: () => void;
  /** Rejects with the service's error; the edit then stays. */
  save: () => Promise<void>;
  rename: (name: string) => Promise<void>;
}

const mostUndone = 100;

/** A user's own dashboard, and an edit of it that is stored only when saved. */
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

  /** Changes it; null when another one was opened meanwhile. */
  async function change(body: DashboardPatch): Promise<Dashboard | null> {
    const asked = id();
    const written = await call(dashboardEndpoints.change, { params: { dashboard_id: asked }, body });
    return asked === id() ? written : null;
  }

  /** Clears one and its edit before another is loaded. */
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
