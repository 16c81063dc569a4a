import { computed, shallowRef, type WritableComputedRef } from 'vue';
import { bindingLines, rebind, type BindingLine } from '../binding-lines.ts';

/** The lines of one step of the house form, and their actions. `usual` are the roles shown even when unbound. */
export function useBindingLines<Role extends string, Binding extends { role: Role }>(
  bindings: WritableComputedRef<Binding[]>,
  { roles, usual }: { roles: readonly Role[]; usual: readonly Role[] },
) {
  type Line = BindingLine<Role, Binding>;
  const showsAll = shallowRef(false);
  const extra = shallowRef<readonly Role[]>([]);
  const shown = new Set(usual);
  const lines = computed(() =>
    bindingLines(bindings.value, { roles, usual: shown, showsAll: showsAll.value, extra: extra.value }),
  );

  /** null unbinds. */
  function bind({ role, index }: Line, binding: Binding | null): void {
    bindings.value = rebind(bindings.value, index, binding);
    if (index === null) extra.value = extra.value.filter((one) => one !== role);
  }

  const mayAdd = ({ role, binding }: Line): boolean => binding !== null && !extra.value.includes(role);

  /** Adds an open line for another binding of a role. */
  function add({ role }: Line): void {
    extra.value = [...extra.value, role];
  }

  return { showsAll, lines, bind, mayAdd, add };
}
