/** Whether the server has what is on screen. `delayed`: it has a fault at present, and the save is repeated. */
export type SaveState = 'saved' | 'saving' | 'unsaved' | 'conflict' | 'offline' | 'delayed' | 'rejected';
