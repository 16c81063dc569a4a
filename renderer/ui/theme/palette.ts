import type { ThemeDefinition } from 'vuetify';

/**
 * Grey when all is well, colour when it is not (ISA-101). The only hue in normal state is the slate of interactive
 * elements; red, amber and violet are reserved for emergency, warning and unknown. Text pairs reach 4.5:1 (WCAG 2.2
 * AA).
 */
export const light: ThemeDefinition = {
  dark: false,
  colors: {
    background: '#dfe2e4',
    surface: '#eef0f1',
    'surface-bright': '#ffffff',
    'surface-light': '#f6f7f8',
    'surface-variant': '#3a444c',
    'on-surface-variant': '#f1f3f4',
    'on-background': '#1c2226',
    'on-surface': '#1c2226',
    'on-surface-bright': '#1c2226',
    'on-surface-light': '#1c2226',
    primary: '#2b4257',
    'on-primary': '#ffffff',
    secondary: '#56636d',
    'on-secondary': '#ffffff',
    quiet: '#56616a',
    line: '#c3c9cd',
    error: '#b3201a',
    'on-error': '#ffffff',
    warning: '#8a5300',
    'on-warning': '#ffffff',
    info: '#2b5c86',
    'on-info': '#ffffff',
    success: '#2d6144',
    'on-success': '#ffffff',
    unknown: '#6b4791',
    'on-unknown': '#ffffff',
  },
  variables: {
    'border-color': '#1c2226',
    'border-opacity': 0.16,
    'high-emphasis-opacity': 1,
    'medium-emphasis-opacity': 0.74,
    'disabled-opacity': 0.46,
  },
};

export const dark: ThemeDefinition = {
  dark: true,
  colors: {
    background: '#14181b',
    surface: '#1d2226',
    'surface-bright': '#272d32',
    'surface-light': '#22282c',
    'surface-variant': '#cfd6db',
    'on-surface-variant': '#1a1f23',
    'on-background': '#e2e6e9',
    'on-surface': '#e2e6e9',
    'on-surface-bright': '#e2e6e9',
    'on-surface-light': '#e2e6e9',
    primary: '#a9c4dc',
    'on-primary': '#10202d',
    secondary: '#a3afb8',
    'on-secondary': '#14181b',
    quiet: '#a0abb3',
    line: '#3b444b',
    error: '#ff7a6b',
    'on-error': '#2b0502',
    warning: '#f2b544',
    'on-warning': '#2a1b00',
    info: '#86bbe6',
    'on-info': '#0a1e2d',
    success: '#86c3a0',
    'on-success': '#06210f',
    unknown: '#c6a3ea',
    'on-unknown': '#22063f',
  },
  variables: {
    'border-color': '#e2e6e9',
    'border-opacity': 0.16,
    'high-emphasis-opacity': 1,
    'medium-emphasis-opacity': 0.76,
    'disabled-opacity': 0.46,
  },
};
