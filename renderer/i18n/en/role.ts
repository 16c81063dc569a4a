import text from '../../../resources/role-text/en.json' with { type: 'json' };

/** Roles of bound devices: what a sensor measures in its house, what an actuator does there. */
export const role = text;
