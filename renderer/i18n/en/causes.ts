import text from '../../../resources/cause-text/en.json' with { type: 'json' };

/** Why controllers do what they do. */
export const causes = text;
