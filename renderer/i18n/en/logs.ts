export const logs = {
  title: 'Program log',
  text: 'What the programs of this service wrote down, for finding a fault. It holds no passwords or keys.',
  filter: 'Filter the log',
  level: 'At least',
  levels: {
    fatal: 'Fatal',
    error: 'Error',
    warn: 'Warning',
    info: 'Information',
    debug: 'Details',
    trace: 'Everything',
  },
  source: 'Program',
  sources: { service: 'Service', daemon: 'Control' },
  contains: 'Contains',
  none: 'Nothing is written down yet',
  shown: '{n} line | {n} lines',
};
