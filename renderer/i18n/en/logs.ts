export const logs = {
  title: 'Program log',
  text: 'Messages from the programs of this service, for troubleshooting. They contain no passwords or keys.',
  filter: 'Filter the log',
  level: 'Minimum level',
  levels: {
    fatal: 'Fatal',
    error: 'Error',
    warn: 'Warning',
    info: 'Information',
    debug: 'Details',
    trace: 'Everything',
  },
  source: 'Program',
  sources: { service: 'Server', daemon: 'Control service' },
  contains: 'Contains',
  none: 'No entries yet',
  shown: '{n} line | {n} lines',
};
