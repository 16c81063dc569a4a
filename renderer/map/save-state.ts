/** Whether the server has what is on screen. */
export type SaveState = 'saved' | 'saving' | 'unsaved' | 'conflict' | 'offline' | 'rejected';
