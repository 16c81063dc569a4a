export const about = {
  title: 'About',
  text: 'This program, what it is made of, and what to send along when something fails.',
  version: 'Version {version}',
  licence: 'Free software under the MIT licence.',
  desktop: {
    title: 'This application',
    hosted:
      'Control runs in this application. It continues when you close the windows, and stops when you quit the application, log out or turn the machine off.',
    deadMan:
      'If the application crashes or is killed, outputs are left to the dead-man timers of their devices. For houses that must never be without control, install the package orangery-headless on this machine: it starts with the machine, and this application becomes its window.',
    attached: 'Control runs as a service on this machine. It continues whether or not this application is open.',
    login: 'Open at login, without a window',
    notify: 'Show alarms as system notifications',
    kiosk: 'Kiosk: full screen, without menus (Ctrl+Shift+F11)',
    folder: 'Show data folder',
    window: 'New window',
  },
  support: {
    title: 'Support file',
    text: 'What support needs to find a fault. Nothing is sent: look through the parts, leave out what you do not want to share, and save the file.',
    collect: 'Collect',
    save: 'Save file',
    none: 'Choose at least one part',
    contents: 'Parts of the support file',
    parts: {
      program: 'Program and browser',
      health: 'State of the server',
      daemon: 'State of the control service',
      log: 'Program log, latest 500 lines',
    },
    missing: 'Could not be read: {reason}',
    lines: '{n} line | {n} lines',
  },
  parts: {
    title: 'Open-source parts',
    text: 'Orangery is made with these packages. Thank you.',
    filter: 'Filter',
    none: 'Nothing matches',
    shown: '{n} package | {n} packages',
    texts: 'Licence texts',
    bill: 'Bill of materials (CycloneDX)',
  },
};
