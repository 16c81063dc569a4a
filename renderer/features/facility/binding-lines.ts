/** One line of a binding form: a binding, or an open place for one. */
export interface BindingLine<Role, Binding> {
  role: Role;
  /** Index in the facility's list; null for an open line. */
  index: number | null;
  binding: Binding | null;
}

export interface LineChoice<Role> {
  /** All roles in the order of the form. */
  roles: readonly Role[];
  /** Shown even when unbound. */
  usual: ReadonlySet<Role>;
  showsAll: boolean;
  /** Roles for which the user added another line. */
  extra: readonly Role[];
}

/** The lines of a form: every binding under its role, and open lines. */
export function bindingLines<Role extends string, Binding extends { role: Role }>(
  bindings: readonly Binding[],
  { roles, usual, showsAll, extra }: LineChoice<Role>,
): BindingLine<Role, Binding>[] {
  return roles.flatMap((role) => {
    const bound: BindingLine<Role, Binding>[] = bindings.flatMap((binding, index) =>
      binding.role === role ? [{ role, index, binding }] : [],
    );
    const isOpen = bound.length === 0 ? usual.has(role) || showsAll : extra.includes(role);
    return isOpen ? [...bound, { role, index: null, binding: null }] : bound;
  });
}

/** The list after a line was bound or unbound. */
export function rebind<Binding>(list: readonly Binding[], index: number | null, binding: Binding | null): Binding[] {
  if (index === null) return binding === null ? [...list] : [...list, binding];
  return list.flatMap((one, at) => (at !== index ? [one] : binding === null ? [] : [binding]));
}
